import type { HookEventName } from "./harness.ts";

const names: HookEventName[] = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "Notification",
  "PermissionRequest",
];

/** What a harness calls an event in its own way. */
export interface NativeEvent {
  native: string;
  event: HookEventName;
}

const noEvents: readonly NativeEvent[] = [];

/**
 * The canonical name of what a harness calls its event, in its own way or in the common one, whatever the casing
 * (`PreToolUse`, `preToolUse`, `pre_tool_use`); `Other` for names unknown to us.
 */
export function canonicalEventName(native: string, own: readonly NativeEvent[] = noEvents): HookEventName {
  for (const { native: name, event } of own) if (name === native) return event;
  for (const name of names) if (name === native) return name;
  const wanted = folded(native);
  for (const { native: name, event } of own) if (folded(name) === wanted) return event;
  return names.find((name) => folded(name) === wanted) ?? "Other";
}

const folded = (name: string) => name.replaceAll("_", "").toLowerCase();

/** The harness's own spelling of an event. */
export function nativeEventName(event: HookEventName, own: readonly NativeEvent[] = noEvents): string {
  for (const { native, event: canonical } of own) if (canonical === event) return native;
  return event;
}
