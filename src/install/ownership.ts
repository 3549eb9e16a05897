import type { Harness } from "../harness/harness.ts";
import { splitCommand } from "../lib/shell-words.ts";
import { ownershipMarker } from "./command.ts";

/** Whether a registered command is ours: by the marker as a whole word, or as an old registration of ours. */
export function isOurs(harness: Harness, command: string): boolean {
  const split = splitCommand(command);
  if ("error" in split) return false; // needs a shell: somebody's own wrapper
  return split.words.includes(ownershipMarker) || isLegacy(harness, split.words);
}

/** Registrations of earlier releases had no marker; how to tell them is data of the harness. */
function isLegacy(harness: Harness, words: string[]): boolean {
  const [program = "", group, verb, ...rest] = words;
  if (harness.legacy !== "no-agent-flag") return false;
  const name = program.split(/[/\\]/).at(-1)?.toLowerCase();
  if (name !== "roborev" && name !== "roborev.exe") return false;
  if (group !== "agent-hook" || verb !== "run") return false;
  return !rest.some((word) => word === "--agent" || word.startsWith("--agent="));
}
