import { statSync } from "node:fs";
import type { DaemonClient } from "../client/daemon.ts";
import type { Checkout } from "../git/checkout.ts";
import { missingCommits } from "../git/reachability.ts";
import { isFullSha } from "../git/revision.ts";
import { errorCode } from "../lib/errors.ts";
import { shellWord } from "../lib/shell-word.ts";
import { singleLine } from "../lib/text.ts";
import type { KnownRepo } from "./known-repo.ts";

const newestJobs = 20;

/** Repositories whose directory is no more: it was moved, or deleted. */
export const goneRepos = (repos: readonly KnownRepo[]): KnownRepo[] =>
  repos.filter(({ active, root_path }) => active && isGone(root_path));

function isGone(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch (error) {
    // One that may not be looked at, or lies on a disk that does not answer, is none that is gone.
    return ["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "");
  }
}

/** Those of them that were moved to this working tree: the newest commit that was reviewed there is here. */
export async function movedHere(
  client: Pick<DaemonClient, "jobs">,
  gone: readonly KnownRepo[],
  { worktreeRoot }: Checkout,
): Promise<KnownRepo[]> {
  const newest = new Map<KnownRepo, string>();
  for (const repo of gone) {
    const { jobs } = await client.jobs({ repo: repo.root_path, limit: newestJobs });
    const sha = jobs.map(({ git_ref }) => git_ref.replace(/^.*\.\./, "")).find(isFullSha);
    if (sha !== undefined) newest.set(repo, sha);
  }
  if (newest.size === 0) return [];
  const missing = await missingCommits(worktreeRoot, [...newest.values()]);
  if (missing === undefined) return [];
  return [...newest].flatMap(([repo, sha]) => (missing.has(sha) ? [] : [repo]));
}

/** The command that takes its jobs along to where it lies now. */
export const takeAlong = (
  { root_path: from }: KnownRepo,
  { mainRoot: to }: Checkout,
  repos: readonly KnownRepo[],
): string => {
  const verb = repos.some(({ root_path }) => root_path === to) ? "merge" : "move";
  return `roborev repo ${verb} ${shellWord(from)} ${shellWord(to)}`;
};

/** What to say where nothing is found in a repository that was moved here. */
export async function movedHint(
  client: Pick<DaemonClient, "jobs" | "repos">,
  checkout: Checkout,
): Promise<string | undefined> {
  const { repos } = await client.repos();
  const [repo] = await movedHere(client, goneRepos(repos), checkout);
  if (repo === undefined) return undefined;
  return `It was at ${singleLine(repo.root_path)}. Take its reviews along with: ${takeAlong(repo, checkout, repos)}`;
}
