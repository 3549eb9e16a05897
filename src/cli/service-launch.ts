import { join } from "node:path";
import { type Launch, launchDaemon } from "../client/start.ts";
import type { DataPaths } from "../config/paths.ts";
import { knownServiceManager, type ServiceManager } from "../install/service/service.ts";
import { homeOf } from "../lib/config-directory.ts";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import type { World } from "./command.ts";
import type { Output } from "./output.ts";

interface Where extends Pick<World, "env"> {
  paths(): DataPaths;
  out: Pick<Output, "note">;
}

/** A service that is installed for the daemon of a data directory. */
export interface InstalledService {
  manager: ServiceManager;
  path: string;
  state: "ours" | "edited";
}

/** The data directory where a daemon has to be told of it. */
export const namedDataDir = ({ dataDir }: DataPaths, env: World["env"]): string | undefined =>
  dataDir === join(homeOf(env), ".roborev") ? undefined : dataDir;

/** The service that runs this data directory's daemon, if there is one. */
export async function installedService(
  paths: DataPaths,
  env: World["env"],
  manager = knownServiceManager(),
): Promise<InstalledService | undefined> {
  if (manager === undefined) return undefined;
  const { readServiceFile } = await import("../install/service/service-file.ts");
  const path = manager.path(env);
  const file = await readServiceFile(path);
  if (file.state !== "ours" && file.state !== "edited") return undefined;
  return manager.serves(file.text, namedDataDir(paths, env))
    ? { manager, path, state: file.state }
    : undefined;
}

/** The same for whoever goes on without one: a file that cannot be looked at is told of, and is none. */
export async function knownService({ env, out, paths }: Where): Promise<InstalledService | undefined> {
  const place = paths(); // a data directory that cannot be is no matter of services
  try {
    return await installedService(place, env);
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    out.note(`Whether the daemon has a service is not known: ${errorMessage(error)}`);
    return undefined;
  }
}

/** Starts the daemon by its service, where it has one and that can be started; else by ourselves, with `argv` if given. */
export function serviceLaunch({ env, out }: Pick<Where, "env" | "out">, argv?: string[]): Launch {
  return async (paths) => {
    const service = await knownService({ env, out, paths: () => paths });
    if (service === undefined) return launchDaemon(paths, argv);
    const { trySteps } = await import("../install/service/control.ts");
    const problem = await trySteps(service.manager.start(service.path), env);
    if (problem === undefined) return { exitCode: () => null };
    out.note(`The daemon starts without its service: ${problem}`);
    return launchDaemon(paths, argv);
  };
}

/** So that nobody starts the daemon again that was just ended. */
export async function stopService(where: Where): Promise<void> {
  const service = await knownService(where);
  if (service === undefined) return;
  const { runSteps } = await import("../install/service/control.ts");
  await runSteps(service.manager.stop, where.env);
}
