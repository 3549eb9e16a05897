import type { Harness } from "../harness/harness.ts";
import { ownershipMarker } from "./command.ts";
import { wordsOf } from "./guard.ts";

/** Whether a registered command is ours: by the marker as a whole word, or as an old registration of ours. */
export function isOurs(harness: Harness, command: string): boolean {
  const words = wordsOf(command);
  if (!words) return false; // needs a shell: somebody's own wrapper
  return words.includes(ownershipMarker) || isLegacy(harness, words);
}

/** Registrations of earlier releases had no marker; how to tell them is data of the harness. */
function isLegacy({ name: own, legacy, legacyGroup }: Harness, words: string[]): boolean {
  const [program = "", group = "", verb, ...rest] = words;
  const name = program.split(/[/\\]/).at(-1)?.toLowerCase();
  if (legacy === undefined || (name !== "roborev" && name !== "roborev.exe") || verb !== "run") return false;
  if (group !== "agent-hook" && group !== legacyGroup) return false;
  const selected = selectors(rest);
  if (legacy === "no-agent-flag" || (group === legacyGroup && selected.length === 0))
    return selected.length === 0;
  return selected.length === 1 && selected[0]?.trim().toLowerCase() === own;
}

/** Values of every `--agent`. */
function selectors(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (word === "--agent") return [words[at + 1] ?? ""];
    return word.startsWith("--agent=") ? [word.slice("--agent=".length)] : [];
  });
}
