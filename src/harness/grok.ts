import { defined } from "../lib/defined.ts";
import {
  decodePayload,
  isToolEvent,
  noCall,
  readCall,
  readSessionId,
  refuseAnswer,
  type ToolCall,
} from "./decoder.ts";
import { canonicalEventName } from "./event-name.ts";
import { isObject, read, readBoolean, readString } from "./fields.ts";
import type { Channel, Harness, HookEvent, HookEventName } from "./harness.ts";

type Fields = Record<string, unknown>;

const displayName = "Grok Build";
// `opencode` profiles of Grok Build call the tool `bash`; a matcher without other characters than these is compared
// whole, term by term, and exactly.
const shellTools = ["bash", "run_terminal_command", "run_terminal_cmd"];
const shellMatcher = "Bash|bash|run_terminal_command|run_terminal_cmd";

/**
 * Grok Build (https://docs.x.ai/build/features/hooks), measured on 1.0.5 and 1.0.41. Up to 1.0.6 payloads have camelCase
 * names only; later versions add Claude Code's names beside them, and hear what a hook answers after a tool.
 */
export const grok: Harness = {
  name: "grok",
  displayName,
  executable: "grok",
  config: {
    directoryVariable: "GROK_HOME",
    directory: ".grok",
    file: "hooks/roborev.json",
    format: "nested-json",
    timeoutUnit: "seconds",
  },
  registrations: [
    { event: "PreToolUse", matcher: shellMatcher },
    { event: "PostToolUse", matcher: shellMatcher },
    { event: "Stop" },
    // Delivers nothing; it tells the prompts that Grok Build wrote itself from those of the user.
    { event: "UserPromptSubmit" },
  ],
  settingsSection: "agent_hook",
  turns: { activeFlag: "silences" },
  // An item of more than 10,000 characters is cut there.
  maxTextBytes: 10_000,
  malformedExit: 1,
  legacy: "own-agent-flag",
  trial: { sessionId: "roborev-self-test", tool_name: "run_terminal_command" },
  decode: (payload) => decodePayload(displayName, payload, readEvent),
  encode: ({ event }, decision) => {
    if (decision.kind === "none") return "{}";
    const { kind, text } = decision;
    if (kind !== (event === "Stop" ? "block" : event === "PostToolUse" ? "context" : undefined))
      return refuseAnswer(event, kind);
    if (text.trim() === "") throw new Error(`an empty text for ${event}`);
    if (kind === "block") return JSON.stringify({ decision: "block", reason: text });
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
  },
};

function readEvent(payload: Fields): HookEvent | undefined {
  const sessionId = readSessionId(payload, "session_id", "sessionId");
  const nativeEvent = readString(payload, "hook_event_name", "hookEventName") ?? "";
  if (sessionId === undefined) return undefined;
  const name = canonicalEventName(nativeEvent);
  const call = isToolEvent(name) ? readTool(payload) : noCall;
  const ends = name === "Stop" && endsTurn(payload);
  return defined({
    event: name,
    nativeEvent,
    sessionId,
    cwd: readString(payload, "cwd") ?? readString(payload, "workspaceRoot"),
    turnId: readString(payload, "promptId", "prompt_id", "turnId", "turn_id"),
    stopHookActive: readBoolean(payload, "stopHookActive", "stop_hook_active"),
    channel: channelOf(name, ends, payload),
    endsTurn: ends || undefined,
    wakeUp: (name === "UserPromptSubmit" && isWakeUp(payload)) || undefined,
    agentId: childId(payload, sessionId),
    toolUseId: readString(payload, "tool_use_id", "toolUseId"),
    tool: call.tool,
    command: call.command,
    toolDirectory: call.toolDirectory,
    background: call.background,
  });
}

/** When the program ends there is one more Stop, `shutdown` or `channel_closed`, whose answer nobody reads. */
function endsTurn(payload: Fields): boolean {
  const reason = readString(payload, "reason");
  return reason === undefined || reason === "end_turn";
}

/** The versions that drop what is answered after a tool do not send its result under Claude Code's name (≤ 1.0.6). */
function channelOf(name: HookEventName, ends: boolean, payload: Fields): Channel | undefined {
  if (name === "Stop") return ends ? "block" : undefined;
  return name === "PostToolUse" && read(payload, "tool_response") !== undefined ? "context" : undefined;
}

/** The end of a background command or sub-agent starts a turn that looks like the user's. */
function isWakeUp(payload: Fields): boolean {
  const prompt = read(payload, "prompt");
  return typeof prompt === "string" && prompt.startsWith("<system-reminder>");
}

/** A sub-agent has a session of its own, which is its id; its parent is not named. */
function childId(payload: Fields, sessionId: string): string | undefined {
  if (readString(payload, "subagentType") === undefined) return undefined;
  return readString(payload, "subagentId") ?? sessionId;
}

function readTool(payload: Fields): ToolCall {
  // Beyond 128 KiB the input is the head of its JSON text, in which a commit can still be recognised.
  const input = read(payload, "tool_input", "toolInput");
  const whole = typeof input === "string" ? { ...payload, tool_input: { command: input } } : payload;
  const call = readCall(whole, shellTools);
  return call.tool === "Bash" && isBackground(payload) ? { ...call, background: true } : call;
}

function isBackground(payload: Fields): boolean {
  const result = read(payload, "toolResult", "tool_response");
  return isObject(result) && read(result, "type") === "BackgroundTaskStarted";
}
