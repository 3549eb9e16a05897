import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { droid } from "./droid.ts";
import { gemini } from "./gemini.ts";
import type { Harness } from "./harness.ts";
import { qwen } from "./qwen.ts";

/** Every supported harness, in the order in which they are listed and installed. */
export const harnesses: readonly Harness[] = [claude, codex, copilot, droid, gemini, qwen];

/** The harness of this name, in any casing and with blanks around it. */
export function findHarness(name: string): Harness | undefined {
  const wanted = name.trim().toLowerCase();
  for (const harness of harnesses) if (harness.name === wanted) return harness;
  return undefined;
}
