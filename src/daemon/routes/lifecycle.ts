import { statfs } from "node:fs/promises";
import { Elysia } from "elysia";
import { RoborevError } from "../../lib/errors.ts";
import { plural } from "../../lib/text.ts";
import { apiVersion, version } from "../../lib/version.ts";
import { cooldowns } from "../../review/cooldowns.ts";
import { isQueuePaused } from "../../store/kv.ts";
import { type DrainMode, EmptySchema, ShutdownSchema } from "../api/requests.ts";
import type { DaemonStatus, HealthComponent, Ping } from "../api/responses.ts";
import type { Services } from "../services.ts";

export function lifecycleRoutes(services: Services) {
  return new Elysia({ prefix: "/api" })
    .get(
      "/ping",
      (): Ping => ({
        service: "roborev",
        version,
        api_version: apiVersion,
        pid: process.pid,
        data_dir: services.paths.dataDir,
        ...(services.managedBy === undefined ? {} : { managed_by: services.managedBy }),
      }),
    )
    .get("/status", () => status(services))
    .post(
      "/shutdown",
      async ({ body, set }) => {
        await beginStop(services, body.mode ?? "interrupt");
        set.status = 202;
        return { stopping: true };
      },
      { body: ShutdownSchema },
    )
    .post(
      "/shutdown/cancel",
      () => {
        services.engine.resume();
        return { stopping: false };
      },
      { body: EmptySchema },
    );
}

async function beginStop({ engine, stop }: Services, mode: DrainMode): Promise<void> {
  if (mode === "wait") {
    void engine.drain().then((isDrained) => isDrained && stop("asked to stop after the running jobs"));
    return;
  }
  const active = mode === "abort" ? await engine.drainIfIdle() : 0;
  if (active > 0) {
    throw new RoborevError(`${plural(active, "review")} ${active === 1 ? "is" : "are"} running`, {
      code: "E_CONFLICT",
      hint: "Wait for them with --running=wait, or have them begin anew with --running=interrupt.",
    });
  }
  stop();
}

async function status(services: Services): Promise<DaemonStatus> {
  const { clock, configWatch, engine, errors, paths, startedAt } = services;
  const { counts, snoozes, paused, resting } = await services.database((store) => ({
    counts: store.jobs.counts(),
    snoozes: store.snoozes.active(clock.now()),
    paused: isQueuePaused(store.kv),
    resting: cooldowns(store.kv, clock.now()),
  }));
  const { loaded, problem } = await services.config.loadOrKeep(paths.config);
  const components: HealthComponent[] = [
    await databaseComponent(services),
    workersComponent(engine),
    configComponent(problem, [...pendingRestart(services), ...loaded.warnings]),
    hookComponent(services),
  ];
  return {
    version,
    pid: process.pid,
    uptime_seconds: Math.floor((clock.now().getTime() - startedAt.getTime()) / 1000),
    socket: services.socket,
    data_dir: paths.dataDir,
    queued_jobs: counts.queued,
    running_jobs: counts.running,
    completed_jobs: counts.done,
    failed_jobs: counts.failed,
    canceled_jobs: counts.canceled,
    skipped_jobs: counts.skipped,
    applied_jobs: counts.applied,
    rebased_jobs: counts.rebased,
    active_workers: engine.activeWorkers,
    max_workers: engine.workers,
    queue_paused: paused,
    draining: engine.isDraining,
    agent_cooldowns: resting,
    healthy: components.every((component) => component.healthy),
    components,
    config_reload_counter: configWatch.last?.count ?? 0,
    ...(configWatch.last ? { config_reloaded_at: configWatch.last.at.toISOString() } : {}),
    active_snoozes: snoozes,
    recent_errors: errors.recent().slice(0, 10),
  };
}

const pendingRestart = ({ configWatch }: Services): string[] =>
  configWatch.pendingRestart.map((name) => `${name} takes effect with roborev daemon restart`);

function workersComponent(engine: Services["engine"]): HealthComponent {
  const stalled = engine.stalled();
  if (stalled.length === 0) return { name: "workers", healthy: true };
  const [subject, object] = stalled.length === 1 ? ["job", "it"] : ["jobs", "them"];
  return {
    name: "workers",
    healthy: false,
    message: `${subject} ${stalled.join(", ")} should have ended long ago. Cancel ${object}, or run: roborev daemon restart --running=interrupt`,
  };
}

/** A key without effect makes nothing unhealthy, but here its author looks for it. */
function configComponent(problem: RoborevError | undefined, warnings: string[]): HealthComponent {
  if (problem) return { name: "config", healthy: false, message: withHint(problem) };
  const [first, ...further] = warnings;
  const more = further.length > 0 ? `, and ${further.length} more` : "";
  return { name: "config", healthy: true, ...(first === undefined ? {} : { message: `${first}${more}` }) };
}

function hookComponent(services: Services): HealthComponent {
  try {
    services.hooks();
    return { name: "agent_hook", healthy: true };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return { name: "agent_hook", healthy: false, message: withHint(error) };
  }
}

const leastFreeBytes = 1024 * 1024;

/** Reading goes on when the disk is full, so a query would not show it. */
async function databaseComponent({ paths }: Services): Promise<HealthComponent> {
  const { bavail, bsize } = await statfs(paths.dataDir);
  if (bavail * bsize >= leastFreeBytes) return { name: "database", healthy: true };
  const left = Math.floor((bavail * bsize) / 1024);
  return {
    name: "database",
    healthy: false,
    message: `the disk of ${paths.dataDir} is full, ${left} KiB left`,
  };
}

const withHint = ({ message, hint }: RoborevError) => (hint === undefined ? message : `${message}. ${hint}`);
