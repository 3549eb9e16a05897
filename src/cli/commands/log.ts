import { lstat } from "node:fs/promises";
import { newestJob } from "../../client/daemon.ts";
import { waitForJob } from "../../client/wait-job.ts";
import { LogLines } from "../../fs/log-lines.ts";
import { errorCode, failureReason, RoborevError, UsageError } from "../../lib/errors.ts";
import { plural } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import { wholeNumber } from "../arguments.ts";
import { type Context, define } from "../command.ts";
import { connect } from "../connect.ts";
import { LogView } from "../log-view.ts";
import type { Output } from "../output.ts";
import { jobNumber } from "../target.ts";
import { stateText } from "./show.ts";

export const log = define({
  meta: { name: "log", description: "Print what the reviewer of a job printed while it worked." },
  args: {
    job: { type: "positional", description: "Number of the job, or clean" },
    raw: {
      type: "boolean",
      description: "As it was printed, on a terminal too, control characters included",
    },
    follow: { type: "boolean", alias: "f", description: "Go on until the job has ended" },
    path: { type: "boolean", description: "Only say where the log lies" },
    days: { type: "string", default: "7", valueHint: "n", description: "With clean: keep this many days" },
  },
  exclusive: [{ names: ["raw", "path"] }, { names: ["follow", "path"] }],
  details: `On a terminal the log reads like a conversation: what the reviewer said, and one line for each tool that it
    used. Elsewhere, and with --raw, it is what the reviewer printed, byte for byte.

    With --follow, a line is printed when it is complete; how the job ended is said on standard error. A job that
    is tried again begins its log anew.

    roborev log clean removes logs that are older than --days, 0 for all. The daemon does so every day with those
    that are older than seven days.`,
  exitCodes: { 0: "printed", 1: "there is no log, or no job to follow" },
  examples: [
    "roborev log 42",
    "roborev log 42 --follow",
    "roborev log 42 --path",
    "roborev log clean --days 3",
  ],
  async run(context) {
    const { args, flags, given, out } = context;
    if (args.job === "clean") return clean(context, args.days, given);
    if (given.has("days")) throw new UsageError("--days belongs to: roborev log clean");
    const id = jobNumber(args.job);
    const { jobLogPath } = await import("../../review/job-log.ts");
    const path = jobLogPath(context.paths().jobLogs, id);
    const isRaw = args.raw || !out.isTerminal;
    if (args.follow) {
      if (flags.json) throw new UsageError("--follow and --json cannot be used together");
      await follow(context, id, path, isRaw);
      return 0;
    }
    const size = await sizeOf(path, id);
    if (flags.json) out.json({ job_id: id, path, size_bytes: size });
    else if (args.path) out.print(path);
    else await print(path, out, isRaw);
    return 0;
  },
});

async function clean(context: Context, days: string, given: ReadonlySet<string>): Promise<number> {
  const odd = ["raw", "path", "follow"].find((name) => given.has(name));
  if (odd !== undefined) throw new UsageError(`--${odd} needs the number of a job`);
  const kept = wholeNumber(days, "--days", { min: 0, max: 3650 });
  const { dayMs, pruneJobLogs } = await import("../../review/log-retention.ts");
  const before = new Date(context.now().getTime() - kept * dayMs);
  const removed = await pruneJobLogs(context.paths().jobLogs, before);
  if (context.flags.json) context.out.json({ removed });
  else context.out.print(`Removed ${plural(removed, "log")}`);
  return 0;
}

async function sizeOf(path: string, id: number): Promise<number> {
  try {
    const stat = await lstat(path);
    if (stat.isFile()) return stat.size;
  } catch (cause) {
    if (errorCode(cause) !== "ENOENT") {
      throw new RoborevError(`cannot read ${path}: ${failureReason(cause)}`, { code: "E_READ", cause });
    }
  }
  throw new RoborevError(`there is no log of job ${id}`, {
    code: "E_NO_LOG",
    hint: "Its reviewer has not started, or the log was removed: they are kept for seven days.",
  });
}

/** Piece by piece, until nobody reads it any more: a log may be larger than memory. */
async function print(path: string, out: Output, raw: boolean): Promise<void> {
  const { recogniseReviewer } = await import("../../review/agents/render/recognise.ts");
  const reviewerOf = async (head: Uint8Array) => recogniseReviewer(head);
  const view = new LogView(new LogLines(path), out, { raw, reviewerOf });
  if (await view.showNext()) await view.showRest();
}

const followPauseMs = 200;

/** Goes on as long as the job does; what its reviewer printed last is in the log before the job has ended. */
async function follow(context: Context, id: number, path: string, raw: boolean): Promise<void> {
  const { out, signal } = context;
  const client = await connect(context);
  const view = new LogView(new LogLines(path), out, {
    raw,
    reviewerOf: async () => (await newestJob(client, { id }))?.agent,
  });
  const left = new AbortController();
  using _ = { [Symbol.dispose]: () => left.abort() };
  let ended: Job | undefined;
  const options = { signal: AbortSignal.any([signal, left.signal]), maxPauseMs: followPauseMs };
  const waiting = waitForJob(client, id, options).then((job) => {
    ended = job;
  });
  for (;;) {
    await Promise.race([waiting, Bun.sleep(followPauseMs)]);
    const job = ended;
    if (!(await view.showNext())) return;
    if (job === undefined) continue;
    await view.showRest();
    out.note(`Job ${id} ${stateText(job)}`);
    return;
  }
}
