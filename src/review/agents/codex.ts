import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import type { ReasoningLevel } from "../../config/reasoning.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import type { Capabilities, Isolation, Reviewer, ReviewerTask } from "./reviewer.ts";
import { checkedModel, resumable } from "./reviewer-arguments.ts";
import { codexStream } from "./stream/codex.ts";
import { isObject } from "./stream/parser.ts";

/** Absent: the user's own setting, else the model's default. */
const efforts: Partial<Record<ReasoningLevel, string>> = {
  fast: "low",
  medium: "medium",
  thorough: "high",
  maximum: "xhigh",
};

/**
 * Nothing of the checkout may run. Measured with 0.171.0 (test/e2e/reviewer): with the project trusted, its hooks and
 * MCP servers run, in linked worktrees of it too; `--ignore-user-config` leaves the user's hooks.json in force and
 * drops `model_provider`, which users of other providers cannot do without. So the configuration stays, and what
 * could run is switched off: hooks, plugins, apps, `notify`, MCP servers by name (an empty table is merged, not put
 * in place), and the project is declared untrusted, which wins over the trust of its main checkout.
 */
const settings = [
  "features.hooks=false",
  "features.plugins=false",
  "features.apps=false",
  "features.multi_agent=false",
  "notify=[]",
  "skills.include_instructions=false",
  // A hostile commit must not instruct its own reviewer.
  "project_doc_max_bytes=0",
  // The sandbox has no network; a search would be a way around it.
  'web_search="disabled"',
  // No tokens of the user's shell in the reviewer's commands.
  'shell_environment_policy.inherit="core"',
];

const isolation: Isolation = {
  documentation: [
    "https://developers.openai.com/codex/config-reference",
    "https://developers.openai.com/codex/agent-approvals-security",
  ],
  switches: settings.flatMap((setting) => ["-c", setting]),
};

const bypass = "--dangerously-bypass-approvals-and-sandbox";
const tooOld = new RoborevError(`this version of codex cannot do without its sandbox: it has no ${bypass}`, {
  code: "E_AGENT_TOO_OLD",
  hint: "Update codex.",
});

export const codex: Reviewer = {
  name: "codex",
  aliases: [],
  command: "codex",
  help: ["exec", "--help"],
  requiredFlags: ["--json", "--sandbox", "--config"],
  fixFlags: [bypass],
  sandboxSwitch: "disable_codex_sandbox",
  userFiles: (env) => [
    join(env.CODEX_HOME || join(env.HOME || homedir(), ".codex"), "config.toml"),
    systemConfig,
  ],
  isolation,
  argv(task, capabilities) {
    const resume = resumable(task.sessionId, "resume");
    const effort = efforts[task.reasoning];
    const isOpen = task.agentic || task.withoutSandbox;
    if (isOpen && !capabilities.flags.has(bypass)) throw tooOld;
    return [
      "exec",
      ...resume.slice(0, 1),
      "--json",
      ...(isOpen ? [bypass] : []),
      // `exec resume` knows neither --sandbox nor -C.
      ...(resume.length === 0 ? [...(isOpen ? [] : ["--sandbox", "read-only"]), "-C", task.cwd] : []),
      ...(task.agentic ? [] : reviewFlags(task, capabilities, resume.length > 0)),
      ...(effort === undefined ? [] : ["-c", `model_reasoning_effort="${effort}"`]),
      ...checkedModel(task.model, "-m"),
      ...resume.slice(1),
      "-",
    ];
  },
  environment: (env) => ({ ...env }),
  createParser: codexStream,
};

function reviewFlags(task: ReviewerTask, capabilities: Capabilities, isResumed: boolean): string[] {
  const own = [
    `projects={${tomlString(task.cwd)}={trust_level="untrusted"}}`,
    ...mcpServers(capabilities).map((name) => `mcp_servers.${name}.enabled=false`),
    ...(isResumed && !task.withoutSandbox ? ['sandbox_mode="read-only"'] : []),
  ];
  return [
    ...(capabilities.flags.has("--ignore-rules") ? ["--ignore-rules"] : []),
    ...isolation.switches,
    ...own.flatMap((setting) => ["-c", setting]),
  ];
}

const systemConfig = "/etc/codex/config.toml";

/** Names of the MCP servers that the user's and the system's configuration set up. */
function mcpServers({ files }: Capabilities): string[] {
  return [...files].flatMap(([path, text]) => {
    const servers = tomlTable(path, text).mcp_servers;
    return isObject(servers) ? Object.keys(servers).map((name) => checkedName(path, name)) : [];
  });
}

function tomlTable(path: string, text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (cause) {
    throw new RoborevError(`cannot read ${path}: ${errorMessage(cause).split("  ")[0]}`, {
      code: "E_CODEX_CONFIG",
      hint: "Codex needs it too: correct the file, or choose another reviewer.",
      cause,
    });
  }
}

/** Codex itself allows only such names (https://developers.openai.com/codex/mcp); any other could not be addressed. */
function checkedName(path: string, name: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(name)) return name;
  throw new RoborevError(
    `${path}: the MCP server ${JSON.stringify(name)} cannot be switched off for reviews`,
    {
      code: "E_CODEX_CONFIG",
      hint: "Use only letters, digits, - and _ in its name.",
    },
  );
}

/** A TOML basic string: like JSON's, except that TOML also wants DEL escaped. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007F");
}
