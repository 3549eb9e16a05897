import { Elysia } from "elysia";
import { RoborevError } from "../../lib/errors.ts";
import { plural } from "../../lib/text.ts";
import { apiVersion, version } from "../../lib/version.ts";
import { cooldowns } from "../../review/cooldowns.ts";
import { isQueuePaused } from "../../store/kv.ts";
import { type DrainMode, EmptySchema, ShutdownSchema } from "../api/requests.ts";
import type { DaemonStatus, Ping } from "../api/responses.ts";
import { healthComponents, healthStatus, isHealthy, uptimeSeconds } from "../health.ts";
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
    .get("/health", () => healthStatus(services))
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
  const { clock, configWatch, engine, errors, paths } = services;
  const { counts, snoozes, paused, resting } = await services.database((store) => ({
    counts: store.jobs.counts(),
    snoozes: store.snoozes.active(clock.now()),
    paused: isQueuePaused(store.kv),
    resting: cooldowns(store.kv, clock.now()),
  }));
  const components = await healthComponents(services);
  return {
    version,
    pid: process.pid,
    uptime_seconds: uptimeSeconds(services),
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
    healthy: isHealthy(components),
    components,
    config_reload_counter: configWatch.last?.count ?? 0,
    ...(configWatch.last ? { config_reloaded_at: configWatch.last.at.toISOString() } : {}),
    active_snoozes: snoozes,
    recent_errors: errors.recent().slice(0, 10),
  };
}
