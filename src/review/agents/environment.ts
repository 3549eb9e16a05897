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
  // Set by the other coding agents for what they run (measured through their hooks).
  /^(?:GEMINI_CLI|GEMINI_(?:PROJECT_DIR|CWD|SESSION_ID|PLANS_DIR)|QWEN_CODE|QWEN_(?:PROJECT_DIR|CODE_(?:SESSION_ID|PROMPT_ID|PROJECT_DIR)))$/,
  /^(?:COPILOT_(?:CLI\w*|PROJECT_DIR|HOOK_DIR)|GROK_(?:HOOK_\w+|SESSION_ID|WORKSPACE_ROOT))$/,
  /^(?:FACTORY_PROJECT_DIR|DROID_PROJECT_DIR|HERMES_SESSION_ID|TERMINAL_CWD|OPENCODE|OPENCODE_PID)$/,
  /^(?:CURSOR_(?:AGENT|PROJECT_DIR|TRACE_ID|TRANSCRIPT_PATH|VERSION))$/,
  // Would make a program trust, approve or load what the checkout brings along, or act as an administrator says.
  /^(?:COPILOT_ALLOW_ALL|COPILOT_CUSTOM_INSTRUCTIONS_DIRS|GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS)$/,
  /^(?:GEMINI_CLI_TRUST_WORKSPACE|GROK_FOLDER_TRUST|HERMES_(?:ACCEPT_HOOKS|ENABLE_PROJECT_PLUGINS|YOLO_MODE))$/,
];

/**
 * What a fixer is left: its commits are the user's own, by name and signature, and their git hook has to find the
 * daemon that the user talks to.
 */
const keptForFixes =
  /^(?:ROBOREV_(?:DATA_DIR|SERVER)|SSH_AUTH_SOCK|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL))$/;

/** The environment that every reviewer starts from. */
export function reviewerEnvironment(
  env: Environment,
  task: { jobId: number; cwd: string; agentic?: boolean },
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isKept = task.agentic === true && keptForFixes.test(name);
    if (value !== undefined && (isKept || !dropped.some((pattern) => pattern.test(name)))) kept[name] = value;
  }
  return {
    ...kept,
    // A fixer runs what the checkout holds in any case: its tests. What the user has on PATH for them stays.
    PATH: task.agentic === true ? searchPath(env).join(delimiter) : safePath(env, task.cwd),
    PWD: task.cwd,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // Recursion guard: our hook, and for reviews `post-commit` as well, see it and do nothing.
    [task.agentic === true ? "ROBOREV_FIX_JOB" : "ROBOREV_REVIEW_JOB"]: String(task.jobId),
  };
}

/** Programs are found as `findExecutable` finds them, but never in the checkout under review: not even `node`. */
export function safePath(env: Environment, cwd: string): string {
  return searchPath(env)
    .filter((directory) => !isWithin(directory, cwd))
    .join(delimiter);
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}
