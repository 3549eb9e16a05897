/**
 * Names of all supported harnesses, in the order in which they are listed and installed. Apart from the registry, so
 * that a hook call that has nothing to say need not load nine codecs to know its own `--agent`.
 */
export const harnessNames: readonly string[] = [
  "claude",
  "codex",
  "copilot",
  "cursor",
  "droid",
  "gemini",
  "hermes",
  "qwen",
  "grok",
];

/** The canonical name, from any casing and with blanks around it; undefined for no harness. */
export function harnessName(text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  for (const name of harnessNames) if (name === wanted) return name;
  return undefined;
}

/** What harnesses whose payloads look alike call the event before a tool, to be told without a codec as well. */
export const beforeToolEvents: readonly string[] = ["PreToolUse", "BeforeTool", "pre_tool_call"];
