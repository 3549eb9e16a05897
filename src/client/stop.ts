import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { DataPaths } from "../config/paths.ts";
import type { DrainMode } from "../daemon/api/requests.ts";
import { tryLock } from "../fs/lock.ts";
import { RoborevError } from "../lib/errors.ts";
import { createDaemonClient, type DaemonClient } from "./daemon.ts";
import { isDaemonProcess } from "./daemon-process.ts";
import { type Probe, probeDaemon } from "./probe.ts";
import { DaemonRefusal } from "./refusal.ts";
import { daemonSocketPath } from "./socket-path.ts";
import { DaemonError } from "./transport.ts";

export interface StopOptions {
  paths: DataPaths;
  client?: DaemonClient;
  /** What becomes of running reviews. Default `interrupt`. */
  running?: DrainMode;
  /** With `wait`: told once how many reviews that is, if any. */
  onWait?(active: number): void;
  /** With `wait`: aborted before the last review has ended, the daemon goes on as if nobody had asked. */
  signal?: AbortSignal;
  /** How long a graceful stop may take. Default 5 s. */
  graceMs?: number;
  /** How long each signal may take to work. Default 2 s. */
  signalMs?: number;
}

export type StopOutcome = "stopped" | "killed" | "not-running";

/**
 * Whether nobody holds the daemon's lock. The file appears with the first daemon, so without it there is none;
 * looking does not create it.
 */
export function isLockFree(path: string): boolean {
  if (!existsSync(path)) return true;
  const lock = tryLock(path);
  lock?.release();
  return lock !== undefined;
}

/**
 * Waits until the daemon's lock is free: the one sign that a daemon of this data directory is really gone. Where
 * `answered` is given, another daemon that answers in its place, because somebody started one meanwhile, is as good.
 */
export async function waitUntilGone(
  lock: string,
  timeoutMs: number,
  answered?: { client: DaemonClient; pid: number },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (isLockFree(lock) || (answered !== undefined && (await isReplaced(answered)))) return true;
    if (performance.now() >= deadline) return false;
    await Bun.sleep(10);
  }
}

async function isReplaced({ client, pid }: { client: DaemonClient; pid: number }): Promise<boolean> {
  try {
    const probe = await probeDaemon(client, 100);
    return probe.state === "running" && probe.ping.pid !== pid;
  } catch (error) {
    if (!(error instanceof DaemonError)) throw error;
    return false; // cut off in the middle of an answer: it is stopping
  }
}

/**
 * Stops the daemon of a data directory: asks it, waits for its lock, and only then signals the process that answered
 * as ours, or the recorded one if its command line is a daemon's. Rejects where it is not to stop now (`abort`).
 */
export async function stopDaemon(options: StopOptions): Promise<StopOutcome> {
  const { paths } = options;
  const client = options.client ?? createDaemonClient(daemonSocketPath(paths.dataDir));
  const probe = await probeDaemon(client);
  if (probe.state === "not-running" && isLockFree(paths.daemonLock)) return "not-running";
  if (probe.state === "running") await askToStop(client, options);
  const answered = probe.state === "running" ? { client, pid: probe.ping.pid } : undefined;
  const isGone = (withinMs: number) => waitUntilGone(paths.daemonLock, withinMs, answered);
  // One that was not asked, because it does not answer, is given a moment only: it may be stopping already.
  const graceMs = options.graceMs ?? (probe.state === "hung" ? 500 : 5000);
  if (await isGone(graceMs)) return "stopped";
  const pid = await signalTarget(probe, paths);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    try {
      process.kill(pid, signal);
    } catch (cause) {
      if (await isGone(0)) return "killed";
      throw new RoborevError(`cannot stop the daemon (pid ${pid})`, { code: "E_DAEMON_STOP", cause });
    }
    if (await isGone(options.signalMs ?? 2000)) return "killed";
  }
  throw new RoborevError(`the daemon (pid ${pid}) survived SIGKILL`, { code: "E_DAEMON_STOP" });
}

/** Resolves when the daemon is stopping, or is going to be told so by a signal. */
async function askToStop(client: DaemonClient, options: StopOptions): Promise<void> {
  const { running = "interrupt", signal } = options;
  signal?.throwIfAborted();
  try {
    await client.shutdown(running);
  } catch (error) {
    if (error instanceof DaemonRefusal && error.code === "E_CONFLICT") throw error;
    // A daemon of an earlier release knows one way to stop.
    if (running !== "interrupt") await client.shutdown("interrupt").catch(() => undefined);
    return;
  }
  if (running === "wait") await untilIdle(client, options);
}

/** Until the daemon's last review has ended, or it does not answer any more. */
async function untilIdle(client: DaemonClient, { onWait, signal }: StopOptions): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    if (signal?.aborted) {
      await client.cancelShutdown().catch(() => undefined); // it has ended just now: there is nothing to call off
      throw signal.reason;
    }
    const status = await client.status(2000).catch(() => undefined);
    if (!status?.draining || status.active_workers === 0) return;
    if (!isTold) onWait?.(status.active_workers);
    await Bun.sleep(100);
  }
}

async function signalTarget(probe: Probe, paths: DataPaths): Promise<number> {
  if (probe.state === "running") return probe.ping.pid;
  const pid = await recordedPid(paths.daemonRecord);
  if (pid !== undefined && (await isDaemonProcess(pid))) return pid;
  throw new RoborevError("a daemon holds this data directory, but it does not answer and is not on record", {
    code: "E_DAEMON_STOP",
    hint: `Find the process that has ${paths.daemonLock} open and end it.`,
  });
}

async function recordedPid(path: string): Promise<number | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(path, "utf8"));
    const pid = typeof record === "object" && record !== null && "pid" in record ? record.pid : undefined;
    return typeof pid === "number" && Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined; // the record is only a hint: unreadable is like absent
  }
}
