import { decode, runGit } from "./exec.ts";
import { safeRevision } from "./revision.ts";

/** Two commits that the repository has, as full SHAs. */
export interface Containment {
  tip: string;
  commit: string;
}

/**
 * Of these pairs, those whose tip does not reach the commit: two git processes however many there are. Undefined when
 * git could not answer.
 */
export async function notContained<Pair extends Containment>(
  cwd: string,
  pairs: Pair[],
): Promise<Set<Pair> | undefined> {
  const doubtful = pairs.filter(({ tip, commit }) => tip !== commit);
  if (doubtful.length === 0) return new Set();
  const tips = [...new Set(doubtful.map(({ tip }) => tip))];
  const commits = [...new Set(doubtful.map(({ commit }) => commit))];
  const base = await commonAncestor(cwd, commits);
  if (base === undefined) return undefined;
  // All ways from a tip to one of the commits are descendants of `base`; what only its parents reach is left out.
  const stdin = [...tips.map(safeRevision), ...base.map((sha) => `^${safeRevision(sha)}^@`)].join("\n");
  const result = await runGit(["rev-list", "--topo-order", "--parents", "--stdin"], {
    cwd,
    stdin: `${stdin}\n`,
  });
  if (result.exitCode !== 0 || result.truncated) return undefined;
  const reachedBy = reachingTips(decode(result.stdout), tips, new Set(commits));
  const bits = new Map(tips.map((tip, index) => [tip, 1n << BigInt(index)]));
  return new Set(
    doubtful.filter(({ tip, commit }) => ((reachedBy.get(commit) ?? 0n) & (bits.get(tip) as bigint)) === 0n),
  );
}

/** By wanted commit a bit for each tip that reaches it, from a graph in which children stand before their parents. */
function reachingTips(graph: string, tips: string[], wanted: Set<string>): Map<string, bigint> {
  const reached = new Map(tips.map((tip, index) => [tip, 1n << BigInt(index)]));
  const found = new Map<string, bigint>();
  for (const line of graph.split("\n")) {
    const [commit, ...parents] = line.split(" ") as [string, ...string[]];
    const own = reached.get(commit) ?? 0n;
    reached.delete(commit);
    if (wanted.has(commit)) found.set(commit, own);
    for (const parent of parents) reached.set(parent, (reached.get(parent) ?? 0n) | own);
  }
  return found;
}

/** An ancestor of all of them, if there is one. */
async function commonAncestor(cwd: string, commits: string[]): Promise<string[] | undefined> {
  if (commits.length === 1) return commits;
  const result = await runGit(["merge-base", "--octopus", ...commits.map(safeRevision)], { cwd });
  if (result.exitCode === 1) return [];
  return result.exitCode === 0 ? [decode(result.stdout).trim()] : undefined;
}

const maxRemembered = 20_000;

export type FindNotContained = typeof notContained;

/** As `notContained`, but git is asked once about each pair: what a commit reaches never changes. */
export function rememberNotContained(find: FindNotContained = notContained): FindNotContained {
  const known = new Map<string, boolean>();
  return async (cwd, pairs) => {
    const keyOf = ({ tip, commit }: Containment) => `${cwd}\0${tip}${commit}`;
    const answer = new Set(pairs.filter((pair) => known.get(keyOf(pair))));
    const unknown = pairs.filter((pair) => !known.has(keyOf(pair)));
    const outside = await find(cwd, unknown);
    if (outside === undefined) return undefined;
    if (known.size + unknown.length > maxRemembered) known.clear();
    for (const pair of unknown) {
      known.set(keyOf(pair), outside.has(pair));
      if (outside.has(pair)) answer.add(pair);
    }
    return answer;
  };
}
