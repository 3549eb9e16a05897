import { homedir } from "node:os";
import { join } from "node:path";
import type { Capabilities, Isolation, Reviewer } from "./reviewer.ts";
import { checkedModel, resumable } from "./reviewer-arguments.ts";
import { opencodeStream } from "./stream/opencode.ts";
import { isObject } from "./stream/parser.ts";
import { objectOf } from "./user-servers.ts";

/** The last rule that matches counts. */
const permission = {
  "*": "deny",
  read: "allow",
  grep: "allow",
  glob: "allow",
  list: "allow",
  external_directory: "deny",
};

/**
 * Measured with 1.18.33: a project's `opencode.json` and `.opencode` bring plugins, tools, MCP servers and agents that
 * run unasked; the variable leaves all of it out, and `--pure` the plugins of the user. Its own snapshots would run git
 * on the checkout, and a conversation that it shortens is no review of the whole change.
 */
const isolation: Isolation = {
  documentation: [
    "https://opencode.ai/docs/cli/#environment-variables",
    "https://opencode.ai/docs/permissions/",
  ],
  switches: ["--pure"],
  variables: {
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    OPENCODE_DISABLE_CLAUDE_CODE: "1",
    OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_AUTOCOMPACT: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_PERMISSION: JSON.stringify(permission),
  },
};

/** Which variants a model has is its provider's affair, so no level of reasoning is asked for. */
export const opencode: Reviewer = {
  name: "opencode",
  aliases: [],
  command: "opencode",
  help: ["run", "--help"],
  requiredFlags: ["--format", "--pure"],
  fixFlags: ["--format"],
  userFiles(env) {
    const directory = join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "opencode");
    return ["config.json", "opencode.json", "opencode.jsonc"].map((name) => join(directory, name));
  },
  isolation,
  argv: (task, { flags }) => [
    ...["run", "--format", "json"],
    ...(task.agentic ? (flags.has("--auto") ? ["--auto"] : []) : isolation.switches),
    ...checkedModel(task.model, "--model"),
    // In another directory it continues a conversation without a word, and never ends (measured).
    ...(task.agentic ? resumable(task.sessionId, "--session") : []),
  ],
  environment: (env, task, capabilities) =>
    task.agentic ? { ...env } : { ...env, OPENCODE_CONFIG_CONTENT: reviewConfig(capabilities) },
  createParser: opencodeStream,
};

/** Counts before the user's own file, whose MCP servers are switched off by name. */
function reviewConfig({ files }: Capabilities): string {
  const names = [...files.values()].flatMap((text) => {
    const servers = objectOf(text)?.mcp;
    return isObject(servers) ? Object.keys(servers) : [];
  });
  const mcp = Object.fromEntries(names.map((name) => [name, { enabled: false }]));
  return JSON.stringify({ snapshot: false, share: "disabled", autoupdate: false, mcp });
}
