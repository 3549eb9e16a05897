import { daemonSocketPath } from "../client/socket-path.ts";
import type { Failure, InstallOptions, Outcome } from "../install/options.ts";
import { failureLine } from "../install/report.ts";
import { RoborevError } from "../lib/errors.ts";
import type { Context } from "./command.ts";
import type { Output } from "./output.ts";

/** Flags that more than one agent-hook command takes. */
export const agentFlag = {
  type: "string",
  valueHint: "name",
  description: "Coding agent, or all (default: those found here)",
} as const;
export const configFlag = {
  type: "string",
  valueHint: "path",
  description: "Configuration file of the agent, with --agent",
} as const;
export const commandFlag = {
  type: "string",
  valueHint: "command",
  description: "Complete hook command to register, with --agent",
} as const;
export const timeoutFlag = {
  type: "string",
  default: "10s",
  valueHint: "duration",
  description: "How long the agent waits for the hook, 0 leaves it out",
} as const;
export const dryRunFlag = { type: "boolean", description: "Say what would change, write nothing" } as const;

/** Of earlier releases. */
export const removedFlags = {
  "codex-config": "Use --agent codex --config <path>.",
  "claude-config": "Use --agent claude --config <path>.",
  scope: "Leave it out: hooks are always registered for the user.",
};

/** What the installer wants to know of the world. */
export function installWorld(
  context: Context,
): Pick<InstallOptions, "env" | "cwd" | "dataDir" | "socketPath" | "execPath"> {
  const { dataDir } = context.paths();
  return {
    env: context.env,
    cwd: context.cwd(),
    dataDir,
    socketPath: daemonSocketPath(dataDir),
    execPath: process.execPath,
  };
}

/** Prints what happened to each agent; throws the failures, joined, after everything that succeeded. */
export function reportOutcome(outcome: Outcome, out: Output, json: boolean): number {
  if (json) {
    out.json(outcome);
    for (const failure of outcome.failures) out.note(`Error: ${failureLine(failure)}`);
    return outcome.failures.length > 0 ? 1 : 0;
  }
  for (const line of outcome.lines) out.print(line);
  for (const notice of outcome.notices) out.note(notice);
  if (outcome.failures.length === 1) {
    throw new RoborevError(failureLine(outcome.failures[0] as Failure), { code: "E_AGENT_HOOK" });
  }
  for (const failure of outcome.failures) out.note(`Error: ${failureLine(failure)}`);
  return outcome.failures.length > 0 ? 1 : 0;
}
