import { type ClaudeDialect, decodeClaudeFamily, encodeClaudeFamily } from "./claude-family.ts";
import type { Harness } from "./harness.ts";

const dialect: ClaudeDialect = {
  shellTools: ["run_shell_command"],
  // Its payloads name no turn and no tool call. `prompt` stays the user's own text for the whole turn, also after a
  // hook sent the agent back; `stop_hook_active` does not: it is false again once the agent has used a tool
  // (https://github.com/google-gemini/gemini-cli/issues/20426), and without a guard of ours the turn would never end.
  turnText: "prompt",
  events: [
    { native: "BeforeTool", event: "PreToolUse" },
    { native: "AfterTool", event: "PostToolUse" },
    { native: "AfterAgent", event: "Stop" },
    { native: "BeforeAgent", event: "UserPromptSubmit" },
    { native: "PreCompress", event: "PreCompact" },
  ],
  // A `decision` there would replace the tool's result: the model would believe that its commit had failed.
  contextEvents: ["PostToolUse"],
};

/** Gemini CLI (https://geminicli.com/docs/hooks/reference/), measured on 0.26.0 to 0.61.0. */
export const gemini: Harness = {
  name: "gemini",
  displayName: "Gemini CLI",
  executable: "gemini",
  config: {
    directoryVariable: "GEMINI_CLI_HOME",
    belowVariable: ".gemini",
    directory: ".gemini",
    file: "settings.json",
    format: "nested-json",
    timeoutUnit: "milliseconds",
    timeoutRange: { min: 1_000, max: 30_000 },
    // Without one, each notice shows the whole command line; `hooksConfig.disabled` goes by it as well.
    entryFields: { name: "roborev" },
    // Since 0.30 every status but 0 and 1 denies, if anything was printed: a shell that misses the program ends with
    // 127 and says so. `exec`, because a time-out ends the shell alone (https://github.com/google-gemini/gemini-cli/issues/16792).
    guard: "if-present",
  },
  registrations: [
    { event: "BeforeTool", matcher: "run_shell_command" },
    { event: "AfterTool", matcher: "run_shell_command" },
    { event: "AfterAgent" },
  ],
  turns: { activeFlag: "silences", lifetimeMs: 30 * 60_000 },
  maxTextBytes: 20_000,
  malformedExit: 1,
  afterInstall:
    "Gemini CLI runs hooks, without a word about it, only in folders that you trust, and since version 0.26.",
  decode: (payload) => decodeClaudeFamily(dialect, payload),
  encode: ({ event }, decision) => encodeClaudeFamily(dialect, event, decision),
};
