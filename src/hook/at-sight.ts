import { beforeToolEvents, harnessNames } from "../harness/names.ts";

// The most frequent call of all, a command that does not name git before it runs, is answered by these two looks.
// Loading the decoders, the recogniser and the transport for it would cost a fifth of what an empty program takes.

/** Whether a payload asks for nothing, to be seen without decoding it. Everything else is judged in full. */
export function isSilentAtSight(fields: Record<string, unknown>): boolean {
  if (!isOneOf(beforeToolEvents, fields.hook_event_name)) return false;
  const { session_id: session, tool_name: tool, tool_input: input } = fields;
  if (!isShortText(session) || !isShortText(tool)) return false;
  if (typeof input !== "object" || input === null) return false;
  const { command } = input as { command?: unknown };
  return typeof command === "string" && !command.toLowerCase().includes("git");
}

/** Whether the arguments are, beyond doubt, those that our installer writes. */
export function isInstalledForm(args: readonly string[]): boolean {
  let named = false;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as string;
    if (argument === "--agent") {
      named = isOneOf(harnessNames, args[++at]);
      if (!named) return false;
    } else if (argument === "--roborev-server") at++;
    else if (!argument.startsWith("--source=")) return false;
  }
  return named;
}

function isOneOf(names: readonly string[], value: unknown): boolean {
  for (const name of names) if (name === value) return true;
  return false;
}

/** Neither blank nor longer than any id: those are told apart with the rest. */
function isShortText(value: unknown): boolean {
  return typeof value === "string" && value.length <= 512 && value.trim() !== "";
}
