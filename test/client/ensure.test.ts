import { expect, test } from "bun:test";
import { appendFileSync, chmodSync, existsSync } from "node:fs";
import { createDaemonClient } from "../../src/client/daemon.ts";
import { ensureDaemon, startDaemon } from "../../src/client/ensure.ts";
import { launchDaemon } from "../../src/client/start.ts";
import { DaemonError } from "../../src/client/transport.ts";
import type { DataPaths } from "../../src/config/paths.ts";
import { tryLock } from "../../src/fs/lock.ts";
import { tempDir } from "../support/temp.ts";
import { fakeDaemon } from "./fake-daemon.ts";
import { holderArgv, startHolder, testPaths } from "./holder.ts";

const launchHolder = (behaviour: string) => (paths: DataPaths) =>
  launchDaemon(paths, holderArgv(behaviour, paths));
const neverLaunch = async (): Promise<never> => {
  throw new Error("must not start a daemon");
};
const endDaemon = async (paths: DataPaths, pid: number) => {
  process.kill(pid, "SIGKILL");
  expect(existsSync(paths.daemonLog)).toBe(true);
};

test("a daemon that answers is used as it is", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using daemon = fakeDaemon(paths.dataDir);
  const client = await ensureDaemon({ paths, autostart: true, launch: neverLaunch });
  expect(client.socket).toBe(daemon.socket);
});

test("without autostart nothing is started, and the error says how to", async () => {
  using dir = tempDir();
  const error = await ensureDaemon({
    paths: testPaths(dir.path),
    autostart: false,
    launch: neverLaunch,
  }).catch((e) => e);
  expect(error).toMatchObject({ code: "E_DAEMON_NOT_RUNNING", hint: "Start it with: roborev daemon start" });
});

test("P13 a missing daemon is started, apart from its caller and the repository of a git hook, and used once it answers", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  const ofHook = { GIT_DIR: ".git", GIT_INDEX_FILE: ".git/index", GIT_PREFIX: "sub/" };
  Object.assign(process.env, ofHook);
  const starting = startDaemon({ paths, autostart: true, launch: launchHolder("polite") });
  const { ping, started } = await starting.finally(() => {
    for (const name of Object.keys(ofHook)) delete process.env[name];
  });
  try {
    expect(started).toBe(true);
    if (process.platform === "linux") {
      const stat = await Bun.file(`/proc/${ping.pid}/stat`).text();
      const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      expect(Number(session)).toBe(ping.pid); // a session of its own
      const environment = await Bun.file(`/proc/${ping.pid}/environ`).text();
      expect(environment).toContain("PATH=");
      expect(environment.split("\0").filter((line) => /^GIT_(?!CONFIG_)/.test(line))).toEqual([]);
    }
    expect((await startDaemon({ paths, autostart: true, launch: neverLaunch })).started).toBe(false);
  } finally {
    await endDaemon(paths, ping.pid);
  }
});

test("two starts at once end with one daemon and two clients", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  const start = () => startDaemon({ paths, autostart: true, launch: launchHolder("polite") });
  const [one, two] = await Promise.all([start(), start()]);
  try {
    expect(one.ping.pid).toBe(two.ping.pid);
  } finally {
    await endDaemon(paths, one.ping.pid);
  }
});

test("G10 of many starts at once only one launches a process: a late one could outlive a stop", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  const pids: number[] = [];
  const launch = async (where: DataPaths) => {
    const child = await launchHolder("polite")(where);
    pids.push(child.pid);
    return child;
  };
  const starts = Array.from({ length: 8 }, () => startDaemon({ paths, autostart: true, launch }));
  const pings = (await Promise.all(starts)).map(({ ping }) => ping.pid);
  await endDaemon(paths, pings[0] as number);
  expect(pids).toHaveLength(1);
  expect([...new Set(pings)]).toEqual(pids);
});

test("a start that waits for another one's is given up on at its own limit", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  const lock = tryLock(paths.daemonStartLock);
  const options = { paths, autostart: true, startTimeoutMs: 100, launch: neverLaunch };
  const error = await ensureDaemon(options).catch((caught) => caught);
  lock?.release();
  expect(error).toMatchObject({ code: "E_DAEMON_START" });
});

