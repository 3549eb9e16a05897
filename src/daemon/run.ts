import { chmod, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { daemonSocketPath } from "../client/socket-path.ts";
import { createConfigCache } from "../config/load.ts";
import { type DataPaths, dataPaths } from "../config/paths.ts";
import { maxWorkers } from "../config/runtime.ts";
import { type Lock, tryLock } from "../fs/lock.ts";
import { ensurePrivateDirectory, requirePrivateDirectory } from "../fs/private.ts";
import { systemClock } from "../lib/clock.ts";
import { errorCode, errorMessage, RoborevError } from "../lib/errors.ts";
import { apiVersion, version } from "../lib/version.ts";
import { createApp, maxBodyBytes } from "./app.ts";
import { ErrorRing } from "./error-ring.ts";
import { refuseForeignDaemon } from "./foreign.ts";
import { type DaemonLog, openDaemonLog } from "./log.ts";
import { type DaemonParts, openParts } from "./parts.ts";
import { removeRecord, writeRecord } from "./record.ts";

/** A stop that takes longer is cut short: what was acknowledged is on disk, running jobs are requeued at the next start. */
const stopLimitMs = 5_000;

/** The daemon of a data directory, from lock to clean exit. Resolves with the exit code when it was told to stop. */
export async function runDaemon({ dataDir }: { dataDir: string }): Promise<number> {
  const paths = dataPaths(dataDir);
  await ensurePrivateDirectory(dataDir);
  const lock = await takeLock(paths.daemonLock);
  if (!lock) {
    throw new RoborevError(`a daemon is already running for ${dataDir}`, {
      code: "E_DAEMON_RUNNING",
      hint: "See it with: roborev daemon status",
    });
  }
  leaveCaller();
  const log = await openDaemonLog(paths.daemonLog);
  try {
    return await serve(paths, log);
  } catch (error) {
    log.error("daemon failed", { error: errorMessage(error) });
    throw error;
  } finally {
    await log.close();
    lock.release();
  }
}

/** `daemon stop` takes the lock for a moment to see that it is free: that must not fail a start. */
async function takeLock(path: string): Promise<Lock | undefined> {
  for (let tries = 0; tries < 5; tries++) {
    const lock = tryLock(path);
    if (lock) return lock;
    await Bun.sleep(20);
  }
  return undefined;
}

async function serve(paths: DataPaths, log: DaemonLog): Promise<number> {
  await refuseForeignDaemon(paths.dataDir, process.pid);
  const errors = new ErrorRing(systemClock);
  const config = createConfigCache();
  const { config: global } = await config.load(paths.config);
  const stopped = Promise.withResolvers<string>();
  const parts = await openParts({ paths, config, workers: maxWorkers(global), errors, log });
  const socket = daemonSocketPath(paths.dataDir);
  const app = createApp({
    ...parts.services,
    socket,
    startedAt: systemClock.now(),
    stop: () => stopped.resolve("asked to stop"),
  });
  const server = await listen(socket, app.fetch);
  await warmUp(socket);
  const record = {
    pid: process.pid,
    version,
    api_version: apiVersion,
    socket,
    started_at: systemClock.now().toISOString(),
  };
  await writeRecord(paths.daemonRecord, record);
  parts.start();
  log.info("daemon started", { pid: process.pid, version, socket });

  const onSignal = (signal: string) => stopped.resolve(signal);
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  const reason = await stopped.promise;
  log.info("daemon stopping", { reason });
  await stopWithin(stopLimitMs, parts, server);
  await removeRecord(paths.daemonRecord, process.pid);
  await unlink(socket).catch(() => undefined); // the next start removes a stale socket as well
  log.info("daemon stopped", {});
  return 0;
}

/** Nothing of whoever started the daemon may reach its reviewers or its git: not the repository, not the recursion marks. */
function leaveCaller(): void {
  for (const name of Object.keys(process.env)) {
    if (
      name.startsWith("GIT_") &&
      !["GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM"].includes(name)
    ) {
      delete process.env[name];
    }
  }
  delete process.env.ROBOREV_REVIEW_JOB;
  delete process.env.ROBOREV_FIX_JOB;
  process.chdir("/");
}

async function listen(socket: string, fetch: (request: Request) => Response | Promise<Response>) {
  await requirePrivateDirectory(dirname(socket));
  await removeStaleSocket(socket);
  const server = Bun.serve({
    unix: socket,
    fetch,
    maxRequestBodySize: maxBodyBytes + 1024,
    error: () => Response.json({ error: "internal error", code: "E_INTERNAL" }, { status: 500 }),
  });
  await chmod(socket, 0o600);
  return server;
}

/** We hold the data directory's lock, so whoever left this socket is dead. */
async function removeStaleSocket(socket: string): Promise<void> {
  try {
    await unlink(socket);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** Elysia compiles its handlers at the first request: that cost is not the first hook's. */
async function warmUp(socket: string): Promise<void> {
  const response = await fetch("http://localhost/api/ping", { unix: socket, proxy: false });
  if (!response.ok) throw new RoborevError(`the daemon does not answer on ${socket}: ${response.status}`);
  await fetch("http://localhost/api/agent-hook/event", {
    unix: socket,
    proxy: false,
    method: "POST",
    headers: { "content-type": "application/json" },
    // No directory, hence no scope: the whole route runs and nothing is remembered.
    body: JSON.stringify({ agent: "claude", event: { session_id: "warm-up", hook_event_name: "Stop" } }),
  });
}

async function stopWithin(limitMs: number, parts: DaemonParts, server: Bun.Server<undefined>): Promise<void> {
  const orderly = (async () => {
    await parts.stopWork();
    await server.stop();
    await parts.close();
  })();
  await Promise.race([orderly, Bun.sleep(limitMs)]);
  await server.stop(true);
}
