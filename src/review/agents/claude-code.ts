import { homedir } from "node:os";
import { join } from "node:path";
import type { ReasoningLevel } from "../../config/reasoning.ts";
import type { Environment, Isolation, Reviewer } from "./reviewer.ts";
import { checkedModel, resumable } from "./reviewer-arguments.ts";
import { claudeStream } from "./stream/claude.ts";
import { isObject } from "./stream/parser.ts";

const efforts: Record<ReasoningLevel, string> = {
  fast: "low",
  standard: "medium",
  medium: "medium",
  thorough: "high",
  maximum: "max",
};

/** Tools that only look. `--tools` leaves out all others; before it existed they had to be denied by name. */
const readTools = "Read,Glob,Grep";
const otherTools =
  "Bash,Edit,MultiEdit,Write,NotebookEdit,WebFetch,WebSearch,Task,Agent,Skill,SlashCommand,KillShell,BashOutput";

/**
 * Nothing of the checkout may run. Measured with 2.1.332 (test/e2e/reviewer): under `-p` the project's hooks, its MCP
 * servers and its `apiKeyHelper` all run unasked; `--safe-mode` still runs the `apiKeyHelper`, and only leaving the
 * project's and local settings out stops it. The user's settings stay, because they may hold the login and the
 * provider; hooks, MCP servers, skills and plugins of the user are switched off one by one. A default mode is set
 * because the user's own may be to allow everything.
 */
const isolation: Isolation = {
  documentation: [
    "https://code.claude.com/docs/en/cli-reference",
    "https://code.claude.com/docs/en/settings",
  ],
  switches: [
    ...["--setting-sources", "user"],
    ...["--settings", '{"disableAllHooks":true,"permissions":{"defaultMode":"default"}}'],
    "--strict-mcp-config",
    "--disable-slash-commands",
  ],
};

const fixFlags = [
  "--dangerously-skip-permissions",
  ...["--allowedTools", "Edit,MultiEdit,Write,Read,Glob,Grep,Bash"],
];

const reviewFlags = (flags: ReadonlySet<string>): string[] => [
  ...isolation.switches.filter((word) => word !== "--disable-slash-commands" || flags.has(word)),
  // Also leaves out CLAUDE.md: a hostile commit must not instruct its own reviewer.
  ...(flags.has("--safe-mode") ? ["--safe-mode"] : []),
  // Reading within the working directory needs no permission, and outside of it must have none: naming the tools
  // in --allowedTools would open the whole disk to what a diff asks for (measured: /etc, ~/.claude.json).
  ...(flags.has("--tools") ? ["--tools", readTools] : ["--disallowedTools", otherTools]),
];

export const claudeCode: Reviewer = {
  name: "claude-code",
  aliases: ["claude"],
  command: "claude",
  help: ["--help"],
  requiredFlags: ["--setting-sources", "--strict-mcp-config", "--settings"],
  userFiles: (env) => [...loginFiles(env), join(configDirectory(env), "settings.json")],
  isolation,
  argv(task, { flags }) {
    const effort = efforts[task.reasoning];
    return [
      ...["-p", "--verbose", "--output-format", "stream-json"],
      ...(task.agentic ? fixFlags : reviewFlags(flags)),
      ...(flags.has("--effort") ? ["--effort", effort] : []),
      ...checkedModel(task.model, "--model"),
      ...resumable(task.sessionId, "--resume"),
    ];
  },
  environment(env, task, { files }) {
    const child: Record<string, string> = { ...env, CLAUDE_NO_SOUND: "1" };
    if (task.anthropicApiKey !== undefined || hasOwnLogin(env, files)) dropAnthropic(child);
    if (task.anthropicApiKey !== undefined) child.ANTHROPIC_API_KEY = task.anthropicApiKey;
    return child;
  },
  createParser: (listener) => claudeStream({}, listener),
};

const configDirectory = (env: Environment): string =>
  env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), ".claude");

function loginFiles(env: Environment): string[] {
  const state = env.CLAUDE_CONFIG_DIR || env.HOME || homedir();
  return [join(configDirectory(env), ".credentials.json"), join(state, ".claude.json")];
}

/**
 * Whether Claude Code can log in without the environment. Then ANTHROPIC_* variables are not for it: under `-p` they
 * would silently win over the user's subscription, or carry the credentials of the session that started the daemon.
 * Without such a login they are the only one there is, and stay.
 */
function hasOwnLogin(env: Environment, files: ReadonlyMap<string, string>): boolean {
  // A provider chosen in the environment: the ANTHROPIC_* variables beside it belong to it.
  if (Object.keys(env).some((name) => name.startsWith("CLAUDE_CODE_USE_"))) return false;
  if (env.CLAUDE_CODE_OAUTH_TOKEN) return true;
  const [credentials = "", state = ""] = loginFiles(env);
  if (files.has(credentials)) return true;
  if (isObject(jsonOf(files.get(state))?.oauthAccount)) return true;
  const settings = jsonOf(files.get(join(configDirectory(env), "settings.json")));
  if (typeof settings?.apiKeyHelper === "string") return true;
  const own = isObject(settings?.env) ? Object.keys(settings.env) : [];
  return own.some((name) => /^ANTHROPIC_(?:API_KEY|AUTH_TOKEN)$|^CLAUDE_CODE_USE_/.test(name));
}

function jsonOf(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Claude Code will not find a login in it either
  }
}

function dropAnthropic(env: Record<string, string>): void {
  for (const name of Object.keys(env)) if (name.startsWith("ANTHROPIC_")) delete env[name];
}
