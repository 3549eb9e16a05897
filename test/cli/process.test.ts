import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { fakeDaemon } from "../client/fake-daemon.ts";
import { binary } from "../support/binary.ts";
import { endOf } from "../support/end-of.ts";
import { expectWithin } from "../support/limit.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const mainFile = join(import.meta.dir, "../../src/main.ts");
const argv = (...words: string[]) => [process.execPath, mainFile, ...words];

/** The program as a process of its own, under a shell so that its streams can be odd. */
async function underShell(script: string, options: { cwd?: string; env?: Record<string, string> } = {}) {
  const child = Bun.spawn(["/bin/sh", "-c", script, "sh", process.execPath, mainFile], {
    cwd: options.cwd ?? "/",
    env: { ...process.env, ...options.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const { stdout, stderr, exitCode: code } = await endOf(child);
  return { stdout, stderr, code };
}

const noTrace = (text: string) => expect(text).not.toMatch(/\n\s+at |\bBun v\d|node:|\$bunfs/);

test("closed streams, a pipe that nobody reads and a full disk show no stack trace", async () => {
  for (const script of [
    '"$1" "$2" status <&-',
    '"$1" "$2" --help >&-',
    '"$1" "$2" --help | true',
    '"$1" "$2" nonsense 2>&-',
    '"$1" "$2" --help >/dev/full',
  ]) {
    const { stderr, stdout, code } = await underShell(script);
    noTrace(stderr + stdout);
    expect(code).toBeLessThanOrEqual(2);
  }
});

test("a dumb, narrow, colourless terminal in the C locale gets plain text", async () => {
  const env = { TERM: "dumb", LANG: "C", LC_ALL: "C", COLUMNS: "2", FORCE_COLOR: "", NO_COLOR: "1" };
  const { stdout, code } = await underShell('"$1" "$2" version && "$1" "$2" status', { env });
  expect(code).toBe(0);
  expect(stdout).not.toContain("\x1b");
});

test("a current directory that was deleted is one clear line, exit 1", async () => {
  using dir = tempDir();
  mkdirSync(dir.join("gone"));
  const { stderr, code } = await underShell('rmdir "$PWD"; "$1" "$2" list', { cwd: dir.join("gone") });
  expect({ stderr, code }).toEqual({
    stderr: "Error: the current directory no longer exists. Change to another one and try again.\n",
    code: 1,
  });
});

test("a relative data directory is refused before anything happens, exit 2", async () => {
  const { stderr, code, stdout } = await underShell('"$1" "$2" list', { env: { ROBOREV_DATA_DIR: "here" } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toStartWith("Error: ROBOREV_DATA_DIR must be an absolute path, got here\n");
});

test("an unwritable data directory is one clear line, exit 1", async () => {
  using dir = tempDir();
  using repo = testRepo();
  mkdirSync(dir.join("home"), { mode: 0o500 });
  chmodSync(dir.join("home"), 0o500);
  // The superuser can write anywhere; a path through a file is closed to everybody.
  const dataDir = process.getuid?.() === 0 ? "/dev/null/data" : dir.join("home/data");
  const { stderr, code } = await underShell('"$1" "$2" list', {
    cwd: repo.path,
    env: { ROBOREV_DATA_DIR: dataDir },
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: [^\n]+\n$/);
});

test("post-commit called by git ends in time, prints nothing and exits 0 with no way to write anything", async () => {
  using repo = testRepo();
  const startedAt = performance.now();
  const result = await underShell('"$1" "$2" post-commit', {
    cwd: repo.path,
    env: { ROBOREV_DATA_DIR: "/dev/null/data" },
  });
  expect(result).toEqual({ stdout: "", stderr: "", code: 0 });
  expectWithin(performance.now() - startedAt, 3000);
});

test("an interrupt ends a command that only waits, at once, with 130", async () => {
  using dir = tempDir();
  await using daemon = fakeDaemon(dir.join("data"), { "GET /api/jobs": () => new Promise(() => {}) });
  const child = Bun.spawn(argv("list"), {
    env: { ...process.env, ROBOREV_DATA_DIR: dir.join("data") },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  await waitFor("the request", () => daemon.of("GET /api/jobs").length > 0);
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  expect(await new Response(child.stderr).text()).toBe("");
});

test("demo tells the whole story, exits 0 and leaves nothing behind", async () => {
  using dir = tempDir();
  const { stdout, stderr, code } = await underShell('"$1" "$2" demo', { env: { TMPDIR: dir.path } });
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  expect(stdout).toContain("   | Act on the open roborev findings now");
  expect(stdout).toContain("is busy with review 2 in ");
  expect(stdout).toContain("Job 2 closed");
  expect(stdout).toContain("Completed Agent Hook fix session ");
  expect(stdout).toContain("acted: comment");
  expect(stdout.split("\n").at(-2)).toStartWith("Done in ");
  expect(readdirSync(dir.path)).toEqual([]);
}, 120_000);

test("an interrupted demo stops its daemon, removes everything and exits 130", async () => {
  using dir = tempDir();
  const child = Bun.spawn(argv("demo"), {
    env: { ...process.env, TMPDIR: dir.path },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const socket = () => {
    const [root] = readdirSync(dir.path);
    return (
      root !== undefined &&
      readdirSync(dir.join(root)).includes("data") &&
      readdirSync(dir.join(root, "data")).includes("daemon.sock")
    );
  };
  await waitFor("the demo's daemon", socket);
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  expect(await new Response(child.stderr).text()).toBe("");
  expect(readdirSync(dir.path)).toEqual([]);
  expect(() => rmdirSync(dir.path)).not.toThrow();
  mkdirSync(dir.path);
}, 120_000);

test.skipIf(!existsSync("/dev/full")).each([[], ["--json"]])(
  "G7: data that a full disk does not take is an error of one line, exit 1 %j",
  (...flags: string[]) => {
    using dir = tempDir();
    const run = Bun.spawnSync([binary, "version", ...flags], {
      env: { HOME: dir.path, ROBOREV_DATA_DIR: dir.join("data") },
      stdout: Bun.file("/dev/full"),
      stderr: "pipe",
    });
    expect([run.exitCode, run.stderr.toString()]).toEqual([
      1,
      "Error: cannot write to standard output: no space left on device\n",
    ]);
  },
);
