import { type ClaudeDialect, encodeClaudeFamily, readClaudeEvent } from "./claude-family.ts";
import { decodePayload } from "./decoder.ts";
import type { Harness, HookEvent } from "./harness.ts";

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

/**
 * Up to 0.29 what the agent does after a block ends with an event of its own, whose prompt is empty once it has used a
 * tool: the rest of a turn, which nothing else tells from a new one.
 */
function readEvent(payload: Record<string, unknown>): HookEvent | undefined {
  const event = readClaudeEvent(dialect, payload);
  if (event?.event !== "Stop" || payload.prompt !== "") return event;
  delete event.turnId;
  delete event.channel;
  delete event.endsTurn;
  return event;
}

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
    comments: true,
    timeoutUnit: "milliseconds",
    timeoutRange: { min: 1_000, max: 30_000 },
    // Without one, each notice shows the whole command line; `hooksConfig.disabled` goes by it as well.
    entryFields: { name: "roborev" },
    // Since 0.30 every status but 0 and 1 denies, if anything was printed: a shell that misses the program ends with
    // 127 and says so. `exec`, because a time-out ends the shell alone (https://github.com/google-gemini/gemini-cli/issues/16792).
    // Measured on 0.61.0: gone, not executable, damaged, killed, hanging or ending with 2 or 127, the session goes on.
    guard: "if-present",
  },
  registrations: [
    { event: "BeforeTool", matcher: "run_shell_command" },
    { event: "AfterTool", matcher: "run_shell_command" },
    { event: "AfterAgent" },
  ],
  settingsSection: "agent_hook",
  // The shell tool of 0.58 to 0.61 sets `core.hooksPath` to nothing for every command.
  withoutGitHooks: true,
  turns: { activeFlag: "silences", lifetimeMs: 30 * 60_000 },
  // A tool's result together with our context is cut in the middle beyond 40,000 characters.
  maxTextBytes: 20_000,
  malformedExit: 1,
  afterInstall:
    "Gemini CLI runs hooks, without a word, only in folders that you trust and since version 0.26.",
  trial: { tool_name: "run_shell_command" },
  decode: (payload) => decodePayload(undefined, payload, readEvent),
  encode: ({ event }, decision) => encodeClaudeFamily(dialect, event, decision),
};
