import { expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { dumpAgentHooks } from "../../src/install/dump.ts";
import { tempDir } from "../support/temp.ts";

const original =
  '{\r\n\t"theirs": 12345678901234567890,\r\n\t"hooks": { "Stop": [ {"hooks": []} ] } // kept\r\n}';
const points = 60;

test(`G2: killed at ${points} moments, install and uninstall leave the file as before or as after`, async () => {
  using home = tempDir({ "bin/roborev": "#!/bin/sh\necho '{}'\n", "dotfiles/hooks.json": original });
  chmodSync(home.join("bin/roborev"), 0o755);
  chmodSync(home.join("dotfiles/hooks.json"), 0o640);
  mkdirSync(home.join(".codex"));
  symlinkSync("../dotfiles/hooks.json", home.join(".codex/hooks.json"));
  const read = () => readFileSync(home.join("dotfiles/hooks.json"), "utf8");
  const wholeMs = (await runAndKill("install", home.path, "9", 60_000)).ranMs;
  let changed = 0;
  let interrupted = 0;
  for (let point = 0; point < points; point++) {
    const before = read(); // of an install with another timeout, or the original
    const verb = point % 2 === 0 ? "install" : "uninstall";
    const timeout = `${10 + point}`;
    const after = verb === "install" ? await installed(home.path, timeout) : original;
    const { finished } = await runAndKill(verb, home.path, timeout, (wholeMs * point) / points);
    const now = read();
    if (now !== before) expect(now).toBe(after);
    if (now !== before) changed++;
    if (!finished) interrupted++;
    expect(statSync(home.join("dotfiles/hooks.json")).mode & 0o777).toBe(0o640);
    expect(lstatSync(home.join(".codex/hooks.json")).isSymbolicLink()).toBe(true);
  }
  expect(interrupted).toBeGreaterThan(5); // else the kills came too late to prove anything
  expect(changed).toBeGreaterThan(0);
  // The lock is free again, what the killed ones left is gone, and the way back is exact.
  expect((await runAndKill("install", home.path, "9", 60_000)).finished).toBe(true);
  expect(read()).toContain('"timeout": 9');
  expect((await runAndKill("uninstall", home.path, "9", 60_000)).finished).toBe(true);
  expect(read()).toBe(original);
  expect(readdirSync(home.join("dotfiles"))).toEqual(["hooks.json"]);
}, 60_000);

/** Starts the work in a process of its own and kills that `delayMs` after it began. */
async function runAndKill(verb: string, home: string, timeout: string, delayMs: number) {
  const script = join(import.meta.dir, "../install/installer.ts");
  const child = Bun.spawn([process.execPath, script, verb, home, timeout], {
    stdout: "pipe",
    stderr: "inherit",
  });
  await child.stdout.getReader().read(); // it is about to begin
  const began = performance.now();
  await Promise.race([child.exited, Bun.sleep(delayMs)]);
  child.kill("SIGKILL");
  const finished = (await child.exited) === 0;
  return { finished, ranMs: performance.now() - began };
}

async function installed(home: string, timeout: string): Promise<string> {
  const { text } = await dumpAgentHooks({
    agent: "codex",
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
