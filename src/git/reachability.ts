import { decode, runGit } from "./exec.ts";
import { safeRevision } from "./revision.ts";

/**
 * Which of these commits `tip` does not reach, with one git process however many there are. A commit that the
 * repository does not have is not reachable. Undefined when git could not answer.
 */
export async function unreachableFrom(
  cwd: string,
  shas: string[],
  tip: string,
): Promise<Set<string> | undefined> {
  const wanted = [...new Set(shas)];
  const missing = await missingCommits(cwd, wanted);
  if (missing === undefined) return undefined;
  const present = wanted.filter((sha) => !missing.has(sha));
  if (present.length === 0) return missing;
  // What `tip` reaches is left out of the answer; a wanted commit that is in it is therefore not reached.
  const stdin = `${present.map(safeRevision).join("\n")}\n^${safeRevision(tip)}\n`;
  const result = await runGit(["rev-list", "--stdin"], { cwd, stdin });
  if (result.exitCode !== 0 || result.truncated) return undefined;
  const outside = new Set(decode(result.stdout).split("\n"));
  return new Set([...missing, ...present.filter((sha) => outside.has(sha))]);
}

/** Which of these commits the repository does not have; undefined when git could not answer. */
export async function missingCommits(cwd: string, shas: string[]): Promise<Set<string> | undefined> {
  const stdin = `${shas.map((sha) => `${safeRevision(sha)}^{commit}`).join("\n")}\n`;
  const result = await runGit(["cat-file", "--batch-check=%(objectname)"], { cwd, stdin });
  if (result.exitCode !== 0) return undefined;
  const lines = decode(result.stdout).split("\n");
  return new Set(shas.filter((_, index) => /missing$|ambiguous$/.test(lines[index] ?? "missing")));
}
