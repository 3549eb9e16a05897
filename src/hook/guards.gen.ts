// Made by `bun run gen` from the schemas that it names. Do not edit.
import type { HookEvent } from "../daemon/api/canonical-event.ts";
import type { HookAnswerBody } from "../daemon/api/hook-event.ts";

export function isHookEvent(input: unknown): input is HookEvent {
  const value = input as Record<string, unknown>;
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    (value.event === "SessionStart" ||
      value.event === "SessionEnd" ||
      value.event === "UserPromptSubmit" ||
      value.event === "PreToolUse" ||
      value.event === "PostToolUse" ||
      value.event === "PostToolUseFailure" ||
      value.event === "Stop" ||
      value.event === "SubagentStart" ||
      value.event === "SubagentStop" ||
      value.event === "PreCompact" ||
      value.event === "PostCompact" ||
      value.event === "Notification" ||
      value.event === "PermissionRequest" ||
      value.event === "Other") &&
    typeof value.nativeEvent === "string" &&
    typeof value.sessionId === "string" &&
    value.sessionId.length <= 512 &&
    value.sessionId.length >= 1 &&
    (value.cwd !== undefined ? typeof value.cwd === "string" : true) &&
    (value.turnId !== undefined ? typeof value.turnId === "string" : true) &&
    (value.stopHookActive !== undefined ? typeof value.stopHookActive === "boolean" : true) &&
    (value.channel !== undefined ? value.channel === "context" || value.channel === "block" : true) &&
    (value.endsTurn !== undefined ? typeof value.endsTurn === "boolean" : true) &&
    (value.wakeUp !== undefined ? typeof value.wakeUp === "boolean" : true) &&
    (value.tool !== undefined ? typeof value.tool === "string" : true) &&
    (value.toolUseId !== undefined ? typeof value.toolUseId === "string" : true) &&
    (value.command !== undefined ? typeof value.command === "string" : true) &&
    (value.toolDirectory !== undefined ? typeof value.toolDirectory === "string" : true) &&
    (value.background !== undefined ? typeof value.background === "boolean" : true) &&
    (value.agentId !== undefined ? typeof value.agentId === "string" : true)
  );
}

export function isHookAnswerBody(input: unknown): input is HookAnswerBody {
  const value = input as Record<string, unknown>;
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    typeof value.triggered === "boolean" &&
    (value.reason !== undefined ? typeof value.reason === "string" : true) &&
    (value.diagnostic !== undefined ? typeof value.diagnostic === "string" : true)
  );
}
