import { decode, gitError, runGit } from "./exec.ts";
import { safeRevision } from "./revision.ts";

export interface MadeCommitsQuery {
  from: string;
  to: string;
  /** `unpublished`: no remote-tracking ref reaches it. `made`: made at `sinceMs` or later. `either`: one of the two. */
  rule: "unpublished" | "made" | "either";
  sinceMs?: number;
}

const limitMs = 2000;
const maxCommits = 1000;

/**
 * First-parent commits that `to` has and `from` has not, oldest first, as far as they count. Git's time of a commit
 * has whole seconds, so that one made shortly before `sinceMs` may pass for made after it.
 */
export async function madeCommits(cwd: string, query: MadeCommitsQuery): Promise<string[]> {
  const all = await timedCommits(cwd, query, []);
  const since = Math.floor((query.sinceMs ?? Number.POSITIVE_INFINITY) / 1000);
  const isMade = ({ seconds }: TimedCommit) => seconds >= since;
  if (query.rule === "made") return shasOf(all.filter(isMade));
  if (all.length === 0 || (query.rule === "either" && all.every(isMade))) return shasOf(all);
  const unpublished = new Set(shasOf(await timedCommits(cwd, query, ["--not", "--remotes"])));
  return shasOf(
    all.filter((commit) => unpublished.has(commit.sha) || (query.rule === "either" && isMade(commit))),
  );
}

interface TimedCommit {
  sha: string;
  /** Committer's time. */
  seconds: number;
}

async function timedCommits(
  cwd: string,
  { from, to }: MadeCommitsQuery,
  more: string[],
): Promise<TimedCommit[]> {
  const range = [safeRevision(to), `^${safeRevision(from)}`];
  const args = [
    "rev-list",
    "--first-parent",
    "--timestamp",
    `--max-count=${maxCommits}`,
    ...range,
    ...more,
    "--",
  ];
  const result = await runGit(args, { cwd, timeoutMs: limitMs });
  if (result.exitCode !== 0 || result.truncated) throw gitError(args, cwd, result);
  return decode(result.stdout)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [seconds = "", sha = ""] = line.split(" ");
      return { sha, seconds: Number(seconds) };
    })
    .reverse();
}

const shasOf = (commits: TimedCommit[]): string[] => commits.map(({ sha }) => sha);
