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
import { canonicalEventName, type NativeEvent, nativeEventName } from "./event-name.ts";
import { isObject, read, readBoolean, readString } from "./fields.ts";
import type { Sender } from "./foreign.ts";
import type { Channel, Decoded, HookDecision, HookEvent, HookEventName } from "./harness.ts";

/** What differs between the harnesses that speak Claude Code's hook language. */
export interface ClaudeDialect {
  /** Set where the harness also runs hooks written for another: its own payloads are not foreign to it. */
  sender?: Sender;
  /** Names of the shell tool, in lower case. */
  shellTools: string[];
  /** The field that names one user turn, and its other spelling; absent: no field does. */
  turnField?: string;
  turnFieldAlias?: string;
  /** The field with the user's own words, where nothing else tells one turn from another: their hash is its id. */
  turnText?: string;
  /** The harness's own names of the events, where they are not Claude Code's. */
  events?: readonly NativeEvent[];
  /** Events after a tool in which `additionalContext` reaches the model. */
  contextEvents: readonly HookEventName[];
}

/** Reads a payload; null counts as absent, and the field names may come in camelCase. */
export function decodeClaudeFamily(dialect: ClaudeDialect, payload: Record<string, unknown>): Decoded {
  return decodePayload(dialect.sender, payload, (fields) => readClaudeEvent(dialect, fields));
}

/** The event of a payload that is this harness's own; undefined: it names no session. */
export function readClaudeEvent(
  dialect: ClaudeDialect,
  payload: Record<string, unknown>,
): HookEvent | undefined {
  const sessionId = readSessionId(payload, "session_id", "sessionId");
  const nativeEvent = readString(payload, "hook_event_name") ?? "";
  if (sessionId === undefined) return undefined;
  const name = canonicalEventName(nativeEvent, dialect.events);
  const call = isToolEvent(name) ? readTool(dialect, payload) : noCall;
  return defined({
    event: name,
    nativeEvent,
    sessionId,
    cwd: readString(payload, "cwd"),
    turnId: turnOf(dialect, payload, name),
    stopHookActive: readBoolean(payload, "stop_hook_active", "stopHookActive"),
    channel: channelOf(dialect, name),
    endsTurn: name === "Stop" || undefined,
    agentId: readString(payload, "agent_id", "agentId"),
    toolUseId: readString(payload, "tool_use_id", "toolUseId"),
    tool: call.tool,
    command: call.command,
    toolDirectory: call.toolDirectory,
    background: call.background,
  });
}

function turnOf(
  { turnField, turnFieldAlias, turnText }: ClaudeDialect,
  payload: Record<string, unknown>,
  name: HookEventName,
): string | undefined {
  if (turnText !== undefined) {
    if (name !== "Stop" && name !== "UserPromptSubmit") return undefined;
    return Bun.hash(readString(payload, turnText) ?? "").toString(36);
  }
  if (turnField === undefined) return undefined;
  return readString(payload, turnField, turnFieldAlias ?? turnField);
}

function channelOf(dialect: ClaudeDialect, name: HookEventName): Channel | undefined {
  if (name === "Stop") return "block";
  for (const event of dialect.contextEvents) if (event === name) return "context";
  return undefined;
}

function readTool(dialect: ClaudeDialect, payload: Record<string, unknown>): ToolCall {
  const call = readCall(payload, dialect.shellTools);
  if (call.command === undefined) return call;
  // Claude Code: the harness itself sent the command to the background, where it may still be running.
  const response = read(payload, "tool_response", "toolResponse");
  if (isObject(response) && typeof response.backgroundTaskId === "string") call.background = true;
  return call;
}

/** The native answer. Asking for something that the event cannot carry is our mistake, hence the throw. */
export function encodeClaudeFamily(
  dialect: ClaudeDialect,
  event: HookEventName,
  decision: HookDecision,
): string {
  if (decision.kind === "none") return "{}";
  if (decision.text.trim() === "") throw new Error(`an empty text for ${event}`);
  if (channelOf(dialect, event) !== decision.kind) return refuseAnswer(event, decision.kind);
  if (decision.kind === "block") return JSON.stringify({ decision: "block", reason: decision.text });
  const hookEventName = nativeEventName(event, dialect.events);
  const output = { hookEventName, additionalContext: decision.text };
  return JSON.stringify({ hookSpecificOutput: output });
}
