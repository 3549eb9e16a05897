import { open } from "node:fs/promises";
import type { Checkout } from "../../git/checkout.ts";
import { errorCode } from "../../lib/errors.ts";
import { elapsedText } from "../../lib/job-text.ts";
import { plural } from "../../lib/text.ts";
import type { Context } from "../command.ts";
import type { CommitLogEntry } from "../commit-log.ts";
import { type Check, type Finding, warning } from "./finding.ts";
import { type HeadReview, judgeHeadReview, probeHeadReview } from "./head-review.ts";

export type LoggedCommit = CommitLogEntry & { ts: string };

/** What the git hooks did of late. */
export interface RecentCommits {
  /** The end of post-commit.log, in its order. */
  entries: LoggedCommit[];
  /** Commits that wait for a daemon. */
  waiting: number;
  /** Top of the working tree that is looked at. */
  here?: string;
  head?: HeadReview;
}

const tailBytes = 256 * 1024;

export async function probeRecentCommits(
  context: Context,
  checkout: Checkout | undefined,
): Promise<RecentCommits> {
  const paths = context.paths();
  const [log, missed] = await Promise.all([tailLines(paths.postCommitLog), tailLines(paths.missedCommits)]);
  const head = await probeHeadReview(context, checkout);
  return {
    ...{ entries: log.flatMap(entryOf), waiting: missed.length },
    ...(checkout === undefined ? {} : { here: checkout.worktreeRoot }),
    ...(head === undefined ? {} : { head }),
  };
}

/** Whole lines at the end of a file; none where there is no file. */
async function tailLines(path: string): Promise<string[]> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "r");
  } catch (failure) {
    if (errorCode(failure) === "ENOENT" || errorCode(failure) === "ENOTDIR") return [];
    throw failure;
  }
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.subarray(0, bytesRead).toString("utf8").split("\n").filter(Boolean);
    return start > 0 ? lines.slice(1) : lines;
  } finally {
    await file.close();
  }
}

function entryOf(line: string): LoggedCommit[] {
  try {
    const { ts, repo, outcome, message } = JSON.parse(line);
    const texts = [ts, repo, outcome, message].every((value) => typeof value === "string");
    return texts ? [{ ts, repo, outcome, message }] : [];
  } catch {
    return []; // a line that was cut, or is of an earlier release
  }
}

const keptMs = 7 * 24 * 3_600_000;
const maxRepos = 5;

/** A repository is in trouble whose newest commit failed: what failed before a success is history. */
export function judgeRecentCommits({ entries, waiting, here, head }: RecentCommits, now: Date): Check {
  const newest = new Map<string, LoggedCommit>();
  const failures = new Map<string, number>();
  for (const entry of entries) {
    newest.set(entry.repo, entry);
    failures.set(entry.repo, entry.outcome === "fail" ? (failures.get(entry.repo) ?? 0) + 1 : 0);
  }
  const failed = [...newest.values()].filter(
    ({ outcome, ts }) => outcome === "fail" && now.getTime() - Date.parse(ts) < keptMs,
  );
  const last = entries.findLast(({ repo }) => here === undefined || repo === here);
  const findings: Finding[] = failed.slice(-maxRepos).map(({ repo, ts, message }) => {
    const count = failures.get(repo) ?? 1;
    const what = count === 1 ? "the newest commit" : `the last ${count} commits`;
    const ago = elapsedText(now.getTime() - Date.parse(ts));
    return warning(
      "commit-failed",
      `${what} in ${repo} did not get to the daemon at once, ${ago} ago: ${message}`,
      "roborev list says whether it was reviewed since; roborev review queues it by hand.",
    );
  });
  if (waiting > 0)
    findings.push(
      warning(
        "commits-waiting",
        `${plural(waiting, "commit waits", "commits wait")} for a daemon`,
        "roborev daemon start",
        {
          mend: { do: "start-daemon" },
        },
      ),
    );
  findings.push(...(waiting > 0 ? [] : judgeHeadReview(head, entries)));
  return {
    name: "commits",
    title: "Last commits",
    summary:
      last === undefined
        ? "none yet"
        : `the newest ${elapsedText(now.getTime() - Date.parse(last.ts))} ago: ${last.message}`,
    findings,
  };
}
