import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { daemonSocketPath } from "../../src/client/socket-path.ts";
import { requestDaemon } from "../../src/client/transport.ts";
import type { Job } from "../../src/store/schema.ts";
import { binary, roborev } from "../support/binary.ts";
import { startDaemon } from "../support/daemon-process.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const daemonRun = (dataDir: string, cwd?: string) =>
  roborev(["daemon", "run"], { env: { ROBOREV_DATA_DIR: dataDir }, ...(cwd === undefined ? {} : { cwd }) });

const oneLine = /^Error: [^\n]+\n$/;

describe("one daemon per data directory", () => {
  test("S06 D4 a second `daemon run` ends with 1 and one line, and the first goes on", async () => {
    using dir = tempDir();
    await using daemon = await startDaemon(dir.path);
    const second = await daemonRun(dir.path);
    expect(second.exitCode).toBe(1);
    expect(second.stdout).toBe("");
    expect(second.stderr).toMatch(oneLine);
    expect(second.stderr).toContain(`a daemon is already running for ${dir.path}`);
    expect(((await daemon.send("GET", "/api/ping")).body as { pid: number }).pid).toBe(daemon.pid);
  });

  test("G1 after kill -9 the next start works at once: socket, lock and record of the dead one do not matter", async () => {
    using dir = tempDir();
    for (let round = 0; round < 3; round++) {
      const daemon = await startDaemon(dir.path);
      await waitFor("its record", () => existsSync(dir.join("daemon.json")));
      await daemon.kill();
      expect(existsSync(dir.join("daemon.sock"))).toBe(true);
    }
    await using daemon = await startDaemon(dir.path);
    const record = () => JSON.parse(readFileSync(dir.join("daemon.json"), "utf8")) as { pid: number };
    await waitFor("the record of the new daemon", () => record().pid === daemon.pid);
  });

  test("D01 there is no port to be busy; its record appears once the daemon answers, and goes with it, like its socket", async () => {
    using dir = tempDir();
    const record = dir.join("daemon.json");
    const child = Bun.spawn([binary, "daemon", "run"], {
      env: { ...process.env, ROBOREV_DATA_DIR: dir.path },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await waitFor("the record", () => existsSync(record));
    const answer = await requestDaemon(dir.join("daemon.sock"), "GET", "/api/ping", undefined, {
      timeoutMs: 5000,
    });
    expect(answer).toMatchObject({ status: 200, body: { service: "roborev", pid: child.pid } });
    expect(JSON.parse(readFileSync(record, "utf8"))).toMatchObject({
      pid: child.pid,
      socket: dir.join("daemon.sock"),
    });
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect([existsSync(record), existsSync(dir.join("daemon.sock"))]).toEqual([false, false]);
  });

  test("a dead daemon's socket and record do not keep commands from saying that none runs", async () => {
    using dir = tempDir();
    await (await startDaemon(dir.path)).kill();
    const env = { ROBOREV_DATA_DIR: dir.path };
    expect(JSON.parse((await roborev(["status", "--json"], { env })).stdout)).toMatchObject({
      running: false,
    });
    expect(await roborev(["daemon", "stop"], { env })).toEqual({
      exitCode: 0,
      stdout: "Daemon was not running\n",
      stderr: "",
    });
  });

  test("D02 damaged and foreign records do not hinder a start, and whose pid they hold is left alone", async () => {
    for (const record of [
      "",
      "{",
      '{"pid":0}',
      `{"pid":${process.pid},"addr":"127.0.0.1:1"}`,
      '{"pid":1,"addr":"evil.example:80"}',
    ]) {
      using dir = tempDir({ "daemon.json": record });
      chmodSync(dir.path, 0o700);
      await using daemon = await startDaemon(dir.path);
      const written = () => readFileSync(dir.join("daemon.json"), "utf8");
      await waitFor("its own record", () => written().includes(`"pid": ${daemon.pid}`));
    }
  });

  test("D9 a live daemon of the Go program is refused with its stop command, and nothing is touched", async () => {
    using dir = tempDir();
    chmodSync(dir.path, 0o700);
    const go = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => Response.json({ service: "roborev", version: "0.50.0" }),
    });
    try {
      const record = JSON.stringify({ pid: process.pid, addr: `127.0.0.1:${go.port}` });
      writeFileSync(dir.join(`daemon.${process.pid}.json`), record);
      const run = await daemonRun(dir.path);
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toMatch(oneLine);
      expect(run.stderr).toContain("roborev daemon stop");
      expect(existsSync(dir.join("reviews.db"))).toBe(false);
      expect(readFileSync(dir.join(`daemon.${process.pid}.json`), "utf8")).toBe(record);
    } finally {
      await go.stop(true);
    }
  });
});

