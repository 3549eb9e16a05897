/**
 * Harnesses that run other harnesses' hooks: Grok Build reads the settings of Claude Code and Cursor, Cursor those of
 * Claude Code. Told by the shape of the payload alone, because variables are inherited by whatever starts a harness.
 */
export function foreignSender(payload: Record<string, unknown>): string | undefined {
  const has = (name: string) => Object.hasOwn(payload, name);
  if (has("workspaceRoot") || has("hookEventName")) return "Grok Build";
  if (has("conversation_id") && has("cursor_version")) return "Cursor";
  return undefined;
}
