/** Harnesses that also run hooks written for another one; named as they are shown. */
export type Sender = "Cursor" | "GitHub Copilot CLI" | "Grok Build";

/**
 * Whose payload this is, when it is not that of the harness whose profile was asked for. Grok Build reads the settings
 * of Claude Code and Cursor (https://docs.x.ai/build/features/hooks), Cursor those of Claude Code
 * (https://cursor.com/docs/reference/third-party-hooks), GitHub Copilot CLI those that a repository holds for Claude
 * Code. Told by the shape of the payload alone, because variables are inherited by whatever starts a harness.
 */
export function foreignSender(payload: Record<string, unknown>, own?: Sender): Sender | undefined {
  const sender = senderOf(payload);
  return sender === own ? undefined : sender;
}

function senderOf(payload: Record<string, unknown>): Sender | undefined {
  if (Object.hasOwn(payload, "workspaceRoot") || Object.hasOwn(payload, "hookEventName")) return "Grok Build";
  if (Object.hasOwn(payload, "cursor_version") && Object.hasOwn(payload, "conversation_id")) return "Cursor";
  return isCopilot(payload) ? "GitHub Copilot CLI" : undefined;
}

/**
 * Nothing in Copilot's payloads names it (1.0.102, PascalCase events). Claude Code and Codex send no `timestamp` and
 * always a `permission_mode` where it matters; Gemini CLI and Qwen Code send a `transcript_path` with every event.
 */
function isCopilot(payload: Record<string, unknown>): boolean {
  if (!Object.hasOwn(payload, "timestamp") || Object.hasOwn(payload, "permission_mode")) return false;
  return Object.hasOwn(payload, "stop_reason") || !Object.hasOwn(payload, "transcript_path");
}
