import type { DataPaths } from "../config/paths.ts";
import type { Ping } from "../daemon/api/responses.ts";
import { type Lock, tryLock } from "../fs/lock.ts";
import { ensureDataDirectory } from "../fs/private.ts";
import { RoborevError } from "../lib/errors.ts";
import { apiVersion, version } from "../lib/version.ts";
import { createDaemonClient, type DaemonClient } from "./daemon.ts";
import { lastLogLine } from "./log-tail.ts";
import { type Probe, probeDaemon } from "./probe.ts";
import { daemonSocketPath } from "./socket-path.ts";
import { type Launch, type Launched, launchDaemon } from "./start.ts";
import { waitUntilGone } from "./stop.ts";
import { DaemonError } from "./transport.ts";

export interface EnsureOptions {
  paths: DataPaths;
  /** Start a daemon where none runs. */
  autostart: boolean;
  /** Replace a daemon of another API level; hooks never do. Default true. */
  mayRestart?: boolean;
  /** How long a start may take. Default 5 s. */
  startTimeoutMs?: number;
  /** How long a replacement may take, stop and start. Default 10 s. */
  restartTimeoutMs?: number;
  /** Told at most once, for standard error. */
  notify?: (line: string) => void;
  env?: Record<string, string | undefined>;
  launch?: Launch;
  client?: DaemonClient;
}

/** Longest pause between two looks at a daemon that is starting. */
const pollMs = 10;

const isDown = (probe: Probe) => probe.state === "not-running";

/**
 * A client of this data directory's daemon, started if need be. Where connecting is forbidden nothing is started:
 * there may well be a daemon, and a second one could not be reached either.
 */
export async function ensureDaemon(options: EnsureOptions): Promise<DaemonClient> {
  const client = options.client ?? createDaemonClient(daemonSocketPath(options.paths.dataDir));
  const probe = await probeDaemon(client);
  if (probe.state === "running") return await accept(client, probe.ping, options);
  if (probe.state === "hung") throw hung(client);
  if (!options.autostart) throw notRunning(client);
  await startAndWait(client, options, options.startTimeoutMs ?? 5000);
  return client;
}

/** Starts a daemon and resolves once it answers; false when one was running already. */
export async function startDaemon(options: EnsureOptions): Promise<{ ping: Ping; started: boolean }> {
  const client = options.client ?? createDaemonClient(daemonSocketPath(options.paths.dataDir));
  const probe = await probeDaemon(client);
  if (probe.state === "running") return { ping: probe.ping, started: false };
  if (probe.state === "hung") throw hung(client);
  return { ping: await startAndWait(client, options, options.startTimeoutMs ?? 5000), started: true };
}

async function accept(client: DaemonClient, ping: Ping, options: EnsureOptions): Promise<DaemonClient> {
  const env = options.env ?? process.env;
  if (env.ROBOREV_SKIP_VERSION_CHECK === "1") return client;
  if (ping.api_version === apiVersion) {
    if (ping.version !== version) {
      options.notify?.(
        `The daemon is version ${ping.version}, this program ${version}. Update it with: roborev daemon restart`,
      );
    }
    return client;
  }
  if (options.mayRestart === false) throw otherLevel(ping);
  await replace(client, ping, options);
  return client;
}

async function replace(client: DaemonClient, ping: Ping, options: EnsureOptions): Promise<void> {
  const deadline = performance.now() + (options.restartTimeoutMs ?? 10_000);
  options.notify?.(`Restarting the daemon: it is version ${ping.version}, this program ${version}.`);
  try {
    await client.shutdown("interrupt");
  } catch (cause) {
    throw otherLevel(ping, cause);
  }
  const left = () => deadline - performance.now();
  if (!(await waitUntilGone(options.paths.daemonLock, left(), { client, pid: ping.pid })))
    throw otherLevel(ping);
  const started = await startAndWait(client, options, left());
  if (started.api_version !== apiVersion) throw otherLevel(started);
}

/**
 * Puts the daemon that `launch` starts in the place of whichever runs; `stop` ends that one. Nobody else can start one
 * in between.
 */
export async function handOver(options: EnsureOptions, stop: () => Promise<unknown>): Promise<Ping> {
  const client = options.client ?? createDaemonClient(daemonSocketPath(options.paths.dataDir));
  return await startAndWait(client, options, options.startTimeoutMs ?? 5000, stop);
}

/**
 * One start at a time: of many processes launched together, a late one would take the lock when the first is stopped,
 * and be the daemon that nobody asked for.
 */
async function startAndWait(
  client: DaemonClient,
  options: EnsureOptions,
  timeoutMs: number,
  stop?: () => Promise<unknown>,
): Promise<Ping> {
  const { paths, launch = launchDaemon } = options;
  let deadline = performance.now() + timeoutMs;
  const look = () => probeDaemon(client, Math.max(1, Math.min(1000, deadline - performance.now())));
  await ensureDataDirectory(paths.dataDir);
  let turn: Lock | undefined;
  try {
    while (turn === undefined) {
      turn = tryLock(paths.daemonStartLock);
      const probe = await look(); // after the lock: whoever had it before us started one
      if (probe.state === "running" && stop === undefined) return probe.ping;
      if (performance.now() >= deadline) throw await startFailure(paths, null, timeoutMs);
      if (turn === undefined) await Bun.sleep(pollMs);
    }
    await stop?.();
    if (stop !== undefined) deadline = performance.now() + timeoutMs;
    return await untilAnswering(await launch(paths), look, { paths, deadline, timeoutMs });
  } finally {
    turn?.release();
  }
}

async function untilAnswering(
  child: Pick<Launched, "exitCode">,
  look: () => Promise<Probe>,
  { paths, deadline, timeoutMs }: { paths: DataPaths; deadline: number; timeoutMs: number },
): Promise<Ping> {
  let endedAt: number | undefined;
  for (;;) {
    const probe = await look();
    if (probe.state === "running") return probe.ping;
    const now = performance.now();
    // One that lost against a `daemon run` ends at once, and the winner needs a moment more.
    if (child.exitCode() !== null) endedAt ??= now;
    const givenUp = endedAt !== undefined && now - endedAt > 1000 && isDown(probe);
    if (givenUp || now >= deadline) throw await startFailure(paths, child.exitCode(), timeoutMs);
    await Bun.sleep(pollMs);
  }
}

async function startFailure(
  paths: DataPaths,
  exitCode: number | null,
  timeoutMs: number,
): Promise<RoborevError> {
  const last = (await lastLogLine(paths.daemonLog)).replace(/^Error: /, "");
  const what =
    exitCode === null
      ? `the daemon did not answer within ${Math.round(timeoutMs / 100) / 10} s of its start`
      : `the daemon ended at once with status ${exitCode}`;
  return new RoborevError(last ? `${what}: ${last}` : what, {
    code: "E_DAEMON_START",
    hint: `See ${paths.daemonLog}`,
  });
}

const notRunning = (client: DaemonClient) =>
  new DaemonError("not-running", `no daemon is listening on ${client.socket}`, {
    hint: "Start it with: roborev daemon start",
  });

const hung = (client: DaemonClient) =>
  new DaemonError("timed-out", `the daemon on ${client.socket} accepts connections but does not answer`, {
    hint: "Restart it with: roborev daemon restart",
  });

const otherLevel = (ping: Ping, cause?: unknown) =>
  new RoborevError(
    `the daemon speaks API level ${ping.api_version} (version ${ping.version}), this program level ${apiVersion}`,
    {
      code: "E_DAEMON_VERSION",
      hint: "Restart it with: roborev daemon restart",
      ...(cause === undefined ? {} : { cause }),
    },
  );
