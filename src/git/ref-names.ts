import { decode, runGit } from "./exec.ts";

/** Names of the local branches, those with the newest commits first; none where there is no repository. */
export const branchNames = (cwd: string, limit: number): Promise<string[]> =>
  names(cwd, limit, ["refs/heads"]);

/** The same for all that names a commit: branches, remote ones too, and tags. */
export const refNames = (cwd: string, limit: number): Promise<string[]> =>
  names(cwd, limit, ["refs/heads", "refs/remotes", "refs/tags"]);

async function names(cwd: string, limit: number, places: string[]): Promise<string[]> {
  const format = ["--format=%(refname:lstrip=2)", "--sort=-committerdate", `--count=${limit}`];
  const result = await runGit(["for-each-ref", ...format, ...places], { cwd, timeoutMs: 2000 });
  return result.exitCode === 0 ? decode(result.stdout).split("\n").filter(Boolean) : [];
}
