import { rmSync } from "node:fs";
import { chmod, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { daemonSocketPath } from "../client/socket-path.ts";
import { createConfigCache } from "../config/load.ts";
import { type DataPaths, dataPaths } from "../config/paths.ts";
import { maxWorkers } from "../config/runtime.ts";
import { type Lock, tryLock } from "../fs/lock.ts";
import { ensureDataDirectory, requirePrivateDirectory } from "../fs/private.ts";
import { systemClock } from "../lib/clock.ts";
import { errorCode, errorMessage, RoborevError } from "../lib/errors.ts";
import { runMarkName } from "../lib/run-mark.ts";
import { apiVersion, version } from "../lib/version.ts";
import { createApp, maxBodyBytes } from "./app.ts";
import { ErrorRing } from "./error-ring.ts";
import { refuseForeignDaemon } from "./foreign.ts";
import { type DaemonLog, openDaemonLog } from "./log.ts";
import { captureLoginPath, mergedPath } from "./login-path.ts";
import { watchPlace } from "./own-place.ts";
import { type DaemonParts, openParts } from "./parts.ts";
import { removeRecord, writeRecord } from "./record.ts";
import { keepAliveMs } from "./routes/stream.ts";
import { StopRequest } from "./stop-request.ts";

/**
 * A stop ends within 5 s. One that takes longer is cut short: what was acknowledged is on disk, running jobs are
 * requeued at the next start.
 */
const stopLimitMs = 4_500;
/** Requests have this long to be finished; a client that says nothing would hold its connection for ever. */
const drainMs = 1_000;

export interface DaemonOptions {
  dataDir: string;
  /** Ctrl-C. A second one ends the process without waiting for this function. */
  interrupt: AbortSignal;
}

/** The daemon of a data directory, from lock to clean exit. Resolves with the exit code when it was told to stop. */
export async function runDaemon({ dataDir, interrupt }: DaemonOptions): Promise<number> {
  const paths = dataPaths(dataDir);
  await ensureDataDirectory(dataDir);
  const lock = await takeLock(paths.daemonLock);
  if (!lock) {
    throw new RoborevError(`a daemon is already running for ${dataDir}`, {
      code: "E_DAEMON_RUNNING",
      hint: "If it cannot be reached, then: roborev daemon restart",
    });
  }
  const managedBy = process.env.ROBOREV_SERVICE;
  leaveCaller();
  const log = await openDaemonLog(paths.daemonLog);
  try {
    using stop = new StopRequest(interrupt);
    return await serve(paths, log, stop, managedBy);
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

async function serve(
  paths: DataPaths,
  log: DaemonLog,
  stop: StopRequest,
  managedBy: string | undefined,
): Promise<number> {
  await refuseForeignDaemon(paths.dataDir, process.pid);
  const ended = new AbortController();
  using _ = { [Symbol.dispose]: () => ended.abort() };
  const pathReady = adoptLoginPath(log, ended.signal);
  const errors = new ErrorRing(systemClock);
  const config = createConfigCache();
  // Everything but a new review works without it: hooks are answered, reviews are read and closed.
  const { loaded, problem } = await config.loadOrKeep(paths.config);
  if (problem) log.error("configuration", { error: problem.message });
  for (const line of loaded.warnings) log.warn("configuration", { line });
  const workers = maxWorkers(loaded.config);
  const parts = await openParts({ paths, config, workers, errors, log, pathReady });
  const socket = daemonSocketPath(paths.dataDir);
  using place = watchPlace(paths.daemonLock);
  const app = createApp({
    ...parts.services,
    socket,
    startedAt: systemClock.now(),
    ...(managedBy ? { managedBy } : {}),
    stop: (who = "asked to stop") => stop.ask(who),
  });
  const server = await listen(socket, app.fetch).catch(async (error) => {
    await parts.close();
    throw error;
  });
  // Whatever ends this process early, a second Ctrl-C for instance, leaves no reviewer and no socket behind.
  const leaveNothing = () => {
    ended.abort();
    parts.killReviewers();
    if (!place.isOurs()) return; // what stands there now is another daemon's
    removeRecord(paths.daemonRecord, process.pid);
    rmSync(socket, { force: true }); // the next start removes a stale socket as well
    if (dirname(socket) !== paths.dataDir) rmSync(dirname(socket), { recursive: true, force: true }); // ours alone
  };
  process.once("exit", leaveNothing);
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

  const reason = await Promise.race([stop.asked, place.gone]);
  log.info("daemon stopping", { reason });
  // In a directory that is not its own any more it writes nothing down, and to stop the server would take away the
  // socket that stands there now: the end of the process closes its own.
  const end = place.isOurs() ? await stopServing(parts, server, stop) : "at once";
  leaveNothing();
  process.off("exit", leaveNothing);
  log.info("daemon stopped", { end });
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
  delete process.env[runMarkName];
  delete process.env.ROBOREV_SERVICE; // a daemon that one of its children starts is no service
  process.chdir("/");
}

/** What looks for programs waits for this; hooks and readers do not. */
async function adoptLoginPath(log: DaemonLog, signal: AbortSignal): Promise<void> {
  const found = await captureLoginPath(process.env, { signal });
  if (signal.aborted) return;
  if ("directories" in found) process.env.PATH = mergedPath(process.env.PATH ?? "", found.directories);
  else log.warn("PATH of the login shell", { problem: found.problem });
}
/**
 * On a Unix socket the idle time-out is 10 s and `server.timeout(request, 0)` does nothing (Bun 1.4.5, whose types deny
 * that there is one): a stream lives by its keep-alive, and a client that takes nothing for this long is cut off.
 */
const idle: object = { idleTimeout: (4 * keepAliveMs) / 1000 };

async function listen(socket: string, fetch: (request: Request) => Response | Promise<Response>) {
  await requirePrivateDirectory(dirname(socket));
  await removeStaleSocket(socket);
  const server = Bun.serve({
    unix: socket,
    fetch,
    ...idle,
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

/** `orderly`: everything is finished and closed. What another end left unfinished, the next start does. */
async function stopServing(
  parts: DaemonParts,
  server: Bun.Server<undefined>,
  { hurried }: StopRequest,
): Promise<"orderly" | "hurried" | "cut short"> {
  const orderly = (async () => {
    await parts.stopWork();
    await Promise.race([server.stop(), Bun.sleep(drainMs)]);
    await server.stop(true);
    await parts.close();
    return "orderly" as const;
  })();
  const end = await Promise.race([
    orderly,
    hurried.then(() => "hurried" as const),
    Bun.sleep(stopLimitMs).then(() => "cut short" as const),
  ]);
  await server.stop(true);
  return end;
}
