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
import { canonicalEventName, type NativeEvent } from "./event-name.ts";
import { isObject, read, readString } from "./fields.ts";
import type { Channel, Environment, Harness, HookEvent } from "./harness.ts";

type Fields = Record<string, unknown>;

interface HermesEvent extends NativeEvent {
  channel?: Channel;
}

// What answers a tool's end is ignored, and `pre_verify` comes only in turns in which a file tool edited something:
// hence the second chance with the user's next message, which always comes. The end of a "session" is that of a turn.
const events: readonly HermesEvent[] = [
  { native: "pre_tool_call", event: "PreToolUse" },
  { native: "post_tool_call", event: "PostToolUse" },
  { native: "pre_verify", event: "Stop", channel: "block" },
  { native: "pre_llm_call", event: "UserPromptSubmit", channel: "context" },
  { native: "on_session_end", event: "Stop" },
  { native: "on_session_start", event: "SessionStart" },
];

const shellTools = ["terminal"];

/**
 * Hermes Agent (https://github.com/NousResearch/hermes-agent, website/docs/user-guide/features/hooks.md), measured on
 * 0.20.0. Everything that is particular to an event is in `extra`. The command is started without a shell.
 */
export const hermes: Harness = {
  name: "hermes",
  displayName: "Hermes Agent",
  executable: "hermes",
  config: {
    directoryVariable: "HERMES_HOME",
    directory: ".hermes",
    windowsDirectory: { variable: "LOCALAPPDATA", directory: "hermes" },
    file: "config.yaml",
    format: "yaml",
    timeoutUnit: "seconds",
    // What is beyond is cut to 300.
    timeoutRange: { min: 1, max: 300 },
  },
  registrations: [
    { event: "pre_tool_call", matcher: "terminal" },
    { event: "post_tool_call", matcher: "terminal" },
    { event: "pre_verify" },
    { event: "pre_llm_call" },
    { event: "on_session_end" },
  ],
  // `pre_verify` has no turn_id.
  settingsSection: "agent_hook",
  turns: { activeFlag: "silences", untilEnd: true },
  // A longer context goes to a file, of which the model sees the first and the last 500 characters.
  maxTextBytes: 10_000,
  malformedExit: 1,
  afterInstall:
    "Hermes Agent asks for your approval of each new hook command when it starts in a terminal, and skips what you " +
    "have not approved where there is none: start `hermes` once, or run it with --accept-hooks.",
  trial: { tool_name: "terminal" },
  decode: (payload, environment) =>
    decodePayload(undefined, payload, (fields) => readEvent(fields, environment)),
  encode: ({ event, nativeEvent }, decision) => {
    if (decision.kind === "none") return "{}";
    if (ownEvent(nativeEvent)?.channel !== decision.kind) return refuseAnswer(nativeEvent, decision.kind);
    if (decision.text.trim() === "") throw new Error(`an empty text for ${event}`);
    if (decision.kind === "block") return JSON.stringify({ decision: "block", reason: decision.text });
    return JSON.stringify({ context: decision.text });
  },
};

function ownEvent(native: string): HermesEvent | undefined {
  const name = native.toLowerCase();
  for (const event of events) if (event.native === name) return event;
  return undefined;
}

function readEvent(payload: Fields, environment: Environment | undefined): HookEvent | undefined {
  // Commands that `execute_code` runs come with an empty id.
  const sessionId =
    readSessionId(payload, "session_id", "sessionId") ??
    (environment?.HERMES_SESSION_ID?.trim() || undefined);
  const nativeEvent = readString(payload, "hook_event_name") ?? "";
  if (sessionId === undefined) return undefined;
  const given = read(payload, "extra");
  const extra = isObject(given) ? given : {};
  const own = ownEvent(nativeEvent);
  const name = own === undefined ? canonicalEventName(nativeEvent) : own.event;
  const agentId = childId(extra, sessionId);
  const call = isToolEvent(name) ? readTool(payload, extra) : noCall;
  return defined({
    event: name,
    nativeEvent,
    sessionId,
    cwd: readString(payload, "cwd"),
    turnId: readString(extra, "turn_id"),
    channel: own?.channel,
    endsTurn: (own?.native === "on_session_end" && agentId === undefined && isWhole(extra)) || undefined,
    agentId,
    toolUseId: readString(extra, "tool_call_id"),
    tool: call.tool,
    command: call.command,
    toolDirectory: call.toolDirectory,
    background: call.background,
  });
}

const isWhole = (extra: Fields): boolean =>
  read(extra, "completed") === true && read(extra, "interrupted") !== true;

/** A sub-agent has a session of its own; its parent is not named. */
function childId(extra: Fields, sessionId: string): string | undefined {
  const task = read(extra, "task_id");
  if (typeof task === "string" && task.startsWith("sa-")) return task;
  return read(extra, "platform") === "subagent" ? sessionId : undefined;
}

function readTool(payload: Fields, extra: Fields): ToolCall {
  const call = readCall(payload, shellTools);
  // A call that a hook refused has an end like any other, and ran nothing.
  return call.tool === "Bash" && read(extra, "status") === "blocked" ? { tool: "Bash", command: "" } : call;
}
