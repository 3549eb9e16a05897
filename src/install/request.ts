import { resolve } from "node:path";
import { resolveDataDir } from "../config/paths.ts";
import type { Harness } from "../harness/harness.ts";
import { harnesses } from "../harness/registry.ts";
import { homeOf } from "../lib/config-directory.ts";
import { errorMessage, RoborevError, UsageError } from "../lib/errors.ts";
import { resolveBinary } from "./binary.ts";
import { buildCommand, type HookCommand } from "./command.ts";
import { customCommand } from "./custom-command.ts";
import { explicitAgent, isDetected, selectHarnesses } from "./detect.ts";
import type { Failure, InstallOptions, SelectionOptions } from "./options.ts";
import { systemProbe } from "./probe.ts";
import { parseTimeout } from "./timeout.ts";

/** What an install was asked for, checked. */
export interface InstallRequest {
  selected: Harness[];
  timeoutMs: number;
  command(harness: Harness): HookCommand;
  notices: string[];
}

/** Checks the options in their documented order; the first problem wins and nothing has been written. */
export function checkInstall(options: InstallOptions): InstallRequest {
  const custom = options.command?.trim();
  if (custom && options.binary?.trim())
    throw new UsageError("--binary and --command cannot be used together");
  const timeoutMs = parseTimeout(options.timeout);
  const binary = custom
    ? undefined
    : resolveBinary({
        override: options.binary,
        execPath: options.execPath,
        env: options.env,
        cwd: options.cwd,
        probe: systemProbe,
      });
  if (timeoutMs < 0) throw new UsageError("timeout must be >= 0", { code: "E_TIMEOUT" });
  requireExplicit(options, "--config", options.config);
  requireExplicit(options, "--command", custom);
  const selected = select(options);
  if (selected.length === 0) throw nothingDetected();
  const socketPath = isDefaultDataDir(options) ? undefined : options.socketPath;
  const names = harnesses.map(({ name }) => name);
  const given = custom && customCommand(custom, selected[0]?.name ?? "", names, options.env, systemProbe);
  return {
    selected,
    timeoutMs,
    command: ({ name }) => given || buildCommand(binary?.path ?? "roborev", name, socketPath),
    notices: binary?.notice === undefined ? [] : [binary.notice],
  };
}

/** The harnesses that the options select; none when nothing was named and nothing is there. */
export function select(options: SelectionOptions): Harness[] {
  requireExplicit(options, "--config", options.config);
  const { agent, env, cwd } = options;
  return selectHarnesses(agent, harnesses, (harness) => isDetected(harness, env, cwd, systemProbe));
}

function requireExplicit(options: SelectionOptions, flag: string, value: string | undefined): void {
  if (value?.trim() && explicitAgent(options.agent) === undefined) {
    throw new UsageError(`${flag} requires one explicit agent`, { hint: "Add --agent NAME." });
  }
}

/** A harness may hide the environment from its hooks, so another data directory has to be in the command. */
function isDefaultDataDir({ dataDir, env }: SelectionOptions): boolean {
  return resolve(dataDir) === resolve(resolveDataDir({ HOME: homeOf(env) }));
}

/** The arguments were fine: what is missing is on this machine. */
function nothingDetected(): RoborevError {
  return new RoborevError("no coding agents were detected", {
    code: "E_AGENT",
    hint: "Name one with --agent NAME, or install for every supported one with --agent all.",
  });
}

/** The report names the file already: `FILE:3:1: bad`, `FILE is a directory`, `cannot remove FILE: why`. */
function withoutPath(message: string, path = ""): string {
  if (message.startsWith(`${path}:`)) return `at ${message.slice(path.length + 1)}`;
  if (message.startsWith(`${path} `)) return message.slice(path.length + 1);
  return message.replace(` ${path}:`, ":");
}

/** One agent's failure for the report, with what can be done about it. */
export function failureOf(harness: Harness, path: string | undefined, error: unknown): Failure {
  const hint = error instanceof RoborevError ? error.hint : undefined;
  const message = withoutPath(errorMessage(error), path);
  const cause = hint === undefined ? message : `${message}. ${hint}`;
  return { displayName: harness.displayName, ...(path === undefined ? {} : { path }), cause };
}
