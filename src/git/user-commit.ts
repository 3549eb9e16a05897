import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../lib/errors.ts";
import { runUserGit, type UserGitOptions } from "./as-user.ts";
import { decode, gitError } from "./exec.ts";

/** A hook that said no, and all that the attempt printed. */
export interface HookRefusal {
  hook: string;
  output: string;
}

/** How a commit is made. */
export interface CommitOptions extends UserGitOptions {
  /** `Name <mail>`; default: the user. */
  author?: string;
  /** `Name <mail>`, for a line at the end of the message. */
  coAuthor?: string;
  scratchDirectory: string;
}

/**
 * Commits what is staged in the user's name, hooks included. Undefined when the commit was made; a refusal when a hook
 * is why there is none. Everything else that keeps git from committing is an error.
 */
export async function commitStaged(
  message: string,
  options: CommitOptions,
): Promise<HookRefusal | undefined> {
  const { scratchDirectory, author, coAuthor, ...git } = options;
  const scratch = await mkdtemp(join(scratchDirectory, "commit-"));
  const trace = join(scratch, "trace");
  try {
    // What a user has configured for messages that an editor shows is not for this one: `#` may begin a line of it.
    const args = ["commit", "--quiet", "--no-edit", "--cleanup=whitespace", "--file=-"];
    if (author !== undefined) args.push(`--author=${author}`);
    const stdin = coAuthor === undefined ? message : `${message.trimEnd()}\n\nCo-authored-by: ${coAuthor}\n`;
    // The trace says which child was a hook, and how it ended: https://git-scm.com/docs/api-trace2
    const result = await runUserGit(args, { ...git, stdin, variables: { GIT_TRACE2_EVENT: trace } });
    if (result.exitCode === 0) return undefined;
    const hook = result.timedOut || git.signal?.aborted ? undefined : failedHook(await traceText(trace));
    if (hook === undefined) throw gitError(args, git.cwd, result);
    return { hook, output: [decode(result.stdout), result.stderr].join("\n").trim() };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function traceText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return ""; // git ended before it began
    throw error;
  }
}

/** Name of the hook of the outermost git that ended with an error, from the lines of its trace. */
export function failedHook(trace: string): string | undefined {
  const hooks = new Map<unknown, string>();
  let failed: string | undefined;
  for (const line of trace.split("\n")) {
    const event = eventOf(line);
    // A git that a hook starts writes to the same file, and has its parent in its name.
    if (event === undefined || String(event.sid).includes("/")) continue;
    if (event.event === "child_start" && event.child_class === "hook") {
      hooks.set(event.child_id, String(event.hook_name ?? "a hook"));
    }
    const ended = event.event === "child_exit" && event.code !== 0 ? hooks.get(event.child_id) : undefined;
    failed = ended ?? failed;
  }
  return failed;
}

function eventOf(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // a line that was cut off
  }
}
