import type { Harness } from "../../harness/harness.ts";
import { ownershipMarker, quotePosix } from "../command.ts";
import { unguarded, wordsOf } from "../guard.ts";
import type { Entry } from "./entries.ts";

/** What whoever installed the hooks had chosen, as far as the registrations tell. A repair keeps it. */
export interface Choice {
  timeout: string;
  /** A complete command that install would not have made by itself. */
  command?: string;
  /** The program, when the command is one that install makes. */
  program?: string;
}

export const defaultTimeout = "10s";

export function choiceOf(harness: Harness, ours: readonly Entry[]): Choice {
  const timeout = timeoutOf(harness, ours) ?? defaultTimeout;
  const commands = new Set(ours.map(({ command }) => command));
  const [text] = commands;
  if (text === undefined || commands.size > 1) return { timeout };
  const words = wordsOf(text);
  const [program = ""] = words ?? [];
  if (!words) return { timeout };
  return isGenerated(harness, words) ? { timeout, program } : { timeout, command: unguarded(text), program };
}

/** The one time-out of all registrations in whole seconds; undefined where they disagree or it is no good one. */
function timeoutOf({ config }: Harness, ours: readonly Entry[]): string | undefined {
  const values = new Set(ours.map(({ timeout }) => timeout));
  const [value] = values;
  if (values.size !== 1) return undefined;
  // Without our mark it is from a release that wrote none, and nobody's choice.
  if (value === undefined)
    return ours.every(({ command }) => command.includes(ownershipMarker)) ? "0" : undefined;
  const { timeoutUnit, timeoutRange: range } = config;
  if (range && !(Number(value) >= range.min && Number(value) <= range.max)) return undefined;
  const seconds = Number(value) / (timeoutUnit === "seconds" ? 1 : 1000);
  return typeof value === "number" && Number.isSafeInteger(seconds) && seconds > 0
    ? `${seconds}s`
    : undefined;
}

function isGenerated({ name }: Harness, words: readonly string[]): boolean {
  const [, group, verb, flag, agent, marker, server, , ...more] = words;
  if (group !== "agent-hook" || verb !== "run" || flag !== "--agent" || agent !== name) return false;
  return (
    marker === ownershipMarker && (server === undefined || server === "--roborev-server") && more.length === 0
  );
}

/** The command line that registers a harness again with what was chosen. */
export function installCommandLine(
  harness: Harness,
  options: { timeout: string; command?: string; binary?: string },
) {
  const { timeout, command, binary } = options;
  return [
    `roborev agent-hook install --agent ${harness.name}`,
    ...(timeout === defaultTimeout ? [] : [`--timeout ${timeout}`]),
    ...(binary === undefined ? [] : [`--binary ${quotePosix(binary)}`]),
    ...(command === undefined ? [] : [`--command ${quotePosix(command)}`]),
  ].join(" ");
}
