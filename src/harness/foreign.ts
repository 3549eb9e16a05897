/** Harnesses that also run hooks written for another one; named as they are shown. */
export type Sender = "Cursor" | "GitHub Copilot CLI" | "Grok Build";

/**
 * Whose payload this is, when it is not that of the harness whose profile was asked for. Grok Build reads the settings
 * of Claude Code and Cursor (https://docs.x.ai/build/features/hooks), Cursor those of Claude Code
 * (https://cursor.com/docs/reference/third-party-hooks), GitHub Copilot CLI those that a repository holds for Claude
 * Code. Told by the shape of the payload alone, because variables are inherited by whatever starts a harness.
 */
export function foreignSender(payload: Record<string, unknown>, own?: Sender): Sender | undefined {
  let sender: Sender | undefined;
  if ("workspaceRoot" in payload || "hookEventName" in payload) sender = "Grok Build";
  else if ("cursor_version" in payload && "conversation_id" in payload) sender = "Cursor";
  // Nothing in Copilot's payloads names it (1.0.102, PascalCase events). Claude Code and Codex send no `timestamp` and
  // always a `permission_mode` where it matters; Gemini CLI and Qwen Code send a `transcript_path` with every event.
  else if ("timestamp" in payload && !("permission_mode" in payload))
    if ("stop_reason" in payload || !("transcript_path" in payload)) sender = "GitHub Copilot CLI";
  return sender === own ? undefined : sender;
}
