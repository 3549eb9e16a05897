import { type ClaudeDialect, decodeClaudeFamily, encodeClaudeFamily } from "./claude-family.ts";
import type { Harness } from "./harness.ts";

const dialect: ClaudeDialect = {
  shellTools: ["bash"],
  turnField: "turn_id",
  turnFieldAlias: "turnId",
  contextEvents: ["PostToolUse"],
};

/**
 * Codex (https://developers.openai.com/codex/hooks), measured on 0.124.0, 0.144.6 and 0.171.0. It rejects a whole
 * answer for one unknown or null field, and on PostToolUse a `decision` would replace what the model sees of its
 * command: hence exactly the two shapes of the family.
 */
export const codex: Harness = {
  name: "codex",
  displayName: "Codex",
  executable: "codex",
  config: {
    directoryVariable: "CODEX_HOME",
    directory: ".codex",
    file: "hooks.json",
    format: "nested-json",
    timeoutUnit: "seconds",
  },
  registrations: [
    // `Bash` would match the same tool, but the user's trust hangs on the matcher's text.
    { event: "PreToolUse", matcher: "^Bash$" },
    { event: "PostToolUse", matcher: "^Bash$" },
    { event: "Stop" },
  ],
  settingsSection: "agent_hook",
  turns: { activeFlag: "silences" },
  // About 2,500 tokens reach the model, the middle of a longer text is cut out.
  maxTextBytes: 9_000,
  malformedExit: 1,
  legacy: "no-agent-flag",
  afterInstall:
    "Codex skips new or changed hooks, without a word in `codex exec`, until you trust them: " +
    "start `codex` and choose to review or trust the hooks when it asks, or type /hooks there.",
  decode: (payload) => decodeClaudeFamily(dialect, payload),
  encode: ({ event }, decision) => encodeClaudeFamily(dialect, event, decision),
};
