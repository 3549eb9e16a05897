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

const byPlainName = new Map(names.map((name) => [plain(name), name]));

/** The canonical name, whatever the casing (`PreToolUse`, `preToolUse`, `pre_tool_use`); `Other` for names unknown to us. */
export function canonicalEventName(native: string): HookEventName {
  return byPlainName.get(plain(native)) ?? "Other";
}

function plain(name: string): string {
  return name.replace(/[_\s-]/g, "").toLowerCase();
}
