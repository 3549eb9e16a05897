import { type ClaudeDialect, decodeClaudeFamily, encodeClaudeFamily } from "./claude-family.ts";
import type { Harness } from "./harness.ts";

const dialect: ClaudeDialect = {
  // On Windows there is a PowerShell tool beside Bash (https://github.com/anthropics/claude-code/issues/92934).
  shellTools: ["bash", "powershell"],
  turnField: "prompt_id",
  turnFieldAlias: "promptId",
  contextEvents: ["PostToolUse", "PostToolUseFailure"],
};

/** Claude Code (https://docs.anthropic.com/en/docs/claude-code/hooks), measured on 2.0.76, 2.1.197 and 2.1.332. */
export const claude: Harness = {
  name: "claude",
  displayName: "Claude Code",
  executable: "claude",
  config: {
    directoryVariable: "CLAUDE_CONFIG_DIR",
    directory: ".claude",
    file: "settings.json",
    format: "nested-json",
    timeoutUnit: "seconds",
  },
  // An event that 2.0.76 does not know switches off every hook of the file there, so no others without need.
  registrations: [
    { event: "PreToolUse", matcher: "Bash" },
    { event: "PostToolUse", matcher: "Bash" },
    { event: "Stop" },
  ],
  settingsSection: "agent_hook",
  turns: { activeFlag: "silences" },
  // Context of more than 10,000 characters goes to a file, of which the model sees the first 2 KB.
  maxTextBytes: 10_000,
  malformedExit: 1,
  legacy: "no-agent-flag",
  decode: (payload) => decodeClaudeFamily(dialect, payload),
  encode: ({ event }, decision) => encodeClaudeFamily(dialect, event, decision),
};
