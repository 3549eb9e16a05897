import { type ClaudeDialect, decodeClaudeFamily, encodeClaudeFamily } from "./claude-family.ts";
import type { Harness } from "./harness.ts";

const dialect: ClaudeDialect = {
  shellTools: ["run_shell_command"],
  turnField: "prompt_id",
  turnFieldAlias: "promptId",
  // A `decision` is thrown away there. At Stop a `stopReason` would displace the reason.
  contextEvents: ["PostToolUse", "PostToolUseFailure"],
};

/** Qwen Code (https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/), measured on 0.15.10 to 0.24.4. */
export const qwen: Harness = {
  name: "qwen",
  displayName: "Qwen Code",
  executable: "qwen",
  config: {
    directoryVariable: "QWEN_HOME",
    directory: ".qwen",
    file: "settings.json",
    format: "nested-json",
    comments: true,
    timeoutUnit: "milliseconds",
    // From 0.23.4 on a number below 1000 means seconds (https://github.com/QwenLM/qwen-code/pull/11615).
    timeoutRange: { min: 1_000, max: 30_000 },
    entryFields: { name: "roborev" },
  },
  // PostToolUseFailure, which replaces PostToolUse for a command that fails (0.21.2), is left out: whatever comes next
  // catches up with the commit, and versions that do not know an event warn about it at each start.
  registrations: [
    { event: "PreToolUse", matcher: "run_shell_command" },
    { event: "PostToolUse", matcher: "run_shell_command" },
    { event: "Stop" },
  ],
  // Before 0.23.4 `stop_hook_active` is true at every Stop (https://github.com/QwenLM/qwen-code/issues/11610), and no
  // payload has a `prompt_id`.
  settingsSection: "agent_hook",
  turns: { activeFlag: "if-we-blocked" },
  maxTextBytes: 20_000,
  malformedExit: 1,
  trial: { tool_name: "run_shell_command" },
  decode: (payload) => decodeClaudeFamily(dialect, payload),
  encode: ({ event }, decision) => encodeClaudeFamily(dialect, event, decision),
};
