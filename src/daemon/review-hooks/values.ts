import { delimiter, relative } from "node:path";
import { truncateUtf8 } from "../../lib/text.ts";
import { safePath } from "../../review/agents/environment.ts";
import { searchPath } from "../../review/agents/executable.ts";
import type { JobEvent } from "../api/event.ts";

/** Longest value of a variable: the system takes 128 KiB. The whole text is on standard input. */
const maxValueBytes = 64 * 1024;

/** What a hook's command may write in braces, and which field of the event that is. */
const fields = {
  event: "type",
  job_id: "job_id",
  repo: "repo",
  repo_name: "repo_name",
  sha: "sha",
  branch: "branch",
  agent: "agent",
  verdict: "verdict",
  findings: "findings",
  error: "error",
  worktree: "worktree_path",
} as const satisfies Record<string, keyof JobEvent>;

const names = Object.keys(fields) as (keyof typeof fields)[];
const variableOf = (name: string) => `ROBOREV_${name.toUpperCase()}`;

/** Names of the variables that a hook is given. */
export const hookVariableNames: readonly string[] = names.map(variableOf);

/** Every variable, an empty one where the event has no such field. */
export function hookVariables(event: JobEvent): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = String(event[fields[name]] ?? "").replaceAll("\0", "");
      return [variableOf(name), truncateUtf8(value, maxValueBytes)];
    }),
  );
}

/** Not a hook's business: the repository of whoever started the daemon, our own settings, what loads code into Bun and Node. */
const dropped =
  /^(?:ROBOREV_|BUN_|NODE_OPTIONS$|npm_|INIT_CWD$|PWD$|OLDPWD$|GIT_(?!CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$))/;

/**
 * The environment of a hook: the daemon's, with the event in it. `roborev` in a hook talks to this daemon, and no program
 * is looked up in the checkout.
 */
export function hookEnvironment(
  env: Record<string, string | undefined>,
  event: JobEvent,
  { dataDir, cwd }: { dataDir: string; cwd: string },
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !dropped.test(entry[0]),
  );
  const own = { PATH: pathOf(env, cwd), ROBOREV_DATA_DIR: dataDir };
  return { ...Object.fromEntries(kept), ...own, ...hookVariables(event) };
}

/** In a checkout that is the home directory, as some keep their settings, the user's own programs lie in it. */
function pathOf(env: Record<string, string | undefined>, cwd: string): string {
  const isHome = env.HOME !== undefined && !relative(cwd, env.HOME).startsWith("..");
  return isHome ? searchPath(env).join(delimiter) : safePath(env, cwd);
}

const placeholder = new RegExp(`^\\{(${names.join("|")})\\}`);

// Commands that read what stands in double quotes as code once more; `eval` does so with every word.
const evaluates = /\b(?:eval|ssh|su|(?:ba|da|z|k|a|fi)?sh\s+(?:-\S+\s+)*-\w*c)\b/;

/**
 * Replaces `{sha}` and its like. A value never becomes part of the command's text, where findings like `'; rm -rf ~; '`
 * could end a quote that the user wrote around it: in its place comes its variable, quoted so that it is one word. The
 * number of the job is put in as it is.
 */
export function fillTemplate(command: string, jobId: number): string {
  let quote: "" | "'" | '"' = "";
  let filled = "";
  for (let at = 0; at < command.length; ) {
    const char = command[at] as string;
    const name = command[at - 1] === "$" ? undefined : placeholder.exec(command.slice(at, at + 16))?.[1];
    if (name !== undefined) {
      filled += name === "job_id" ? String(jobId) : reference(variableOf(name), quote, command);
      at += name.length + 2;
      continue;
    }
    const isEscape = char === "\\" && quote !== "'";
    if (char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) quote = char;
    filled += isEscape ? command.slice(at, at + 2) : char;
    at += isEscape ? 2 : 1;
  }
  return filled;
}

/** Within single quotes, only a shell that is called with this text replaces it, and then as one word. */
function reference(variable: string, quote: "" | "'" | '"', command: string): string {
  const value = `\${${variable}}`;
  const later = `\\${value}`;
  if (quote === '"') return evaluates.test(command) ? later : value;
  return `"${quote === "" && /\beval\b/.test(command) ? later : value}"`;
}
