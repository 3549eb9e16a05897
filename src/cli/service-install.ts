import { join } from "node:path";
import { createDaemonClient } from "../client/daemon.ts";
import { handOver } from "../client/ensure.ts";
import { probeDaemon } from "../client/probe.ts";
import { daemonSocketPath } from "../client/socket-path.ts";
import { stopDaemon } from "../client/stop.ts";
import type { DataPaths } from "../config/paths.ts";
import type { Ping } from "../daemon/api/responses.ts";
import { ensureDataDirectory } from "../fs/private.ts";
import { byHand, trySteps } from "../install/service/control.ts";
import type { ServiceManager, Step } from "../install/service/service.ts";
import {
  readServiceFile,
  removeServiceFile,
  requireOurs,
  restoreServiceFile,
  writeServiceFile,
} from "../install/service/service-file.ts";
import { RoborevError } from "../lib/errors.ts";
import { version } from "../lib/version.ts";
import { sealed } from "../skills/seal.ts";
import type { Context, World } from "./command.ts";
import { namedDataDir } from "./service-launch.ts";

type Where = Pick<Context, "env" | "flags" | "out" | "paths">;

/** A service's file as it will be. */
export interface PlannedService {
  manager: string;
  path: string;
  text: string;
}

/** The complete file; nothing is touched. */
export function plannedService(
  manager: ServiceManager,
  { binary, paths, env }: { binary: string; paths: DataPaths; env: World["env"] },
): PlannedService {
  const dataDir = namedDataDir(paths, env);
  const log = join(paths.dataDir, "daemon.log");
  const text = manager.text({ binary, log, ...(dataDir === undefined ? {} : { dataDir }) });
  return { manager: manager.name, path: manager.path(env), text: sealed(text) };
}

/** A service manager may take a while until it starts what it was told to. */
const startTimeoutMs = 15_000;

/** Writes the file, stops whichever daemon runs, and has the service manager start its own. */
export async function installService(
  context: Where,
  manager: ServiceManager,
  plan: PlannedService,
  force: boolean,
): Promise<void> {
  const { env, flags, out } = context;
  const paths = context.paths();
  const { path } = plan;
  const former = await readServiceFile(path);
  requireOurs(path, former, force);
  await ensureDataDirectory(paths.dataDir); // where the service's first words go
  const written = await writeServiceFile(path, plan.text, former);
  const asked = async (steps: readonly Step[], undo: readonly Step[]) => {
    const problem = await trySteps(steps, env);
    if (problem === undefined) return;
    await trySteps(undo, env); // what was refused is told, not what was no use after it
    // A file that nobody obeys would be named at every later start.
    await restoreServiceFile(path, former, written);
    await trySteps(manager.forget, env);
    throw refusal(problem, written.changed);
  };
  // Nobody's daemon is stopped for a service manager that is not there.
  await asked(manager.check, []);
  if (!flags.json) out.print(`${written.changed ? "Wrote" : "Unchanged:"} ${path}`);
  if (written.kept !== undefined) out.note(`Its former content is in ${written.kept}`);
  const launch = async () => {
    await asked(manager.enable(path), former.state === "absent" ? manager.disable : []);
    return { exitCode: () => null };
  };
  using _ = out.waiting(`Waiting for ${manager.name} to start the daemon`);
  const running = written.changed ? undefined : await runningAs(manager, paths);
  const ping =
    running ??
    (await handOver({ paths, launch, autostart: true, startTimeoutMs }, () => stopDaemon({ paths })));
  if (flags.json) {
    const { text: _, ...file } = plan;
    out.json({ ...file, ...written, started: running === undefined, pid: ping.pid, version: ping.version });
    return;
  }
  const verb = running === undefined ? "started" : "is kept running";
  out.print(`Daemon ${verb} by ${manager.name} (pid ${ping.pid}, version ${ping.version})`);
  if (manager.note !== undefined) out.note(manager.note);
}

const refusal = (problem: string, isUndone: boolean) =>
  new RoborevError(isUndone ? `${problem}; the file of the service is as it was before` : problem, {
    code: "E_SERVICE",
    hint: "Try again where you are logged in; the file alone is printed by: roborev daemon install-service --print",
  });

/** The daemon, if it is the service's and of this version. */
async function runningAs(manager: ServiceManager, { dataDir }: DataPaths): Promise<Ping | undefined> {
  const probe = await probeDaemon(createDaemonClient(daemonSocketPath(dataDir)));
  if (probe.state !== "running") return undefined;
  return probe.ping.managed_by === manager.name && probe.ping.version === version ? probe.ping : undefined;
}

/** Has the service manager stop and forget the service, and removes its file, which goes whatever that one says. */
export async function uninstallService(
  context: Where,
  manager: ServiceManager,
  force: boolean,
): Promise<void> {
  const { env, flags, out } = context;
  const path = manager.path(env);
  const former = await readServiceFile(path);
  if (former.state === "absent") {
    if (flags.json) out.json({ manager: manager.name, path, removed: false });
    else out.print("No service is installed");
    return;
  }
  requireOurs(path, former, force);
  using _ = out.waiting("Stopping the service");
  const refused = await trySteps(manager.disable, env);
  const removed = await removeServiceFile(path, former);
  const problem = refused ?? (await trySteps(manager.forget, env));
  if (problem !== undefined) {
    const kept = removed.kept === undefined ? "" : `; its former content is in ${removed.kept}`;
    throw new RoborevError(`removed ${path}${kept}, but ${problem}`, {
      code: "E_SERVICE",
      hint: `What it started may still run. Where you are logged in, run: ${byHand([...manager.stop, ...manager.forget])}`,
    });
  }
  if (flags.json) out.json({ manager: manager.name, path, removed: true, ...removed });
  else out.print(`Removed ${path}`);
  if (removed.kept !== undefined) out.note(`Its former content is in ${removed.kept}`);
}
