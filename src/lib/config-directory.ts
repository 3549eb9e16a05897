import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Environment, Harness } from "../harness/harness.ts";

type Configured = Pick<Harness, "config">;

/** The home directory of the person whose environment this is. */
export const homeOf = (env: Environment): string => env.HOME?.trim() || homedir();

/** Where the harness keeps its configuration: its own variable, else a directory below HOME. */
export function configDirectory(harness: Configured, env: Environment, cwd: string): string {
  const { directory, belowVariable = "", windowsDirectory } = harness.config;
  const moved = movedTo(harness, env);
  if (moved) return resolve(cwd, moved, belowVariable);
  const local = process.platform === "win32" && windowsDirectory && env[windowsDirectory.variable]?.trim();
  return resolve(cwd, local ? join(local, windowsDirectory.directory) : join(homeOf(env), directory));
}

/** What the variable that moves the directory says, if it is set. */
export function movedTo({ config }: Configured, env: Environment): string | undefined {
  return config.directoryVariable === undefined ? undefined : env[config.directoryVariable]?.trim();
}
