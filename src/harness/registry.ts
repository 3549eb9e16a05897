import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { droid } from "./droid.ts";
import { gemini } from "./gemini.ts";
import { grok } from "./grok.ts";
import type { Harness } from "./harness.ts";
import { hermes } from "./hermes.ts";
import { qwen } from "./qwen.ts";

/** Every supported harness, in the order in which they are listed and installed. */
export const harnesses: readonly Harness[] = [
  claude,
  codex,
  copilot,
  cursor,
  droid,
  gemini,
  hermes,
  qwen,
  grok,
];

/** The harness of this name, in any casing and with blanks around it. */
export function findHarness(name: string): Harness | undefined {
  const wanted = name.trim().toLowerCase();
  for (const harness of harnesses) if (harness.name === wanted) return harness;
  return undefined;
}
