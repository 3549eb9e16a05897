import { type RunResult, runProcess } from "../lib/process.ts";
import { gitError } from "./exec.ts";

export interface UserGitOptions {
  cwd: string;
  /** The user's own environment. */
  env: Record<string, string | undefined>;
  timeoutMs: number;
  stdin?: string | Uint8Array;
  signal?: AbortSignal;
  /** Additions to the environment. */
  variables?: Record<string, string>;
}

/** What git would take for another repository, another commit, or the date of one: only who the user is stays. */
const ofAnotherPlace = /^GIT_(?!(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)$|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$)/;

/**
 * Git as its user runs it: with hooks, filters and signatures, in the user's environment. For what a command does to
 * the user's working tree in the user's name, who called it for that; never to look at a repository.
 */
export async function runUserGit(args: string[], options: UserGitOptions): Promise<RunResult> {
  const { cwd, env, timeoutMs, stdin, signal, variables } = options;
  const kept = Object.entries(env).filter(([name]) => !ofAnotherPlace.test(name));
  return runProcess(["git", "--no-pager", ...args], {
    // A git that is killed leaves its lock files behind.
    ...{ cwd, timeoutMs, graceMs: 3_000 },
    ...(stdin === undefined ? {} : { stdin }),
    ...(signal === undefined ? {} : { signal }),
    env: { ...Object.fromEntries(kept), GIT_EDITOR: "true", GIT_TERMINAL_PROMPT: "0", ...variables },
  });
}

/** As `runUserGit`; throws E_GIT with git's reason unless it succeeds. */
export async function runUserGitChecked(args: string[], options: UserGitOptions): Promise<RunResult> {
  const result = await runUserGit(args, options);
  if (result.exitCode !== 0 || result.truncated) throw gitError(args, options.cwd, result);
  return result;
}
