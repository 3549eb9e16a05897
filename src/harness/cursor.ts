import { defined } from "../lib/defined.ts";
import { decodePayload, isToolEvent, noCall, readCall, readSessionId, refuseAnswer } from "./decoder.ts";
import { canonicalEventName, type NativeEvent } from "./event-name.ts";
import { read, readString } from "./fields.ts";
import type { Harness, HookEvent } from "./harness.ts";

type Payload = Record<string, unknown>;

const displayName = "Cursor";
const shellTools = ["shell"];
const events: readonly NativeEvent[] = [{ native: "beforeSubmitPrompt", event: "UserPromptSubmit" }];

/**
 * Cursor (https://cursor.com/docs/hooks, page of 2026-08-22; no public build runs without a login, so nothing here was
 * measured by us). What a hook answers after a tool is accepted and not shown to the model
 * (https://github.com/yvgude/lean-ctx/issues/752); a stop's `followup_message` becomes the user's next message, which
 * is why it is only sent to those who asked for it.
 */
export const cursor: Harness = {
  name: "cursor",
  displayName,
  executable: "agent",
  // Many tools ship an `agent`; Cursor's is a link into cursor-agent/versions (https://cursor.com/docs/cli/installation).
  executableMark: "cursor",
  config: {
    directory: ".cursor",
    file: "hooks.json",
    format: "direct-json",
    version: 1,
    timeoutUnit: "seconds",
    // No further members: Cursor can drop a whole file for one that it does not expect, and says nothing
    // (https://github.com/receptron/mulmoterminal/issues/2064). `loop_limit` would only repeat what `loop_count` tells
    // us, and `failClosed` would block every command once roborev is gone.
  },
  registrations: [
    { event: "preToolUse", matcher: "Shell" },
    { event: "postToolUse", matcher: "Shell" },
    { event: "stop" },
  ],
  settingsSection: "agent_hook",
  turns: { activeFlag: "silences" },
  optIn: "cursor_followup",
  // No limit is documented for a follow-up; other context is cut at 10,000 characters.
  maxTextBytes: 10_000,
  malformedExit: 0,
  trial: { conversation_id: "roborev-self-test", tool_name: "Shell" },
  decode: (payload) => decodePayload(displayName, payload, readEvent),
  encode: ({ event }, decision) => {
    if (decision.kind === "none") return "{}";
    if (event !== "Stop" || decision.kind !== "block") return refuseAnswer(event, decision.kind);
    if (decision.text.trim() === "") throw new Error(`an empty text for ${event}`);
    return JSON.stringify({ followup_message: decision.text });
  },
};

function readEvent(payload: Payload): HookEvent | undefined {
  // There is no session_id but at a session's start and end, where it is the same.
  const sessionId = readSessionId(payload, "conversation_id", "session_id");
  const nativeEvent = readString(payload, "hook_event_name") ?? "";
  if (sessionId === undefined) return undefined;
  const name = canonicalEventName(nativeEvent, events);
  const call = isToolEvent(name) ? readCall(payload, shellTools) : noCall;
  const ends = name === "Stop" && endsTurn(payload);
  return defined({
    event: name,
    nativeEvent,
    sessionId,
    cwd: readString(payload, "cwd") ?? firstRoot(payload),
    turnId: readString(payload, "generation_id"),
    channel: ends ? ("block" as const) : undefined,
    endsTurn: ends || undefined,
    toolUseId: readString(payload, "tool_use_id"),
    tool: call.tool,
    command: call.command,
    toolDirectory: call.toolDirectory,
    background: call.background,
  });
}

/** A turn of the user's own: neither aborted nor failed, nor one that a follow-up began. */
function endsTurn(payload: Payload): boolean {
  const rounds = read(payload, "loop_count");
  return read(payload, "status") === "completed" && (rounds === undefined || rounds === 0);
}

/** A stop has no `cwd`, and the hook itself runs in `~/.cursor`. */
function firstRoot(payload: Payload): string | undefined {
  const roots = read(payload, "workspace_roots");
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return typeof root === "string" && root.trim() !== "" ? root : undefined;
}
