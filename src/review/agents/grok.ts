import { join } from "node:path";
import type { ReasoningLevel } from "../../config/reasoning.ts";
import type { Isolation, Reviewer } from "./reviewer.ts";
import { checkedModel, resumable } from "./reviewer-arguments.ts";
import { grokStream } from "./stream/grok.ts";

/** Absent: the model's own default. */
const efforts: Partial<Record<ReasoningLevel, string>> = {
  fast: "low",
  medium: "medium",
  thorough: "high",
  maximum: "xhigh",
};

/**
 * Measured with 1.0.41: a trusted folder's hooks, MCP servers, skills and rules take effect, from Claude's and Cursor's
 * files too; in a cell none is found. The variables leave out what the user set up for those two, and nothing leaves
 * out the user's own hooks. `--tools` keeps the tools that reach MCP servers, so they are removed by name.
 */
const isolation: Isolation = {
  documentation: ["https://docs.x.ai/build/features/headless", "https://docs.x.ai/build/features/hooks"],
  switches: [
    ...["--tools", "read_file,grep,list_dir", "--disallowed-tools", "search_tool,use_tool,Agent"],
    ...["--no-subagents", "--disable-web-search"],
  ],
  variables: Object.fromEntries(
    ["CLAUDE", "CURSOR"].flatMap((vendor) =>
      ["HOOKS", "MCPS", "SKILLS"].map((what) => [`GROK_${vendor}_${what}_ENABLED`, "0"]),
    ),
  ),
  cell: () => ({}),
};

const promptFile = "prompt.md";
const linuxSandbox = "bwrap";

/** On Linux Grok refuses to start with a sandbox that it cannot build; without one, the tools that exist only read. */
const sandbox = (helpers: ReadonlySet<string>): string[] =>
  process.platform !== "linux" || helpers.has(linuxSandbox) ? ["--sandbox", "read-only"] : [];

export const grok: Reviewer = {
  name: "grok",
  aliases: ["grok-build"],
  command: "grok",
  help: ["--help"],
  requiredFlags: ["--output-format", "--prompt-file", "--tools", "--disallowed-tools", "--sandbox"],
  fixFlags: ["--output-format", "--prompt-file", "--always-approve"],
  isolation,
  promptFile,
  helpers: [linuxSandbox],
  argv(task, { flags, helpers }) {
    const effort = efforts[task.reasoning];
    return [
      ...["--no-auto-update", "--output-format", "streaming-json"],
      ...["--prompt-file", join(task.cell ?? "", promptFile)],
      ...(task.agentic ? ["--always-approve"] : [...sandbox(helpers), ...isolation.switches]),
      ...(effort !== undefined && flags.has("--reasoning-effort") ? ["--reasoning-effort", effort] : []),
      ...checkedModel(task.model, "--model"),
      ...resumable(task.sessionId, "--resume"),
    ];
  },
  environment: (env) => ({ ...env }),
  createParser: grokStream,
};
