import type { EnqueueRequest } from "../daemon/api/requests.ts";
import type { ReviewResponse } from "../daemon/api/responses.ts";
import { ExitCode, RoborevError } from "../lib/errors.ts";
import { shortRef } from "../lib/job-text.ts";
import { singleLine } from "../lib/text.ts";
import type { JobLog } from "../review/job-log.ts";
import type { Job } from "../store/schema.ts";
import type { Context } from "./command.ts";
import { stateText } from "./commands/show.ts";
import { daemonEnvironment } from "./daemon-environment.ts";
import { reviewText, rule } from "./review-text.ts";
import { withoutPrompt } from "./without-prompt.ts";

type Where = Pick<Context, "env" | "flags" | "out" | "paths" | "signal">;

/** Reviews in this process, shows the reviewer at work, prints the review; 0 for a pass, 1 for a fail. */
export async function reviewHere(
  context: Where,
  request: EnqueueRequest,
  { quiet }: { quiet: boolean },
): Promise<number> {
  const { flags, out } = context;
  using stop = stopSignal(context.signal);
  const env = await daemonEnvironment(context.env, stop.signal, out.detail);
  const { reviewLocally } = await import("../review/local-review.ts");
  const note = quiet ? out.detail : out.note;
  const warned = new Set<string>();
  const isShown = !quiet && !flags.json;
  const result = await reviewLocally({
    ...{ paths: context.paths(), env, request, signal: stop.signal },
    openLog: isShown ? await screen(out, () => stop.now(unread)) : () => nowhere,
    onWarning(line) {
      if (!warned.has(line)) out.note(`Warning: ${singleLine(line)}`);
      warned.add(line);
    },
    onStarted: (job) =>
      note(`Reviewing ${shortRef(singleLine(job.git_ref))} here (agent: ${singleLine(job.agent)})`),
    onRetry: (job) => note(`Trying again: ${singleLine(job.error ?? "it failed")}`),
  });
  if ("skipped" in result || result.job.status === "skipped") {
    const reason = "skipped" in result ? result.reason : (result.job.skip_reason ?? "nothing to review");
    if (flags.json) out.json({ skipped: true, reason });
    else if (!quiet) out.print(`Skipped: ${singleLine(reason)}`);
    return ExitCode.done;
  }
  const { job, review } = result;
  if (review === undefined) {
    throw new RoborevError(`the review ${stateText(job)}`, { code: "E_JOB_FAILED" });
  }
  const answer: ReviewResponse = { ...review, job, comments: [] };
  if (flags.json) out.json(withoutPrompt(withoutNumbers(answer)));
  else if (!quiet) out.print(`\n${rule}\n${reviewText(answer, out, { isStored: false })}`);
  return job.verdict === "F" ? ExitCode.failed : ExitCode.done;
}

const unread = new RoborevError("nobody reads the review any more: standard output was closed", {
  code: "E_WRITE",
});
const interrupted = new RoborevError("interrupted", {
  code: "E_INTERRUPTED",
  exitCode: ExitCode.interrupted,
});

/** Aborted by Ctrl-C, and by what else ends a process politely: a reviewer has a process group of its own. */
function stopSignal(outer: AbortSignal): { signal: AbortSignal; now(reason: Error): void } & Disposable {
  const controller = new AbortController();
  const onSignal = () => controller.abort(interrupted);
  process.on("SIGTERM", onSignal);
  process.on("SIGHUP", onSignal);
  return {
    signal: AbortSignal.any([outer, controller.signal]),
    now: (reason) => controller.abort(reason),
    [Symbol.dispose]() {
      process.off("SIGTERM", onSignal);
      process.off("SIGHUP", onSignal);
    },
  };
}

/** A log for each run of a reviewer, which is shown as it is written. */
async function screen(out: Where["out"], onUnread: () => void) {
  const { createRenderer } = await import("../review/agents/render/renderer.ts");
  return (_: Job, reviewer: string): JobLog => {
    const renderer = createRenderer(reviewer, { paint: out.paint });
    let shown = Promise.resolve();
    const show = (text: string) => {
      if (text === "") return;
      shown = shown.then(async () => {
        if (!(await out.pass(text))) onUnread();
      });
    };
    const close = () => {
      show(renderer.end());
      return shown;
    };
    return { write: (chunk) => show(renderer.feed(chunk)), close, drop: close };
  };
}

const nothing = async () => {};
const nowhere: JobLog = { write() {}, close: nothing, drop: nothing };

/** Nobody could look anything up by the numbers that it had while it was made. */
function withoutNumbers({ id: _, job_id: __, uuid: ___, ...review }: ReviewResponse) {
  const { id, uuid, repo_id, commit_id, worker_id, ...job } = review.job;
  return { ...review, job };
}
