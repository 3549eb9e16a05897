import type { Isolation, Reviewer } from "./reviewer.ts";
import { checkedModel } from "./reviewer-arguments.ts";
import { geminiStream } from "./stream/gemini.ts";

/**
 * Settings of the cell, which count before the user's. Tools that are not named do not exist. The user's file stays:
 * it holds the login and the model.
 */
const settings = {
  tools: { core: ["read_file", "list_directory", "glob", "grep_search"] },
  hooksConfig: { enabled: false },
  skills: { enabled: false },
  experimental: { enableAgents: false },
  // Otherwise a `.env` above the cell is read.
  advanced: { ignoreLocalEnv: true },
  general: { enableAutoUpdate: false },
};

/**
 * Measured with 0.61.0: a trusted folder's hooks, MCP servers, `tools.discoveryCommand` and `.env` all take effect, and
 * an untrusted one is refused. In the cell, trusted because it is ours, none of them does; with `--skip-trust` instead
 * of the variable its settings would not count. A GEMINI.md of the checkout is still shown to the model as
 * instructions of the project: nothing turns that off for a folder that may be read.
 */
const isolation: Isolation = {
  documentation: [
    "https://geminicli.com/docs/reference/configuration/",
    "https://geminicli.com/docs/cli/trusted-folders/",
  ],
  switches: ["--extensions", "none", "--allowed-mcp-server-names", "none"],
  variables: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  cell: () => ({ ".gemini/settings.json": JSON.stringify(settings) }),
};

/** It has neither levels of reasoning nor conversations that another directory could continue. */
export const gemini: Reviewer = {
  name: "gemini",
  aliases: [],
  command: "gemini",
  help: ["--help"],
  requiredFlags: ["--output-format", "--approval-mode", "--include-directories", "--extensions"],
  fixFlags: ["--output-format", "--approval-mode"],
  isolation,
  argv: (task, { flags }) => [
    ...["--output-format", "stream-json"],
    ...(task.agentic
      ? ["--approval-mode", "yolo", ...(flags.has("--skip-trust") ? ["--skip-trust"] : [])]
      : ["--approval-mode", "plan", "--include-directories", task.cwd, ...isolation.switches]),
    ...checkedModel(task.model, "--model"),
  ],
  environment: (env) => ({ ...env }),
  createParser: geminiStream,
};