test("a daemon that ends at once is reported with the last line of its log, well before the limit", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  appendFileSync(paths.daemonLog, "an older line\n");
  const launch = (where: DataPaths) =>
    launchDaemon(where, [process.execPath, "-e", "console.error('no disk \\x1b[31mspace'); process.exit(3)"]);
  const error = await ensureDaemon({ paths, autostart: true, launch }).catch((caught) => caught);
  expect(error).toMatchObject({
    code: "E_DAEMON_START",
    message: "the daemon ended at once with status 3: no disk [31mspace",
  });
  expect(error.hint).toContain(paths.daemonLog);
});

test("a daemon that never answers is given up on at the limit", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  let pid = 0;
  const launch = async (where: DataPaths) => {
    const child = await launchDaemon(where, holderArgv("deaf", where));
    pid = child.pid;
    return child;
  };
  const error = await ensureDaemon({ paths, autostart: true, startTimeoutMs: 300, launch }).catch(
    (caught) => caught,
  );
  await endDaemon(paths, pid);
  expect(error).toMatchObject({ code: "E_DAEMON_START" });
  expect(error.message).toStartWith("the daemon did not answer within 0.3 s");
});

test("D05 where connecting is forbidden nothing is started", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  const client = createDaemonClient("/denied", async () => {
    throw new DaemonError("denied", "not allowed to connect");
  });
  const error = await ensureDaemon({ paths, client, autostart: true, launch: neverLaunch }).catch(
    (caught) => caught,
  );
  expect(error).toMatchObject({ code: "E_DAEMON_DENIED" });
});

test("a daemon that accepts but does not answer is reported, never doubled", async () => {
  using dir = tempDir();
  const client = createDaemonClient("/hung", async () => {
    throw new DaemonError("timed-out", "the daemon did not answer within 1000 ms");
  });
  const error = await ensureDaemon({
    paths: testPaths(dir.path),
    client,
    autostart: true,
    launch: neverLaunch,
  }).catch((e) => e);
  expect(error).toMatchObject({ code: "E_DAEMON_TIMEOUT", hint: "Restart it with: roborev daemon restart" });
});

test("D5 same API level, other version: used, with one notice", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using _holder = await startHolder("other-version", paths);
  const notices: string[] = [];
  await ensureDaemon({ paths, autostart: true, launch: neverLaunch, notify: (line) => notices.push(line) });
  expect(notices).toEqual([expect.stringContaining("The daemon is version 0.0.1")]);
});

test("D5 other API level: the daemon is stopped and replaced", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("old-level", paths);
  const notices: string[] = [];
  const client = await ensureDaemon({
    paths,
    autostart: true,
    launch: launchHolder("polite"),
    notify: (line) => notices.push(line),
  });
  const { pid } = await client.ping();
  await endDaemon(paths, pid);
  expect(await holder.exited).toBe(0);
  expect(pid).not.toBe(holder.pid);
  expect(notices).toHaveLength(1);
});

test("D5 a hook leaves a daemon of another API level alone, and the check can be switched off", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  await using holder = await startHolder("old-level", paths);
  const options = { paths, autostart: true, mayRestart: false, launch: neverLaunch };
  const error = await ensureDaemon(options).catch((caught) => caught);
  expect(error).toMatchObject({ code: "E_DAEMON_VERSION", hint: "Restart it with: roborev daemon restart" });
  await ensureDaemon({ ...options, env: { ROBOREV_SKIP_VERSION_CHECK: "1" } });
  expect((await holder.client.ping()).pid).toBe(holder.pid);
});

test("a data directory that others can enter is narrowed before anything is started in it", async () => {
  using dir = tempDir();
  const paths = testPaths(dir.path);
  chmodSync(paths.dataDir, 0o755);
  const { ping } = await startDaemon({ paths, autostart: true, launch: launchHolder("polite") });
  await endDaemon(paths, ping.pid);
  expect((await Bun.file(paths.dataDir).stat()).mode & 0o777).toBe(0o700);
  expect((await Bun.file(paths.daemonLog).stat()).mode & 0o777).toBe(0o600);
});
