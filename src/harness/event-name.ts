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

/** The canonical name, whatever the casing (`PreToolUse`, `preToolUse`, `pre_tool_use`); `Other` for names unknown to us. */
export function canonicalEventName(native: string): HookEventName {
  for (const name of names) if (name === native) return name;
  const wanted = native.replaceAll("_", "").toLowerCase();
  return names.find((name) => name.toLowerCase() === wanted) ?? "Other";
}
