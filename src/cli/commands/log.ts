import { createReadStream } from "node:fs";
import { lstat } from "node:fs/promises";
import { errorCode, failureReason, RoborevError, UsageError } from "../../lib/errors.ts";
import { plural, safeMultiline } from "../../lib/text.ts";
import { wholeNumber } from "../arguments.ts";
import { type Context, define } from "../command.ts";
import type { Output } from "../output.ts";
import { jobNumber } from "../target.ts";

export const log = define({
  meta: { name: "log", description: "Print what the reviewer of a job printed while it worked." },
  args: {
    job: { type: "positional", description: "Number of the job, or clean" },
    raw: { type: "boolean", description: "As it was printed, control characters included" },
    path: { type: "boolean", description: "Only say where the log lies" },
    days: { type: "string", default: "7", valueHint: "n", description: "With clean: keep this many days" },
  },
  exclusive: [{ names: ["raw", "path"] }],
  details: `roborev log clean removes logs that are older than --days, 0 for all. The daemon does so every day with those
    that are older than seven days.`,
  exitCodes: { 0: "printed", 1: "there is no log" },
  examples: ["roborev log 42", "roborev log 42 --path", "roborev log clean --days 3"],
  async run(context) {
    const { args, flags, given, out } = context;
    if (args.job === "clean") return clean(context, args.days, given);
    if (given.has("days")) throw new UsageError("--days belongs to: roborev log clean");
    const id = jobNumber(args.job);
    const { jobLogPath } = await import("../../review/job-log.ts");
    const path = jobLogPath(context.paths().jobLogs, id);
    const size = await sizeOf(path, id);
    if (flags.json) out.json({ job_id: id, path, size_bytes: size });
    else if (args.path) out.print(path);
    else await print(path, out, args.raw);
    return 0;
  },
});

async function clean(context: Context, days: string, given: ReadonlySet<string>): Promise<number> {
  const odd = ["raw", "path"].find((name) => given.has(name));
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

/** Whole lines at a time, until nobody reads them any more: a log may be larger than memory. */
async function print(path: string, out: Output, raw: boolean): Promise<void> {
  const shown = raw ? (text: string) => text : safeMultiline;
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of createReadStream(path)) {
      const text = rest + decoder.decode(chunk as Buffer, { stream: true });
      const end = text.lastIndexOf("\n");
      rest = text.slice(end + 1);
      if (end >= 0 && !(await out.send(shown(text.slice(0, end))))) return;
    }
  } catch (cause) {
    throw new RoborevError(`cannot read ${path}: ${failureReason(cause)}`, { code: "E_READ", cause });
  }
  rest += decoder.decode();
  if (rest !== "") await out.send(shown(rest));
}
