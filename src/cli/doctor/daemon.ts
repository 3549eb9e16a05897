import { existsSync } from "node:fs";
import { lastLogLine } from "../../client/log-tail.ts";
import { probeDaemon } from "../../client/probe.ts";
import { isLockFree } from "../../client/stop.ts";
import type { HealthComponent } from "../../daemon/api/health.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import { apiVersion, version } from "../../lib/version.ts";
import type { Context } from "../command.ts";
import { clientFor } from "../connect.ts";
import { type Check, error, type Finding, note, warning } from "./finding.ts";

/** What answers on the daemon's socket. */
export type DaemonView =
  | { state: "running"; version: string; apiVersion: number; dataDir: string; unhealthy: HealthComponent[] }
  /** `lastLine`: the end of its log, which may say why. `held`: its lock is, by one that does not listen. */
  | { state: "not-running"; lastLine: string; held: boolean; leftSocket: boolean }
  | { state: "hung" }
  /** Connecting is forbidden, or something else answers. */
  | { state: "unavailable"; why: string };

export async function probeDaemonView(context: Context): Promise<DaemonView> {
  const client = clientFor(context);
  try {
    const probe = await probeDaemon(client);
    if (probe.state === "hung") return probe;
    if (probe.state === "not-running") return { ...probe, ...(await lastTraces(context, client.socket)) };
    const { version, api_version, data_dir } = probe.ping;
    const { components } = api_version === apiVersion ? await client.status() : { components: [] };
    const unhealthy = components.filter(({ healthy }) => !healthy);
    return { state: "running", version, apiVersion: api_version, dataDir: data_dir, unhealthy };
  } catch (failure) {
    if (!(failure instanceof RoborevError)) throw failure;
    return { state: "unavailable", why: errorMessage(failure) };
  }
}

async function lastTraces(context: Context, socket: string) {
  const { daemonLog, daemonLock } = context.paths();
  const lastLine = await lastLogLine(daemonLog);
  return { lastLine, held: !isLockFree(daemonLock), leftSocket: existsSync(socket) };
}

/** `named`: a daemon was named by its address, so that it is nobody's here to start. */
export function judgeDaemon(view: DaemonView, here: { dataDir: string; named: boolean }): Check {
  const check = (summary: string, findings: Finding[] = []): Check => ({
    name: "daemon",
    title: "Daemon",
    summary,
    findings,
  });
  switch (view.state) {
    case "hung":
      return check("does not answer", [
        error("daemon-hung", "the daemon accepts connections and does not answer", "roborev daemon restart"),
      ]);
    case "unavailable":
      return check("cannot be reached", [
        error("daemon-unavailable", view.why, "Try outside of a sandbox; else: roborev daemon restart"),
      ]);
    case "not-running":
      return check("not running", [notRunning(view, here.named)]);
    case "running":
      return check(`running, version ${singleLine(view.version)}`, [...skew(view), ...others(view, here)]);
  }
}

type NotRunning = Extract<DaemonView, { state: "not-running" }>;

function notRunning({ lastLine, held, leftSocket }: NotRunning, named: boolean): Finding {
  const failed = /^Error: (.+)$/.exec(lastLine)?.[1];
  const what = failed === undefined ? "" : `; its last start failed: ${failed}`;
  if (named) return error("daemon-not-running", "no daemon listens on the address that was named");
  if (held) {
    const what =
      "a daemon holds the data directory, and does not listen; if it is not just starting, it hangs";
    return error("daemon-silent", what, "roborev daemon restart");
  }
  const left = leftSocket ? " (a socket is left of one that was killed)" : "";
  return (failed === undefined ? warning : error)(
    "daemon-not-running",
    `no daemon runs${left}, so that hooks stay silent until the next commit starts one${what}`,
    "roborev daemon start",
    { mend: { do: "start-daemon" } },
  );
}

function skew(view: Extract<DaemonView, { state: "running" }>): Finding[] {
  if (view.apiVersion !== apiVersion) {
    const what = `the daemon speaks API level ${view.apiVersion} (version ${singleLine(view.version)}), this program level ${apiVersion}`;
    return [error("daemon-level", what, "roborev daemon restart")];
  }
  if (view.version === version) return [];
  const what = `the daemon is version ${singleLine(view.version)}, this program ${version}`;
  return [warning("daemon-version", what, "roborev daemon restart")];
}

function others(view: Extract<DaemonView, { state: "running" }>, here: { dataDir: string }): Finding[] {
  return [
    ...(view.dataDir === here.dataDir
      ? []
      : [note("daemon-elsewhere", `this daemon keeps its data in ${singleLine(view.dataDir)}`)]),
    // Of its configuration, its database and its state the files are looked at themselves.
    ...view.unhealthy
      .filter(({ name }) => name === "workers")
      .map(({ name, message = "not healthy" }) =>
        error(`daemon-${name}`, `${name}: ${message}`, "roborev status"),
      ),
  ];
}
