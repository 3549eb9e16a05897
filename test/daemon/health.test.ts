import { expect, test } from "bun:test";
import type { ActivityEntry, ActivityResponse } from "../../src/daemon/api/activity.ts";
import type { HealthStatus } from "../../src/daemon/api/health.ts";
import type { DaemonStatus } from "../../src/daemon/api/responses.ts";
import { version } from "../../src/lib/version.ts";
import { testDaemon } from "../support/daemon.ts";
import { jobEvent } from "../support/job-event.ts";
import { tempDir } from "../support/temp.ts";

test("health says whether the daemon is well and ready for more, as the status does, and what went wrong lately", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  const health = async () => (await daemon.get("/api/health")).body as HealthStatus;
  const { components } = (await daemon.get("/api/status")).body as DaemonStatus;
  expect(await health()).toEqual({
    ...{ healthy: true, ready: true, version, components },
    ...{ uptime_seconds: expect.any(Number), recent_errors: [], error_count_24h: 0 },
  });
  for (let n = 1; n <= 15; n++) daemon.errors.add("workers", new Error(`no ${n}`), n);
  daemon.errors.add("workers", new Error("no 15"), 15);
  const after = await health();
  expect(after.error_count_24h).toBe(16);
  expect(after.recent_errors).toHaveLength(10);
  expect(after.recent_errors[0]).toEqual({
    ...{ ts: expect.any(String), level: "error", component: "workers", message: "no 15", job_id: 15 },
  });
  daemon.parts.services.engine.stalled = () => [7];
  expect(await health()).toMatchObject({ healthy: false, ready: true });
});

test("health answers where the database does not, and is not ready then, nor while the daemon waits to stop", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  const health = async () => (await daemon.get("/api/health")).body as HealthStatus;
  const { engine } = daemon.parts.services;
  Object.defineProperty(engine, "isDraining", { get: () => true, configurable: true });
  expect(await health()).toMatchObject({ healthy: true, ready: false });
  Object.defineProperty(engine, "isDraining", { get: () => false });
  expect(await health()).toMatchObject({ ready: true });
  daemon.parts.services.store.close();
  const { healthy, ready, components } = await health();
  expect([healthy, ready]).toEqual([false, false]);
  expect(components[0]).toEqual({ name: "database", healthy: false, message: expect.any(String) });
  await daemon.parts.stopWork();
});

test("activity tells what happened, newest first, with errors in their place and without what anybody wrote", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  const activity = async (query = "") =>
    ((await daemon.get(`/api/activity${query}`)).body as ActivityResponse).entries;
  const [start] = await activity();
  expect(start).toMatchObject({ event: "daemon.started", component: "daemon" });
  const { events } = daemon.parts.services;
  const sha = "a1b2c3d".padEnd(40, "0");
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const told = { sha, repo_name: "shop", branch: "bad\u001b[2Jname", findings: "SECRET REVIEW" };
  events.publish(jobEvent({ ...told, type: "job.enqueued", job_id: 7, ts: later(1) }));
  events.publish(jobEvent({ ...told, type: "review.failed", job_id: 7, error: "x\ny", ts: later(2) }));
  events.publish({ type: "config.reloaded", ts: later(3) });
  daemon.errors.add("workers", new Error("a disk"), 7);
  const entries = await activity();
  expect(entries.map(({ event }) => event)).toEqual([
    ...["config.reloaded", "review.failed", "job.enqueued", "error", "daemon.started"],
  ]);
  const [, failed, queued, error] = entries as [ActivityEntry, ActivityEntry, ActivityEntry, ActivityEntry];
  expect(queued.message).toBe("job 7 (a1b2c3d in shop) was queued");
  expect(failed.message).toBe("job 7 (a1b2c3d in shop) failed: x y");
  expect(failed.details).toMatchObject({ job_id: 7, sha, branch: "bad [2Jname" });
  expect(error).toMatchObject({ component: "workers", message: "a disk", details: { job_id: 7 } });
  expect(JSON.stringify(entries)).not.toContain("SECRET REVIEW");
  expect((await activity("?limit=1")).map(({ event }) => event)).toEqual(["config.reloaded"]);
  for (const limit of ["0", "-1", "x", "1000", "1.5"])
    expect((await daemon.get(`/api/activity?limit=${limit}`)).status).toBe(400);
});

test("activity keeps the last 500 entries, each of bounded size", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  const long = "x".repeat(100_000);
  const { events } = daemon.parts.services;
  for (let id = 1; id <= 600; id++)
    events.publish(jobEvent({ type: "review.commented", job_id: id, branch: long, commenter: long }));
  const { entries } = (await daemon.get("/api/activity?limit=999")).body as ActivityResponse;
  expect(entries).toHaveLength(500);
  expect(entries[0]?.details?.job_id).toBe(600);
  expect(JSON.stringify(entries).length).toBeLessThan(1_000_000);
});
