import { closeSync, openSync } from "node:fs";
import type { DataPaths } from "../config/paths.ts";
import { ensureDataDirectory } from "../fs/private.ts";
import { RoborevError } from "../lib/errors.ts";
import { runMarkName } from "../lib/run-mark.ts";
import { isCompiled, selfCommand } from "../lib/self.ts";

export interface Launched {
  pid: number;
  /** Exit status, once the process has ended. */
  exitCode(): number | null;
}

/** Starts a daemon, or has it started: then there is no process whose end could be seen. */
export type Launch = (paths: DataPaths) => Promise<Pick<Launched, "exitCode">>;

// Which git configuration is in force is the user's choice, not a git hook's.
const keptGit = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

/** The caller's environment without what belongs to the caller alone: a git hook's repository, a reviewer's job. */
export function daemonEnvironment(env: Record<string, string | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || (name.startsWith("GIT_") && !keptGit.includes(name))) continue;
    if (["ROBOREV_REVIEW_JOB", "ROBOREV_FIX_JOB", runMarkName].includes(name)) continue;
    kept[name] = value;
  }
  return kept;
}

/** `daemon run` of this same program. */
function daemonCommand(): string[] {
  const self = selfCommand();
  if (!isCompiled() && !/[\\/]main\.[jt]s$/.test(Bun.main)) {
    throw new RoborevError(`a daemon cannot be started from ${Bun.main}`, {
      code: "E_EPHEMERAL",
      hint: "Start it with the installed program: roborev daemon start",
    });
  }
  return [...self, "daemon", "run"];
}

/**
 * Starts the daemon in a session of its own: none of the caller's streams, its terminal or its directory is held,
 * so that a git hook or a closed terminal neither waits for it nor takes it down.
 */
export async function launchDaemon(paths: DataPaths, argv: string[] = daemonCommand()): Promise<Launched> {
  await ensureDataDirectory(paths.dataDir);
  const log = openSync(paths.daemonLog, "a", 0o600);
  try {
    const child = Bun.spawn(argv, {
      cwd: "/",
      env: { ...daemonEnvironment(process.env), ROBOREV_DATA_DIR: paths.dataDir },
      stdin: "ignore",
      stdout: log,
      stderr: log,
      detached: true, // setsid
    });
    child.unref();
    return { pid: child.pid, exitCode: () => child.exitCode ?? (child.signalCode ? 1 : null) };
  } catch (cause) {
    throw new RoborevError(`cannot start the daemon: ${cause instanceof Error ? cause.message : cause}`, {
      code: "E_SPAWN",
      cause,
    });
  } finally {
    closeSync(log);
  }
}
