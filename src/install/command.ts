import type { JsonValue } from "../edit/tree.ts";
import type { Harness, Registration } from "../harness/harness.ts";
import { UsageError } from "../lib/errors.ts";
import { guarded, powershellLine } from "./guard.ts";

/** Carried by every command that we register, as a word of its own. */
export const ownershipMarker = "--source=roborev-agent-hook";

/** The command of a registration, before it is written the way a harness wants it. */
export interface HookCommand {
  /** For a POSIX shell, or exactly what `--command` said. */
  text: string;
  /** Known when we built the command ourselves. */
  argv?: string[];
}

/** The command that runs our hook for `agent`, talking to the daemon at `socketPath` if one is given. */
export function buildCommand(binary: string, agent: string, socketPath?: string): HookCommand {
  const argv = [binary, "agent-hook", "run", "--agent", agent, ownershipMarker];
  if (socketPath !== undefined) argv.push("--roborev-server", `unix://${socketPath}`);
  return { text: argv.map(quotePosix).join(" "), argv };
}

/** One word for a POSIX shell. `=` is quoted too: a first word with `=` would be an assignment. */
export function quotePosix(word: string): string {
  return /^[A-Za-z0-9/._+:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The line that the harness hands to its shell. */
export function registeredLine({ config }: Harness, command: HookCommand): string {
  return config.guard === undefined ? command.text : guarded(config.guard, command.text);
}

/**
 * One registration as the harness's file holds it: a handler of a group, whose matcher is the group's, or a flat entry
 * with its matcher. A timeout of 0 leaves the member out.
 */
export function entryOf(
  harness: Harness,
  { matcher }: Registration,
  command: HookCommand,
  timeoutMs: number,
): { [key: string]: JsonValue } {
  const { format, entryFields, timeoutField = "timeout" } = harness.config;
  const isFlat = format !== "nested-json";
  return {
    ...(isFlat ? {} : { type: "command" }),
    ...entryFields,
    ...(isFlat && matcher !== undefined ? { matcher } : {}),
    ...commandMembers(harness, command),
    ...(timeoutMs > 0 ? { [timeoutField]: timeoutOf(harness, timeoutMs) } : {}),
  };
}

function commandMembers(harness: Harness, command: HookCommand): { [key: string]: string } {
  const { commandFields = ["command"], guard } = harness.config;
  const line = registeredLine(harness, command);
  const { argv } = command;
  if (!argv) return { command: line };
  const members = commandFields.map((field) => [
    field,
    field === "powershell" ? powershellLine(guard, argv) : line,
  ]);
  return Object.fromEntries(members);
}

/** In the harness's unit; refused where the harness would read something else from the number. */
function timeoutOf({ displayName, config }: Harness, timeoutMs: number): number {
  const { timeoutUnit, timeoutRange } = config;
  const unitMs = timeoutUnit === "seconds" ? 1000 : 1;
  const value = timeoutMs / unitMs;
  if (!timeoutRange || (value >= timeoutRange.min && value <= timeoutRange.max)) return value;
  const [min, max] = [timeoutRange.min, timeoutRange.max].map((bound) => (bound * unitMs) / 1000);
  throw new UsageError(
    `timeout must be between ${min} and ${max} seconds for ${displayName}, got ${timeoutMs / 1000}`,
    {
      code: "E_TIMEOUT",
      hint: "Give another --timeout; 0 leaves it to the agent.",
    },
  );
}
