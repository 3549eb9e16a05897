import { type DaemonClient, type JobQuery, newestJob } from "../client/daemon.ts";
import type { Checkout } from "../git/checkout.ts";
import { resolveCommit } from "../git/commit.ts";
import { RoborevError, UsageError } from "../lib/errors.ts";
import { endsAt, shortRef } from "../lib/job-text.ts";
import type { Job, JobStatus } from "../store/schema.ts";
import { typed } from "./arguments.ts";

/** What a `job|ref` argument means. */
export type Target = { kind: "job"; id: number } | { kind: "ref"; ref: string; label: string };

/** The number of a job. */
export function jobNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`not a job number: ${typed(text) || "(empty)"}`, {
    hint: "roborev list shows the numbers.",
  });
}

/**
 * A commit if git knows the word, else a job number: a digit-only word may be the start of a SHA. `forceJob` is
 * `--job`. Nothing given means HEAD.
 */
export async function resolveTarget(
  word: string | undefined,
  checkout: Checkout | undefined,
  options: { forceJob: boolean },
): Promise<Target> {
  if (options.forceJob) {
    if (word === undefined) throw new UsageError("--job needs the number of a job");
    return { kind: "job", id: jobNumber(word) };
  }
  if (checkout === undefined) {
    if (word !== undefined && /^\d+$/.test(word)) return { kind: "job", id: jobNumber(word) };
    throw new RoborevError(
      word === undefined ? "this is not a git repository" : `${typed(word)} needs a git repository`,
      { code: "E_NOT_A_REPO", hint: "Name a job by its number, or run this inside a repository." },
    );
  }
  const ref = word ?? "HEAD";
  if (ref === "dirty") return { kind: "ref", ref, label: ref };
  if (ref.includes("..")) return rangeTarget(ref, checkout);
  const sha = await resolveCommit(checkout.worktreeRoot, ref);
  if (sha !== undefined) return { kind: "ref", ref: sha, label: shortRef(sha) };
  if (/^\d+$/.test(ref)) return { kind: "job", id: jobNumber(ref) };
  if (word === undefined) {
    throw new RoborevError("this repository has no commit yet", {
      code: "E_UNKNOWN_REF",
      hint: "Commit something first, or name a job by its number.",
    });
  }
  throw new RoborevError(`${typed(ref)} is neither a commit nor a job number`, {
    code: "E_UNKNOWN_REF",
    hint: "roborev list shows the numbers.",
  });
}

async function rangeTarget(range: string, checkout: Checkout): Promise<Target> {
  const [from, to] = range.split("..", 2) as [string, string];
  const base = await resolveCommit(checkout.worktreeRoot, from || "HEAD");
  const head = await resolveCommit(checkout.worktreeRoot, to || "HEAD");
  if (base === undefined || head === undefined) {
    throw new RoborevError(`${typed(range)} is not a range of commits`, { code: "E_UNKNOWN_REF" });
  }
  const ref = `${base}..${head}`;
  return { kind: "ref", ref, label: shortRef(ref) };
}

/**
 * The newest job of a target, of this status if one is given: in this repository, where the newest one of a range that
 * ends with a commit speaks for it if it has none; else anywhere (the same repository under another path).
 */
export async function findJob(
  client: DaemonClient,
  target: Target,
  checkout: Checkout | undefined,
  status?: JobStatus,
): Promise<Job | undefined> {
  const of = status === undefined ? {} : { status };
  if (target.kind === "job") return newestJob(client, { ...of, id: target.id });
  const { ref } = target;
  const here = checkout && (await jobHere(client, ref, { ...of, repo: checkout.mainRoot }));
  return here || ref === "dirty" ? here : newestJob(client, { ...of, git_ref: ref });
}

async function jobHere(client: DaemonClient, ref: string, query: JobQuery): Promise<Job | undefined> {
  const own = await newestJob(client, { ...query, git_ref: ref });
  if (own || ref === "dirty" || ref.includes("..")) return own;
  const upTo = await newestJob(client, { ...query, range_end: ref });
  return upTo && endsAt(upTo, ref) ? upTo : undefined; // an older daemon knows no ends, and answers with any job
}
