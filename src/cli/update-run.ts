import { rm } from "node:fs/promises";
import { createDaemonClient } from "../client/daemon.ts";
import { startDaemon } from "../client/ensure.ts";
import { probeDaemon } from "../client/probe.ts";
import { daemonSocketPath } from "../client/socket-path.ts";
import type { Launch } from "../client/start.ts";
import { stopDaemon } from "../client/stop.ts";
import type { DataPaths } from "../config/paths.ts";
import type { DrainMode } from "../daemon/api/requests.ts";
import type { Ping } from "../daemon/api/responses.ts";
import { withLock } from "../fs/lock.ts";
import { formerOf, swapFile } from "../fs/swap.ts";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import { plural } from "../lib/text.ts";
import type { ReleaseSource } from "../update/source.ts";
import { type Staged, stageRelease } from "../update/stage.ts";
import type { Release } from "../update/sums.ts";
import type { Context } from "./command.ts";
import { serviceLaunch } from "./service-launch.ts";

export interface UpdateRequest {
  source: ReleaseSource;
  release: Release;
  platform: string;
  /** What becomes of running reviews. */
  running: DrainMode;
  /** false: the daemon that runs stays as it is. */
  restart: boolean;
}

export interface Updated {
  version: string;
  archive: string;
  bytes: number;
  /** The daemon that runs the new program; undefined where none ran before, or it was to be left alone. */
  daemon?: Ping;
}

type World = Pick<Context, "env" | "paths" | "program" | "signal" | "out">;

/**
 * Downloads, verifies, stops the daemon, replaces the program and starts the daemon again. Until the program is replaced
 * everything that fails, an interrupt too, leaves program and daemon as they were. Afterwards the former program is
 * kept until the new one has proved itself.
 */
export async function installRelease(world: World, request: UpdateRequest): Promise<Updated> {
  const { program } = world;
  const paths = world.paths();
  return await withLock(paths.updateLock, 0, async () => {
    if (request.restart && request.running === "abort") await refuseWhileBusy(paths);
    using staged = await download(world, request);
    using _ = world.out.waiting("Installing");
    const isStopped = await swap(world, request, staged);
    const result = { version: staged.version, archive: request.release.archive, bytes: staged.bytes };
    const daemon = isStopped ? await startNew(world, staged.version) : undefined;
    await rm(formerOf(program.path), { force: true }).catch((error) => {
      // A system that does not let go of a running program's file: the next update removes it.
      world.out.detail(`${formerOf(program.path)} is still there: ${errorMessage(error)}`);
    });
    return { ...result, ...(daemon === undefined ? {} : { daemon }) };
  });
}

async function download({ program, signal, out }: World, request: UpdateRequest): Promise<Staged> {
  using _ = out.waiting(`Downloading roborev ${request.release.version}`);
  return await stageRelease(request, { target: program.path, signal });
}

const probe = ({ dataDir }: DataPaths) => probeDaemon(createDaemonClient(daemonSocketPath(dataDir)));

/** How many reviews run now; undefined when no daemon does. */
export async function runningReviews({ dataDir }: DataPaths): Promise<number | undefined> {
  const client = createDaemonClient(daemonSocketPath(dataDir));
  if ((await probeDaemon(client)).state !== "running") return undefined;
  return (await client.status()).active_workers;
}

/** Long before it would be found out anyway: a download is not for nothing. */
async function refuseWhileBusy(paths: DataPaths): Promise<void> {
  const active = (await runningReviews(paths)) ?? 0;
  if (active === 0) return;
  throw new RoborevError(`${plural(active, "review")} ${active === 1 ? "is" : "are"} running`, {
    code: "E_CONFLICT",
    hint: "Wait for them with --running=wait, or have them begin anew with --running=interrupt.",
  });
}

/** Resolves to whether a daemon was stopped for it. */
async function swap(world: World, request: UpdateRequest, staged: Staged): Promise<boolean> {
  const { program, signal, out } = world;
  const paths = world.paths();
  const wasRunning = request.restart && (await probe(paths)).state !== "not-running";
  try {
    if (wasRunning) {
      const onWait = (active: number) => out.note(`Waiting for ${plural(active, "review")} to end`);
      await stopDaemon({ paths, running: request.running, signal, onWait });
    }
    signal.throwIfAborted();
    await swapFile(program.path, staged.path);
    return wasRunning;
  } catch (error) {
    // Most often it still runs, and then nothing is started.
    if (wasRunning) await startDaemon({ paths, autostart: true, launch: launcher(world) });
    throw error;
  }
}

/** By the service that starts it, where there is one. */
const launcher = (world: World): Launch => serviceLaunch(world, [world.program.path, "daemon", "run"]);

/** Something else may have started the old program in between, a service for instance: it is replaced once. */
async function startNew(world: World, version: string): Promise<Ping> {
  const paths = world.paths();
  try {
    for (let isLast = false; ; isLast = true) {
      const { ping } = await startDaemon({ paths, autostart: true, launch: launcher(world) });
      if (ping.version === version) return ping;
      if (isLast) throw new RoborevError(`the daemon that runs now is version ${ping.version}`);
      await stopDaemon({ paths });
    }
  } catch (cause) {
    const former = formerOf(world.program.path);
    throw new RoborevError(`roborev ${version} is installed, but ${errorMessage(cause)}`, {
      code: "E_DAEMON_START",
      hint: `The former program is kept as ${former}`,
      cause,
    });
  }
}
