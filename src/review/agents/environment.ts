import { delimiter, isAbsolute, relative } from "node:path";
import { searchPath } from "./executable.ts";
import type { Environment } from "./reviewer.ts";

/**
 * What a reviewer must not inherit: our own settings and secrets, the git context of whoever started the daemon
 * (often a git hook), what would load code into its runtime, agents' sockets, the session of a coding agent.
 */
const dropped: readonly RegExp[] = [
  /^ROBOREV_/,
  /^GIT_(?!CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$)/,
  /^BUN_/,
  /^NODE_(?!EXTRA_CA_CERTS$|USE_SYSTEM_CA$|USE_ENV_PROXY$)/,
  /^npm_/,
  /^VSCODE_/,
  /^(?:INIT_CWD|ELECTRON_RUN_AS_NODE|SSH_AUTH_SOCK|SSH_AGENT_PID|AI_AGENT|PWD|OLDPWD)$/,
  // Set inside a session of Claude Code (measured with 2.1.332), and by its integrations.
  /^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_EFFORT|CLAUDE_ENV_FILE|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_\w+)$/,
  /^CLAUDE_CODE_(?:CHILD|SESSION|MESSAGING|ENTRYPOINT|EXECPATH|SSE_PORT|SUBAGENT_MODEL|REMOTE|SIMPLE|SAFE_MODE)/,
  // Set inside a shell of Codex (measured with 0.171.0).
  /^CODEX_(?:SANDBOX|SESSION_ID|THREAD_ID|TOOL_CALL_ID|CI$|VERSION$|APPLY_PATCH)/,
];

/** The environment that every reviewer starts from. */
export function reviewerEnvironment(
  env: Environment,
  task: { jobId: number; cwd: string; command: readonly string[] },
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !dropped.some((pattern) => pattern.test(name))) kept[name] = value;
  }
  return {
    ...kept,
    PATH: safePath(env, task.cwd),
    PWD: task.cwd,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // Recursion guard: our hook and `post-commit` see it and do nothing.
    ROBOREV_REVIEW_JOB: String(task.jobId),
  };
}

/** Programs are found as `findExecutable` finds them, but never in the checkout under review: not even `node`. */
function safePath(env: Environment, cwd: string): string {
  return searchPath(env)
    .filter((directory) => !isWithin(directory, cwd))
    .join(delimiter);
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}
