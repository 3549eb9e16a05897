import { createDaemonClient } from "../client/daemon.ts";
import { type EnsureOptions, ensureDaemon } from "../client/ensure.ts";
import { DaemonRefusal } from "../client/refusal.ts";
import { daemonSocketPath } from "../client/socket-path.ts";
import type { DataPaths } from "../config/paths.ts";
import { type Checkout, resolveCheckout } from "../git/checkout.ts";
import { branchRange } from "../git/range.ts";
import { isRebaseInProgress } from "../git/state.ts";
import { errorMessage, neverReviewable } from "../lib/errors.ts";
import { truncateUtf8 } from "../lib/text.ts";
import { type Budget, createBudget } from "./budget.ts";
import { type CommitLogEntry, logCommit, recordMissedCommit } from "./commit-log.ts";
import { readRepoConfig } from "./repo-config.ts";

export interface HookCommitOptions {
  directory: string;
  paths: DataPaths;
  /** Another daemon than the data directory's own; it is never started. */
  socket?: string | undefined;
  base?: string | undefined;
  env: Record<string, string | undefined>;
  now(): Date;
  /** For git, the start of a daemon and the request together. Default 2.5 s. */
  budgetMs?: number;
  launch?: EnsureOptions["launch"];
}

/** Kept back from a daemon's start for the request itself. */
const requestMs = 400;

/**
 * Queues a review of the commit that HEAD names. Rejects only where not even the log can be written; a commit that
 * did not reach the daemon in time is left for it in missed-commits.jsonl.
 */
export async function enqueueNewestCommit(options: HookCommitOptions): Promise<void> {
  const budget = createBudget(options.budgetMs ?? 2500);
  const note = (repo: string, outcome: CommitLogEntry["outcome"], message: string) =>
    logCommit(options.paths, options.now(), { repo, outcome, message });
  if (options.env.ROBOREV_REVIEW_JOB) return note(options.directory, "skip", "inside a reviewer");
  let checkout: Checkout | undefined;
  try {
    checkout = await budget.within("git did not answer", resolveCheckout(options.directory));
  } catch (error) {
    return note(options.directory, "fail", errorMessage(error));
  }
  if (checkout === undefined) return note(options.directory, "skip", "not a git repository");
  const repo = checkout.worktreeRoot;
  if (isRebaseInProgress(checkout)) return note(repo, "skip", "rebase in progress");
  if (checkout.head === undefined) return note(repo, "skip", "no commit yet");
  const { head, branch } = checkout;
  try {
    const answer = await send(options, checkout, head, budget);
    await note(
      repo,
      "skipped" in answer ? "skip" : "ok",
      "skipped" in answer ? answer.reason : `job ${answer.id}`,
    );
  } catch (error) {
    // Everything else can change: the daemon comes up, a configuration is mended, a reviewer is installed.
    const decided =
      error instanceof DaemonRefusal &&
      error.status < 500 &&
      (error.code.startsWith("E_HTTP") || neverReviewable.includes(error.code));
    if (!decided) await recordMissedCommit(options.paths, options.now(), { repo, sha: head, branch });
    await note(repo, "fail", truncateUtf8(errorMessage(error), 200));
  }
}

async function send(options: HookCommitOptions, checkout: Checkout, head: string, budget: Budget) {
  const gitRef = await hookRef(options, checkout, head, budget);
  const { socket, paths } = options;
  const connecting = ensureDaemon({
    paths,
    client: createDaemonClient(socket ?? daemonSocketPath(paths.dataDir)),
    autostart: socket === undefined,
    mayRestart: false,
    startTimeoutMs: Math.max(1, budget.leftMs() - requestMs),
    env: options.env,
    ...(options.launch ? { launch: options.launch } : {}),
  });
  const client = await budget.within("the daemon was not ready", connecting);
  return client.enqueue(
    {
      repo_path: checkout.worktreeRoot,
      git_ref: gitRef,
      ...(checkout.branch ? { branch: checkout.branch } : {}),
      source: "post_commit",
    },
    Math.max(1, budget.leftMs()),
  );
}

/** The commit; with `post_commit_review = "branch"` the branch up to it, where that can be told. */
async function hookRef(
  options: HookCommitOptions,
  checkout: Checkout,
  head: string,
  budget: Budget,
): Promise<string> {
  try {
    const { post_commit_review } = await readRepoConfig(checkout);
    if (post_commit_review !== "branch" || checkout.branch === "") return head;
    const base = options.base ? { base: options.base } : {};
    const range = await budget.within("git did not answer", branchRange(checkout, base));
    return `${range.base}..${head}`;
  } catch {
    // On the base branch, no known base, a broken file: the commit alone is still right, and the daemon names a broken file.
    return head;
  }
}
