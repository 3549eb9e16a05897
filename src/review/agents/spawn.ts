import { errorCode, failureReason, RoborevError } from "../../lib/errors.ts";
import { killGroup } from "../../lib/process.ts";
import { drain, spawnGroup, terminate, within } from "./child.ts";
import { decideOutcome, type EndedRun, type ReviewerOutcome } from "./outcome.ts";
import { OutputTail } from "./output-tail.ts";
import { type PreparedRun, prepareRun } from "./prepare.ts";
import { startTimeOf } from "./process-identity.ts";
import type { Reviewer, ReviewerRun } from "./reviewer.ts";

const pipeWaitMs = 5_000;
const stderrTailBytes = 4 * 1024;
const maxOutputBytes = 256 * 1024 * 1024;

/**
 * Runs a reviewer to its end in a process group of its own. Never rejects for what the program does or lacks: that is
 * an outcome. When it resolves, nothing of the group runs any more.
 */
export async function runReviewer(reviewer: Reviewer, run: ReviewerRun): Promise<ReviewerOutcome> {
  let prepared: PreparedRun;
  try {
    prepared = await prepareRun(reviewer, run);
  } catch (error) {
    if (error instanceof RoborevError) return unusable(error);
    throw error;
  }
  await using _ = prepared;
  if (run.signal.aborted) {
    return { ok: false, reason: "canceled", message: `${reviewer.name} was canceled`, retryable: false };
  }
  return await runChild(reviewer, run, prepared);
}

/** What another attempt may find mended. */
const passing = new Set(["E_AGENT_HELP", "E_CHECKOUT", "E_SPAWN_LATER"]);

function unusable(error: RoborevError): ReviewerOutcome {
  const message = error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
  return { ok: false, reason: "missing", message, retryable: passing.has(error.code) };
}

async function runChild(
  reviewer: Reviewer,
  run: ReviewerRun,
  prepared: PreparedRun,
): Promise<ReviewerOutcome> {
  const { argv } = prepared;
  const startedAt = performance.now();
  let child: ReturnType<typeof spawnGroup>;
  try {
    child = spawnGroup(argv, prepared);
  } catch (cause) {
    const isFull = ["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"].includes(errorCode(cause) ?? "");
    const code = isFull ? "E_SPAWN_LATER" : "E_AGENT_MISSING";
    return unusable(new RoborevError(`cannot start ${argv[0]}: ${failureReason(cause)}`, { code, cause }));
  }
  const parser = reviewer.createParser();
  const stderrTail = new OutputTail(stderrTailBytes);
  const stop = stopper(child, run);
  try {
    run.onStart({ pid: child.pid, startTime: startTimeOf(child.pid) ?? "", argv });
  } catch (error) {
    await stop.now("canceled");
    throw error;
  }
  let size = 0;
  const stdout = drain(child.stdout, (chunk) => {
    size += chunk.length;
    if (size > maxOutputBytes) return void stop.now("flooded");
    run.onOutput(chunk);
    parser.feed(chunk);
  });
  const stderr = drain(child.stderr, (chunk) => {
    run.onOutput(chunk);
    stderrTail.feed(chunk);
  });
  const reading = Promise.all([stdout.done, stderr.done]);
  // An error of our own callbacks: nobody listens any more, so the process ends, and the caller gets the error below.
  reading.catch(() => stop.now("canceled"));
  const end = await stop.ended;
  try {
    // A descendant that left the group may still hold the pipes.
    await within(reading, pipeWaitMs);
  } finally {
    await Promise.all([stdout.cancel(), stderr.cancel()]);
  }
  const ended: EndedRun = {
    reviewer: reviewer.name,
    end,
    exit: child.exitCode ?? child.signalCode ?? "unknown",
    stderrTail: stderrTail.toString(),
    result: parser.end(),
    durationMs: Math.round(performance.now() - startedAt),
    timeoutMs: run.timeoutMs,
    now: new Date(),
  };
  return decideOutcome(ended);
}

/** Watches for the end of the run, brings it about when it is due, and leaves nothing of the group behind. */
function stopper(child: ReturnType<typeof spawnGroup>, run: ReviewerRun) {
  const stopped = Promise.withResolvers<void>();
  let end: EndedRun["end"] = "exited";
  let stopping = false;
  const now = (why: EndedRun["end"]): Promise<void> => {
    if (!stopping) {
      stopping = true;
      end = why;
      terminate(child).then(stopped.resolve, stopped.reject);
    }
    return stopped.promise;
  };
  const onAbort = () => void now("canceled");
  run.signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => void now("timeout"), run.timeoutMs);
  const ended = (async () => {
    await Promise.race([child.exited, stopped.promise]);
    clearTimeout(timer);
    run.signal.removeEventListener("abort", onAbort);
    if (stopping) await stopped.promise;
    killGroup(child.pid);
    if (stopping) run.onCutShort?.();
    return end;
  })();
  return { now, ended };
}
