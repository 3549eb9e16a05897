import { type ClaudeDialect, encodeClaudeFamily, readClaudeEvent } from "./claude-family.ts";
import { copilotEventByShape, copilotToolInput } from "./copilot-camel.ts";
import { decodePayload, readSessionId } from "./decoder.ts";
import { isObject, read } from "./fields.ts";
import type { Harness, HookDecision, HookEvent, HookEventName } from "./harness.ts";

const dialect: ClaudeDialect = {
  sender: "GitHub Copilot CLI",
  // `bash` up to 1.0.60 and under camelCase event names, `Bash` since; `powershell` on Windows
  // (https://docs.github.com/en/copilot/reference/hooks-configuration).
  shellTools: ["bash", "powershell"],
  events: [
    { native: "agentStop", event: "Stop" },
    { native: "userPromptSubmitted", event: "UserPromptSubmit" },
  ],
  // PostToolUseFailure is for tools that break, not for commands that fail: those come as PostToolUse.
  contextEvents: ["PostToolUse"],
};

type Payload = Record<string, unknown>;

const displayName = "GitHub Copilot CLI";

function readEvent(payload: Payload): HookEvent | undefined {
  const event = readClaudeEvent(dialect, inPascalTerms(payload));
  if (event) complete(event, payload);
  return event;
}

/** Only event names in PascalCase, which is what we register, give payloads that name their event. */
function inPascalTerms(payload: Payload): Payload {
  if (read(payload, "hook_event_name") !== undefined) return payload;
  const named: Payload = { ...payload, hook_event_name: copilotEventByShape(payload) };
  if (Object.hasOwn(payload, "toolArgs")) named.tool_input = copilotToolInput(payload.toolArgs);
  return named;
}

/** What Copilot says in other places than Claude Code. */
function complete(event: HookEvent, payload: Payload): void {
  if (event.command !== undefined && isBackground(payload)) event.background = true;
  if (event.agentId === undefined) return;
  // A sub-agent's own events carry its own session, the same id as `agent_id`; its parent's session is `parent_agent_id`.
  // Below a sub-agent that is the sub-agent, the session at the top is not named (1.0.102).
  event.sessionId = readSessionId(payload, "parent_agent_id", "parentAgentId") ?? event.sessionId;
  // Stop is called for sub-agents too, and an answer there is dropped without a trace (1.0.102).
  if (event.event !== "Stop") return;
  delete event.channel;
  delete event.endsTurn;
}

/**
 * Asked for by the input, or left running because it took longer than `initial_wait` (30 s or more): then only the result
 * tells, `<command with shellId: 0 is still running after 30 seconds. …>` (1.0.102).
 */
function isBackground(payload: Payload): boolean {
  const input = read(payload, "tool_input", "toolInput", "toolArgs");
  if (isObject(input) && input.mode === "async") return true;
  const result = read(payload, "tool_result", "toolResult");
  if (!isObject(result)) return false;
  const text = read(result, "text_result_for_llm", "textResultForLlm");
  return typeof text === "string" && text.indexOf(" is still running after ") >= 0;
}

/** Context stands at the top: below `hookSpecificOutput` it is ignored, and `decision` would replace the tool's result. */
function encode(event: HookEventName, decision: HookDecision): string {
  const answer = encodeClaudeFamily(dialect, event, decision);
  return decision.kind === "context" ? JSON.stringify({ additionalContext: decision.text }) : answer;
}

/**
 * GitHub Copilot CLI (https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference), measured on
 * 1.0.102; matcher and names on 1.0.60 and 1.0.63 as well.
 */
export const copilot: Harness = {
  name: "copilot",
  displayName,
  executable: "copilot",
  config: {
    directoryVariable: "COPILOT_HOME",
    directory: ".copilot",
    file: "hooks/agenthook.json",
    format: "direct-json",
    version: 1,
    timeoutField: "timeoutSec",
    timeoutUnit: "seconds",
    // On Windows `command` goes to PowerShell (https://github.com/github/copilot-cli/issues/4399): each shell gets its own.
    commandFields: ["bash", "powershell"],
    // Required (https://docs.github.com/en/copilot/reference/hooks-configuration).
    entryFields: { type: "command" },
    // Any exit but 0 before a tool denies the tool, also that of a program that is gone. Behind the guard the tool runs with
    // the program gone, killed, hanging, or exiting 2 or 127 after some output (1.0.102).
    guard: "or-empty",
  },
  registrations: [
    // Up to 1.0.60 `Bash` alone never fired before a tool, and after every one.
    { event: "PreToolUse", matcher: "bash|Bash" },
    { event: "PostToolUse", matcher: "bash|Bash" },
    { event: "Stop" },
  ],
  // A background command or agent that ends begins a turn of its own (prompt `<system_notification>…`), whose Stop looks
  // like any other: it counts, and it delivers (1.0.102).
  settingsSection: "agent_hook",
  turns: { activeFlag: "silences" },
  // All hooks of an event together: 10,240 bytes, cut without a mark.
  maxTextBytes: 9_000,
  malformedExit: 0,
  decode: (payload) => decodePayload(displayName, payload, readEvent),
  encode: ({ event }, decision) => encode(event, decision),
};
