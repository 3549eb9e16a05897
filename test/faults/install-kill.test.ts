import { expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Harness } from "../../src/harness/harness.ts";
import { harnesses } from "../../src/harness/registry.ts";
import { configPath } from "../../src/install/detect.ts";
import { dumpAgentHooks } from "../../src/install/dump.ts";
import { tempDir } from "../support/temp.ts";

// 200 points for each of the nine take four minutes: INSTALL_KILL_POINTS=1800 bun test test/faults/install-kill.test.ts
const points = Number(process.env.INSTALL_KILL_POINTS ?? 36);
const perHarness = Math.ceil(points / harnesses.length);
let interrupted = 0;
let changed = 0;

const json =
  '{\r\n\t"theirs": 12345678901234567890,\r\n\t"hooks": { "Notification": [ {"hooks": []} ] } // kept\r\n}';
const originals: Record<Harness["config"]["format"], string> = {
  "nested-json": json,
  "direct-json": '{"version":1,\n "theirs": 12345678901234567890, "hooks": {"other": [{"command":"x"}]}}',
  yaml: "# kept\r\ntheirs: 12345678901234567890\r\nhooks:\r\n  other: [{command: x}] # too",
};

for (const harness of harnesses) {
  test(
    `G2: ${harness.displayName}: killed at ${perHarness} moments, its file is as before or as after`,
    () => killAtMoments(harness),
    300_000,
  );
}

test("G2: the kills hit before, after and in between", () => {
  expect(interrupted).toBeGreaterThan(points / 12);
  expect(changed).toBeGreaterThan(0);
});

async function killAtMoments(harness: Harness): Promise<void> {
  const original = originals[harness.config.format];
  using home = tempDir({ "bin/roborev": "#!/bin/sh\necho '{}'\n", "dotfiles/f": original });
  chmodSync(home.join("bin/roborev"), 0o755);
  chmodSync(home.join("dotfiles/f"), 0o640);
  const path = configPath(harness, { HOME: home.path }, home.path);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(relative(dirname(path), home.join("dotfiles/f")), path);
  const read = () => readFileSync(home.join("dotfiles/f"), "utf8");
  const run = (verb: string, timeout: string, delayMs: number) =>
    runAndKill([verb, harness.name, home.path, timeout], delayMs);

  const wholeMs = (await run("install", "9", 60_000)).ranMs;
  for (let point = 0; point < perHarness; point++) {
    const before = read(); // of an install with another timeout, or the original
    const verb = point % 2 === 0 ? "install" : "uninstall";
    const timeout = `${10 + (point % 20)}`;
    const after = verb === "install" ? await installed(harness, home.path, timeout) : original;
    const { finished } = await run(verb, timeout, (wholeMs * (point + 1)) / (perHarness + 1));
    const now = read();
    if (now !== before) expect(now).toBe(after);
    if (now !== before) changed++;
    if (!finished) interrupted++;
    expect(statSync(home.join("dotfiles/f")).mode & 0o777).toBe(0o640);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  }
  // The lock is free again, what the killed ones left is gone, and the way back is exact.
  expect((await run("install", "8", 60_000)).finished).toBe(true);
  expect(read()).toMatch(/[tT]imeout(?:Sec)?"?: ?8/);
  expect((await run("uninstall", "8", 60_000)).finished).toBe(true);
  expect(read()).toBe(original);
  expect(readdirSync(home.join("dotfiles"))).toEqual(["f"]);
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
}

/** Starts the work in a process of its own and kills that `delayMs` after it began. */
async function runAndKill(args: string[], delayMs: number) {
  const script = join(import.meta.dir, "../install/installer.ts");
  const child = Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read(); // it is about to begin
  const began = performance.now();
  await Promise.race([child.exited, Bun.sleep(delayMs)]);
  child.kill("SIGKILL");
  const finished = (await child.exited) === 0;
  return { finished, ranMs: performance.now() - began };
}

async function installed(harness: Harness, home: string, timeout: string): Promise<string> {
  const { text } = await dumpAgentHooks({
    agent: harness.name,
    timeout,
    dryRun: true,
    env: { HOME: home, PATH: "/usr/bin:/bin" },
    execPath: join(home, "bin/roborev"),
    cwd: home,
    dataDir: join(home, ".roborev"),
    socketPath: join(home, ".roborev/daemon.sock"),
  });
  return text;
}
