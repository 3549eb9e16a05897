import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { daemonSocketPath } from "../../src/client/socket-path.ts";
import { binary } from "../support/binary.ts";
import { testRepo } from "../support/repo.ts";
import { type ReviewScene, reviewScene } from "../support/review-scene.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

// T3, G26: another user of the machine. Needs root, to be that user.

const other = 65_534;
const canSwitch = process.getuid?.() === 0 && Bun.which("setpriv") !== null;

let scene: ReviewScene;
let open: TempDir;

beforeAll(async () => {
  if (!canSwitch) return;
  scene = await reviewScene();
  using repo = testRepo();
  repo.commit("bug", { "a.ts": "BUG: secret finding\n" });
  await scene.reviewed(repo.path, { git_ref: "HEAD" });
  chmodSync(scene.dir.path, 0o755); // so that the data directory itself is what keeps others out
  // A copy that the other user can run, in a directory of theirs.
  open = tempDir();
  chmodSync(open.path, 0o755);
  copyFileSync(binary, open.join("roborev"));
  chmodSync(open.join("roborev"), 0o755);
  mkdirSync(open.join("home"));
  chownSync(open.join("home"), other, other);
});
afterAll(async () => {
  if (!canSwitch) return;
  await scene[Symbol.asyncDispose]();
  open[Symbol.dispose]();
});

function asOther(argv: string[]): { exitCode: number; stdout: string; stderr: string } {
  const switching = ["setpriv", `--reuid=${other}`, `--regid=${other}`, "--clear-groups"];
  const run = Bun.spawnSync([...switching, ...argv], {
    cwd: "/",
    env: { PATH: process.env.PATH ?? "", HOME: open.join("home") },
    timeout: 20_000,
  });
  return { exitCode: run.exitCode, stdout: run.stdout.toString(), stderr: run.stderr.toString() };
}

const all = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? [path, ...all(path)] : [path];
  });

const askDaemon = () =>
  asOther([open.join("roborev"), "list", "--json", "--server", `unix://${scene.dataDir}/daemon.sock`]);

describe.skipIf(!canSwitch)("T3 G26 a second user", () => {
  test("can neither list nor read nor change anything of the data directory", () => {
    expect(asOther(["ls", scene.dataDir]).exitCode).not.toBe(0);
    const paths = all(scene.dataDir);
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) {
      const isFile = lstatSync(path).isFile();
      const attempts = isFile
        ? [
            ["cat", path],
            ["sh", "-c", ': >> "$1"', "sh", path],
            ["rm", "-f", path],
          ]
        : [["ls", path]];
      for (const argv of attempts)
        expect({ argv, done: asOther(argv).exitCode === 0 }).toEqual({ argv, done: false });
    }
    expect(asOther(["touch", join(scene.dataDir, "new")]).exitCode).not.toBe(0);
    expect(asOther(["mv", scene.dataDir, `${scene.dataDir}2`]).exitCode).not.toBe(0);
  });

  test("cannot talk to the daemon, and the tests would have noticed", () => {
    const refused = askDaemon();
    expect([refused.exitCode, refused.stdout]).not.toEqual([0, expect.anything()]);
    expect(refused.stdout).not.toContain("finding");
    chmodSync(scene.dataDir, 0o755);
    try {
      expect(askDaemon().exitCode).not.toBe(0); // the socket has a mode of its own
      chmodSync(join(scene.dataDir, "daemon.sock"), 0o666);
      expect(askDaemon()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"status": "done"') });
    } finally {
      chmodSync(join(scene.dataDir, "daemon.sock"), 0o600);
      chmodSync(scene.dataDir, 0o700);
    }
  });

  test("D05 is told by status that the daemon is unavailable, which is not the same as not running, and starts none", () => {
    const socket = `${scene.dataDir}/daemon.sock`;
    const status = asOther([open.join("roborev"), "status", "--server", `unix://${socket}`]);
    expect(status).toEqual({
      exitCode: 0,
      stdout: `Daemon   unavailable: not allowed to connect to ${socket}. The socket belongs to another user, or this program runs in a sandbox.\n`,
      stderr: "",
    });
    const { exitCode, stderr } = asOther([open.join("roborev"), "list", "--server", `unix://${socket}`]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("not allowed to connect to")]);
    expect(readdirSync(open.join("home"))).toEqual([]);
  });

  test("cannot prepare the socket's directory in /tmp for somebody else's daemon", () => {
    const dataDir = scene.dir.join(`${"long".repeat(30)}/data`);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const directory = join(daemonSocketPath(dataDir), "..");
    expect(directory).toStartWith("/tmp/roborev-0-");
    for (const prepare of [() => chownSync(directory, other, other), () => chmodSync(directory, 0o777)]) {
      mkdirSync(directory, { mode: 0o700 });
      try {
        prepare();
        const run = Bun.spawnSync([binary, "daemon", "run"], {
          env: { ...process.env, ROBOREV_DATA_DIR: dataDir },
          timeout: 20_000,
        });
        expect(run.exitCode).toBe(1);
        expect(run.stderr.toString()).toContain(directory);
      } finally {
        rmSync(directory, { recursive: true });
      }
    }
  });

  test("owns no data directory that we would use", () => {
    const dataDir = open.join("theirs");
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, other, other);
    for (const args of [["daemon", "run"], ["post-commit"], ["list"]]) {
      const run = Bun.spawnSync([binary, ...args], {
        cwd: "/",
        env: { ...process.env, ROBOREV_DATA_DIR: dataDir },
        timeout: 20_000,
      });
      if (args[0] !== "post-commit") {
        expect(run.exitCode).toBe(1);
        expect(run.stderr.toString()).toContain("belongs to another user");
      }
      expect(readdirSync(dataDir)).toEqual([]);
    }
  });
});
