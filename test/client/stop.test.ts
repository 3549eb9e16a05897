import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import type { DaemonClient } from "../../src/client/daemon.ts";
import { DaemonRefusal } from "../../src/client/refusal.ts";
import { stopDaemon } from "../../src/client/stop.ts";
import type { DaemonStatus } from "../../src/daemon/api/responses.ts";
import { tempDir } from "../support/temp.ts";
import { startHolder, testPaths } from "./holder.ts";

const quick = { graceMs: 100, signalMs: 2000 };
/** For a daemon that does end: it may take its time on a busy machine. */
const patient = { graceMs: 10_000, signalMs: 2000 };

test("stopping where nothing runs changes nothing", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  expect(await stopDaemon({ paths })).toBe("not-running");
  expect(await Bun.file(paths.daemonLock).exists()).toBe(false);
});

test("a daemon that stops by itself is stopped", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("polite", paths);
  expect(await stopDaemon({ paths })).toBe("stopped");
  expect(await holder.exited).toBe(0);
});

test("one that another start has replaced by then is stopped, and the new one is left alone", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using old = await startHolder("polite", paths);
  const answered = await old.client.ping();
  old.client.shutdown();
  await old.exited;
  await using next = await startHolder("polite", paths);
  // What the stop saw before the change: the first answer comes from the old one.
  let isFirst = true;
  const ping = async (timeoutMs?: number) => {
    if (!isFirst) return next.client.ping(timeoutMs);
    isFirst = false;
    return answered;
  };
  const client = { ...next.client, ping, shutdown: async () => {} };
  expect(await stopDaemon({ paths, client, ...patient })).toBe("stopped");
  expect((await next.client.ping()).pid).toBe(next.pid);
});

test("one that ignores the request gets SIGTERM, by the pid that answered", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("ignores", paths);
  expect(await stopDaemon({ paths, ...quick })).toBe("killed");
  expect(await holder.exited).toBe(143);
});

test("one that ignores SIGTERM too gets SIGKILL", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("stubborn", paths);
  expect(await stopDaemon({ paths, graceMs: 50, signalMs: 200 })).toBe("killed");
  expect(await holder.exited).toBe(137);
});

test("one that does not answer is signalled if the recorded pid is a daemon's", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("deaf", paths, { record: true });
  expect(await stopDaemon({ paths, ...quick })).toBe("killed");
  expect(await holder.exited).toBe(143);
});

test("D02 G12 a recorded pid that belongs to somebody else is never signalled", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("deaf", paths);
  await using bystander = await startHolder("polite", testPaths(dir.join("other")));
  for (const record of [JSON.stringify({ pid: process.pid }), "{", '{"pid":-1}', '{"pid":"1"}', "[]"]) {
    writeFileSync(paths.daemonRecord, record);
    const error = await stopDaemon({ paths, ...quick }).catch((caught) => caught);
    expect(error).toMatchObject({ code: "E_DAEMON_STOP" });
  }
  expect((await holder.client.ping().catch((error) => error)).failure).toBe("not-running");
  expect((await bystander.client.ping()).pid).toBe(bystander.pid);
});

test("D06 a stop that waits for running reviews tells how many there are, once, and takes as long as they do", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("polite", paths);
  const active = [2, 1, 1, 0];
  const asked: (string | undefined)[] = [];
  const client: DaemonClient = {
    ...holder.client,
    async shutdown(mode) {
      asked.push(mode);
    },
    async status() {
      const active_workers = active.shift() as number;
      if (active_workers === 0) await holder.client.shutdown(); // it ends by itself when its last review has
      return { draining: true, active_workers } as DaemonStatus;
    },
  };
  const told: number[] = [];
  const onWait = (reviews: number) => told.push(reviews);
  expect(await stopDaemon({ paths, client, running: "wait", onWait, ...patient })).toBe("stopped");
  expect([asked, told, active]).toEqual([["wait"], [2], []]);
});

test("D06 a daemon of an earlier release, which cannot wait, is stopped as it can be", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("polite", paths);
  const asked: (string | undefined)[] = [];
  const client: DaemonClient = {
    ...holder.client,
    async shutdown(mode) {
      asked.push(mode);
      if (mode !== "interrupt") throw new DaemonRefusal(400, { error: "mode: expected 'interrupt'" });
      await holder.client.shutdown(mode);
    },
  };
  expect(await stopDaemon({ paths, client, running: "wait", ...patient })).toBe("stopped");
  expect(asked).toEqual(["wait", "interrupt"]);
});

test("D06 a daemon that refuses to stop while reviews run is left alone", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("polite", paths);
  const shutdown = async () => {
    throw new DaemonRefusal(409, { error: "1 review is running", code: "E_CONFLICT" });
  };
  const client = { ...holder.client, shutdown };
  const error = await stopDaemon({ paths, client, running: "abort" }).catch((caught) => caught);
  expect(error.message).toBe("1 review is running");
  expect((await holder.client.ping()).pid).toBe(holder.pid);
});
