import { beforeToolEvents, harnessNames } from "../harness/names.ts";
import type { HookOptions } from "./args.ts";

// The most frequent call of all, a command that does not name git before it runs, is answered by these two looks.
// Loading the decoders, the recogniser and the transport for it would cost a fifth of what an empty program takes.

/** Whether a payload asks for nothing, to be seen without decoding it. Everything else is judged in full. */
export function isSilentAtSight(fields: Record<string, unknown>): boolean {
  if (!isOneOf(beforeToolEvents, fields.hook_event_name)) return false;
  const { session_id: session, tool_name: tool, tool_input: input } = fields;
  if (!isShortText(session) || !isShortText(tool)) return false;
  if (typeof input !== "object" || input === null) return false;
  const { command } = input as { command?: unknown };
  return typeof command === "string" && !namesGit(command);
}

/**
 * Whether a shell command may run git, or one of the programs that commit in its place (jj, hub); without, no look
 * into it is needed to know that it cannot commit.
 */
export function namesGit(command: string): boolean {
  const text = command.toLowerCase();
  return text.includes("git") || text.includes("jj") || text.includes("hub");
}

/** What the arguments ask, when they are beyond doubt those that our installer writes; undefined for any others. */
export function installedOptions(args: readonly string[]): HookOptions | undefined {
  let agent: string | undefined;
  let server: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as string;
    if (argument === "--agent") {
      agent = args[++at];
      if (!isOneOf(harnessNames, agent)) return undefined;
    } else if (argument === "--roborev-server") {
      server = args[++at];
      if (server === undefined) return undefined;
    } else if (!argument.startsWith("--source=")) return undefined;
  }
  if (agent === undefined) return undefined;
  return server === undefined ? { agent } : { agent, server };
}

function isOneOf(names: readonly string[], value: unknown): boolean {
  for (const name of names) if (name === value) return true;
  return false;
}

/** Neither blank nor longer than any id: those are told apart with the rest. */
function isShortText(value: unknown): boolean {
  return typeof value === "string" && value.length <= 512 && value.trim() !== "";
}