describe("where the daemon listens", () => {
  test("D1 only its owner can reach socket, record, database and log", async () => {
    using dir = tempDir();
    chmodSync(dir.path, 0o755);
    await using _daemon = await startDaemon(dir.path);
    await waitFor("the record", () => existsSync(dir.join("daemon.json")));
    const open = ["", "daemon.sock", "daemon.json", "reviews.db", "daemon.log"].filter(
      (name) => (statSync(dir.join(name)).mode & 0o077) !== 0,
    );
    expect(open).toEqual([]);
  });

  test("D1 a data directory with a long path: daemon, command and hook meet at the same short socket", async () => {
    using dir = tempDir();
    using repo = testRepo();
    const dataDir = dir.join("d".repeat(90), "data");
    const socket = daemonSocketPath(dataDir);
    expect(socket).toStartWith("/tmp/roborev-");
    const env = { ROBOREV_DATA_DIR: dataDir };
    await using daemon = await startDaemon(dataDir);
    try {
      await daemon.send("POST", "/api/repos/register", { repo_path: repo.path });
      const status = JSON.parse((await roborev(["status", "--json"], { env })).stdout) as {
        daemon: { pid: number; socket: string };
      };
      expect(status.daemon).toMatchObject({ pid: daemon.pid, socket });
      const payload = JSON.stringify({
        session_id: "s",
        hook_event_name: "Stop",
        cwd: repo.path,
        stop_hook_active: false,
      });
      const hook = await roborev(["agent-hook", "run", "--agent", "claude"], { env, stdin: payload });
      expect(hook).toEqual({ exitCode: 0, stdout: "{}\n", stderr: "" });
      const sessions = (await daemon.send("GET", "/api/agent-hook/sessions")).body as { sessions: object };
      expect(Object.keys(sessions.sessions)).toEqual(["claude:s"]);
      await daemon.send("POST", "/api/shutdown", {});
      expect(await daemon.exited).toBe(0);
      expect(existsSync(dirname(socket))).toBe(false);
    } finally {
      rmSync(dirname(socket), { recursive: true, force: true });
    }
  });

  test("D03 a socket directory that others can enter, or that is a link, is refused and stays as it is", async () => {
    using dir = tempDir();
    const dataDir = dir.join("e".repeat(90), "data");
    const place = dirname(daemonSocketPath(dataDir));
    try {
      mkdirSync(place, { mode: 0o750 });
      chmodSync(place, 0o750);
      const open = await daemonRun(dataDir);
      expect([open.exitCode, open.stderr]).toEqual([
        1,
        `Error: ${place} can be entered by other users. Remove it and try again.\n`,
      ]);
      expect(statSync(place).mode & 0o777).toBe(0o750);
      rmSync(place, { recursive: true });
      symlinkSync(dir.path, place);
      const link = await daemonRun(dataDir);
      expect([link.exitCode, link.stderr]).toEqual([
        1,
        `Error: ${place} is not a directory. Remove it and try again.\n`,
      ]);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  test("D1 a relative data directory is refused by every kind of call, and nothing is created", async () => {
    using dir = tempDir();
    const run = await daemonRun("data", dir.path);
    expect([run.exitCode, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain("ROBOREV_DATA_DIR must be an absolute path, got data");
    const env = { ROBOREV_DATA_DIR: "data" };
    expect((await roborev(["daemon", "start"], { cwd: dir.path, env })).exitCode).toBe(2);
    expect(await roborev(["post-commit"], { cwd: dir.path, env })).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
    const hook = await roborev(["agent-hook", "run", "--agent", "codex"], {
      cwd: dir.path,
      env,
      stdin: JSON.stringify({ session_id: "s", hook_event_name: "Stop", cwd: dir.path }),
    });
    expect([hook.exitCode, hook.stdout]).toEqual([0, "{}\n"]);
    expect(existsSync(dir.join("data"))).toBe(false);
  });
});

test("D6 a start picks up the commits that found no daemon, each once", async () => {
  using dir = tempDir({ "config.toml": 'default_agent = "test"\n' });
  using repo = testRepo();
  const shas = ["a", "b"].map((name) => repo.commit(name, { [`${name}.txt`]: "fine\n" }));
  const line = (sha: string) =>
    `${JSON.stringify({ ts: new Date().toISOString(), repo: repo.path, sha, branch: "main" })}\n`;
  writeFileSync(dir.join("missed-commits.jsonl"), shas.map((sha) => line(sha) + line(sha)).join(""));
  await using daemon = await startDaemon(dir.path);
  const jobs = async () => ((await daemon.send("GET", "/api/jobs?limit=0")).body as { jobs: Job[] }).jobs;
  await waitFor(
    "both reviews",
    async () => (await jobs()).filter((job) => job.status === "done").length === 2,
  );
  await waitFor("the end of the file", () => !existsSync(dir.join("missed-commits.jsonl.reading")));
  expect((await jobs()).map((job) => job.git_ref).sort()).toEqual([...shas].sort());
});

test("a key without effect is named by `status` and in the log; the daemon works on", async () => {
  using dir = tempDir({ "config.toml": "max_wrokers = 2\nnonsense = 1\n" });
  await using _daemon = await startDaemon(dir.path);
  const run = await roborev(["status"], { env: { ROBOREV_DATA_DIR: dir.path } });
  expect(run.stdout).toContain("Health   OK");
  const warning = `${dir.join("config.toml")}:1:1: \`max_wrokers\` is not a known key; did you mean \`max_workers\`?`;
  expect(run.stdout).toContain(`  + config: ${warning}, and 1 more\n`);
  const log = readFileSync(dir.join("daemon.log"), "utf8");
  expect(log).toContain(JSON.stringify(warning));
  expect(log).toContain("nonsense");
});
