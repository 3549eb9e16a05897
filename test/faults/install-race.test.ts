import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { copilot } from "../../src/harness/copilot.ts";
import { droid } from "../../src/harness/droid.ts";
import { gemini } from "../../src/harness/gemini.ts";
import type { Harness } from "../../src/harness/harness.ts";
import { hermes } from "../../src/harness/hermes.ts";
import { configPath } from "../../src/install/detect.ts";
import { tempDir } from "../support/temp.ts";

const marker = "--source=roborev-agent-hook";
const installers = 8;

/** One of each format. */
test.each([gemini, droid, copilot, hermes])(
  "G6: $displayName: eight installers and a program that writes the file all the time: nothing of its own is lost",
  async (harness) => {
    using home = tempDir({ "bin/roborev": "#!/bin/sh\ncat >/dev/null\necho '{}'\n" });
    chmodSync(home.join("bin/roborev"), 0o755);
    const path = configPath(harness, { HOME: home.path }, home.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, harness.config.format === "yaml" ? "key: true\n" : "{}\n");
    const work = Array.from({ length: installers }, (_, n) => start(harness, home.path, n));
    let running = true;
    const ended = Promise.all(work.map(({ exited }) => exited)).finally(() => {
      running = false;
    });
    const written: string[] = [];
    let lost = 0;
    while (running) {
      const now = readFileSync(path, "utf8");
      const there = keysOf(harness, now); // throws on a torn file
      const missing = written.filter((key) => !there.includes(key));
      lost += missing.length;
      written.push(`key${written.length}`);
      writeFileSync(`${path}.theirs`, withKeys(harness, now, [...missing, written.at(-1) as string]));
      renameSync(`${path}.theirs`, path);
      await Bun.sleep(50);
    }
    await ended;
    for (const { stdout } of work) {
      const [ready, ...complaints] = (await new Response(stdout).text()).trim().split("\n");
      expect(ready).toBe("ready");
      // On a slow machine one may also give up waiting for its turn.
      for (const complaint of complaints)
        expect(complaint).toMatch(
          /keeps changing; another program is writing it|is held by another roborev process/,
        );
    }
    // No portable system call closes the moment between comparing and renaming, so one of its writes may fall into it.
    expect(lost).toBeLessThanOrEqual(2);
    expect(written.length).toBeGreaterThan(5);
    // The writer may have had the last word with what it read before an install: once more, undisturbed.
    expect(await start(harness, home.path, 0).exited).toBe(0);
    const after = readFileSync(path, "utf8");
    const perEntry = harness.config.commandFields?.length ?? 1;
    expect(after.split(marker).length - 1).toBe(harness.registrations.length * perEntry);
    const there = keysOf(harness, after);
    expect(written.filter((key) => !there.includes(key)).length).toBeLessThanOrEqual(1);
  },
  120_000,
);

function start(harness: Harness, home: string, n: number) {
  const script = join(import.meta.dir, "../install/installer.ts");
  const args = ["install", harness.name, home, `${n + 5}`, `${n + 15}`];
  return Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" });
}

function keysOf({ config }: Harness, text: string): string[] {
  return Object.keys((config.format === "yaml" ? Bun.YAML.parse(text) : JSON.parse(text)) as object);
}

/** As another program adds to the file. */
function withKeys({ config }: Harness, text: string, keys: string[]): string {
  if (config.format === "yaml") return keys.map((key) => `${key}: true\n`).join("") + text;
  const members = keys.map((key) => [key, true] as const);
  return JSON.stringify({ ...JSON.parse(text), ...Object.fromEntries(members) });
}
