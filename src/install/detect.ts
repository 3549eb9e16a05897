import { isAbsolute, join, resolve } from "node:path";
import { canonicalAgent } from "../config/agent-name.ts";
import type { Harness } from "../harness/harness.ts";
import { harnessNames } from "../harness/names.ts";
import { configDirectory, homeOf, movedTo } from "../lib/config-directory.ts";
import { UsageError } from "../lib/errors.ts";
import type { Environment } from "./options.ts";

/** What the file system is asked while an install is decided. */
export interface Probe {
  isDirectory(path: string): boolean;
  /** A regular file, or a link to one, that may be executed. */
  isExecutable(path: string): boolean;
}

/** What a program is asked that others might have the name of. */
export interface ProgramProbe extends Probe {
  realPath(path: string): string | undefined;
  /** What it prints for `--version`. */
  versionText(path: string): string | undefined;
}

/** The directories of the user in which the harness's own may lie. */
export function configHomes(harness: Harness, env: Environment): string[] {
  const moved = harness.config.belowVariable === undefined ? undefined : movedTo(harness, env);
  return moved ? [homeOf(env), moved] : [homeOf(env)];
}

/** The file that `--config` names, if it names one. */
export function givenPath(config: string | undefined, env: Environment, cwd: string): string | undefined {
  const given = config?.trim();
  if (!given) return undefined;
  return given.startsWith("~/") ? join(homeOf(env), given.slice(2)) : resolve(cwd, given);
}

export function configPath(harness: Harness, env: Environment, cwd: string): string {
  return join(configDirectory(harness, env, cwd), harness.config.file);
}

/** An agent is there when its program is on PATH or its configuration directory exists. */
export function isDetected(harness: Harness, env: Environment, cwd: string, probe: ProgramProbe): boolean {
  if (probe.isDirectory(configDirectory(harness, env, cwd))) return true;
  const program = findOnPath(harness.executable, env, probe);
  return program !== undefined && isGenuine(harness, program, probe);
}

/** Whether a program with a common name is the one of this agent. */
function isGenuine({ executableMark }: Harness, program: string, probe: ProgramProbe): boolean {
  if (executableMark === undefined) return true;
  const says = (text: string | undefined) => text?.toLowerCase().includes(executableMark) ?? false;
  return says(probe.realPath(program)) || says(probe.versionText(program));
}

/** First executable `name` on PATH. Relative entries would mean another file per directory and do not count. */
export function findOnPath(name: string, env: Environment, probe: Probe): string | undefined {
  const directories = (env.PATH ?? "").split(process.platform === "win32" ? ";" : ":").filter(isAbsolute);
  return directories.map((directory) => join(directory, name)).find((path) => probe.isExecutable(path));
}

/** The one agent that `--agent` names, if it names exactly one; the reviewer's name of a program is its agent's as well. */
export function explicitAgent(agent: string | undefined): string | undefined {
  const name = agent?.trim().toLowerCase();
  if (name === undefined || name === "" || name === "all") return undefined;
  return harnessNames.find((own) => canonicalAgent(own) === canonicalAgent(name)) ?? name;
}

/** The harnesses that `--agent` selects, in their fixed order; without it, those that `isThere`. */
export function selectHarnesses(
  agent: string | undefined,
  all: readonly Harness[],
  isThere: (harness: Harness) => boolean,
): Harness[] {
  const name = explicitAgent(agent);
  if (name === undefined) return agent?.trim() ? [...all] : all.filter(isThere);
  const found = all.find((harness) => harness.name === name);
  if (found) return [found];
  throw new UsageError(`unsupported agent hook integration ${JSON.stringify(agent?.trim())}`, {
    code: "E_AGENT",
    hint: `Choose one of ${all.map((harness) => harness.name).join(", ")}, or all.`,
  });
}
