import { homedir } from "node:os";
import { join } from "node:path";
import type { Isolation, Reviewer } from "./reviewer.ts";
import { checkedModel, resumable } from "./reviewer-arguments.ts";
import { copilotStream } from "./stream/copilot.ts";
import { serverNames } from "./user-servers.ts";

/**
 * Measured with 1.0.102: a folder that the user trusts, or one below it, has its hooks and MCP servers run, those of an
 * `--add-dir` too, and no switch stops the hooks of the user. A trusted cell that says `disableAllHooks` stops both.
 * Paths outside of it can then only be allowed all together; the tools that exist only read.
 */
const isolation: Isolation = {
  documentation: [
    "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-command-reference",
    "https://docs.github.com/en/copilot/reference/hooks-configuration",
  ],
  switches: [
    ...["--available-tools", "view,grep,glob"],
    ...["--deny-tool", "write", "--deny-tool", "shell"],
    ...["--trust-folder", "--allow-all-paths"],
    ...["--no-custom-instructions", "--disable-builtin-mcps", "--no-ask-user"],
  ],
  cell: () => ({ ".github/copilot/settings.json": JSON.stringify({ disableAllHooks: true }) }),
};

/** Which levels of reasoning a model takes is told nowhere beforehand, and a wrong one is an error. */
export const copilot: Reviewer = {
  name: "copilot",
  aliases: [],
  command: "copilot",
  help: ["--help"],
  requiredFlags: [
    ...["--output-format", "--available-tools", "--trust-folder", "--allow-all-paths"],
    ...["--no-custom-instructions", "--disable-builtin-mcps", "--no-ask-user"],
  ],
  fixFlags: ["--output-format"],
  userFiles: (env) => [join(env.COPILOT_HOME || join(env.HOME || homedir(), ".copilot"), "mcp-config.json")],
  isolation,
  argv: (task, { flags, files }) => [
    ...["--output-format", "json", "--no-color", "--allow-all-tools"],
    ...(flags.has("--no-auto-update") ? ["--no-auto-update"] : []),
    ...(task.agentic
      ? []
      : [...isolation.switches, ...serverNames(files).flatMap((name) => ["--disable-mcp-server", name])]),
    ...checkedModel(task.model, "--model"),
    // Not together with --trust-folder. Its value is optional: as a word of its own it would not be taken.
    ...(task.agentic && resumable(task.sessionId, "").length > 0 ? [`--resume=${task.sessionId}`] : []),
  ],
  environment: (env) => ({ ...env }),
  createParser: copilotStream,
};
