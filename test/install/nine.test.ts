import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { harnesses } from "../../src/harness/registry.ts";
import { dumpAgentHooks } from "../../src/install/dump.ts";
import { installAgentHooks } from "../../src/install/install.ts";
import type { InstallOptions } from "../../src/install/options.ts";
import { uninstallAgentHooks } from "../../src/install/uninstall.ts";
import { tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const files: [string, string][] = [
  ["Claude Code", ".claude/settings.json"],
  ["Codex", ".codex/hooks.json"],
  ["GitHub Copilot CLI", ".copilot/hooks/agenthook.json"],
  ["Cursor", ".cursor/hooks.json"],
  ["Factory Droid", ".factory/hooks.json"],
  ["Gemini CLI", ".gemini/settings.json"],
  ["Hermes Agent", ".hermes/config.yaml"],
  ["Qwen Code", ".qwen/settings.json"],
  ["Grok Build", ".grok/hooks/roborev.json"],
];

function world() {
  const dir = tempDir({ "bin/roborev": "#!/bin/sh\ncat >/dev/null\necho '{}'\n" });
  chmodSync(dir.join("bin/roborev"), 0o755);
  const options = (more: Partial<InstallOptions> = {}): InstallOptions => ({
    agent: "all",
    timeout: "10s",
    dryRun: false,
    env: { HOME: dir.path, PATH: "/usr/bin:/bin" },
    execPath: dir.join("bin/roborev"),
    cwd: dir.path,
    dataDir: dir.join(".roborev"),
    socketPath: dir.join(".roborev/daemon.sock"),
    ...more,
  });
  const read = (file: string) => readFileSync(dir.join(file), "utf8");
  return { dir, options, read, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

const lines = (say: (name: string, file: string) => string) => files.map(([name, file]) => say(name, file));

test("--agent all: every agent in its order, its own file as dump prints it, with nothing to complain about", async () => {
  using w = world();
  const dumped: string[] = [];
  for (const { name } of harnesses) dumped.push((await dumpAgentHooks(w.options({ agent: name }))).text);
  expect(readdirSync(w.dir.path)).toEqual(["bin"]);
  const outcome = await installAgentHooks(w.options());
  expect(outcome.failures).toEqual([]);
  expect(outcome.lines).toEqual(
    lines((name, file) => `installed ${name} agent hooks in ${w.dir.join(file)}`),
  );
  // Every trial run went well: what is left to say is each agent's own next step.
  expect(outcome.notices).toEqual(harnesses.flatMap(({ afterInstall }) => afterInstall ?? []));
  expect(files.map(([, file]) => w.read(file))).toEqual(dumped);
  for (const [, file] of files) {
    expect(statSync(w.dir.join(file)).mode & 0o777).toBe(0o600);
    expect(statSync(w.dir.join(file, "..")).mode & 0o777).toBe(0o700);
  }
});

test("a second run finds everything in place, and uninstall leaves a home as it was", async () => {
  using w = world();
  await installAgentHooks(w.options());
  const image = files.map(([, file]) => w.read(file));
  const again = await installAgentHooks(w.options());
  expect(again).toMatchObject({ notices: [], failures: [] });
  expect(again.lines).toEqual(
    lines((name, file) => `${name} agent hooks already installed in ${w.dir.join(file)}`),
  );
  expect(files.map(([, file]) => w.read(file))).toEqual(image);
  const removed = await uninstallAgentHooks(w.options());
  expect(removed.lines).toEqual(
    lines((name, file) => `removed ${name} agent hooks from ${w.dir.join(file)}`),
  );
  expect(readdirSync(w.dir.path).sort()).toEqual([".roborev", "bin"]);
});

test("scenario 103: without --agent, those of which there is a directory", async () => {
  using w = world();
  for (const directory of [".grok", ".hermes", ".copilot"]) Bun.spawnSync(["mkdir", w.dir.join(directory)]);
  const { lines: said } = await installAgentHooks(w.options({ agent: undefined }));
  expect(said.map((line) => line.split(" agent hooks")[0])).toEqual([
    "installed GitHub Copilot CLI",
    "installed Hermes Agent",
    "installed Grok Build",
  ]);
});

test("scenario 112: what some agents refuse is told for each, and the others are installed", async () => {
  using w = world();
  for (const [file, text] of [
    [".hermes/config.yaml", "a: 1\na: 2\n"],
    [".cursor/hooks.json", '{"version": 2}'],
  ] as const) {
    Bun.spawnSync(["mkdir", "-p", w.dir.join(file, "..")]);
    writeFileSync(w.dir.join(file), text);
  }
  const outcome = await installAgentHooks(w.options({ timeout: "60s" }));
  expect(outcome.lines).toHaveLength(5);
  expect(outcome.failures.map(({ displayName, cause }) => [displayName, cause.split(". ")[0]])).toEqual([
    ["Cursor", "at 1:13: version must be 1, not 2"],
    ["Gemini CLI", "timeout must be between 1 and 30 seconds for Gemini CLI, got 60"],
    ["Hermes Agent", "at 2:1: this key stands twice in its map"],
    ["Qwen Code", "timeout must be between 1 and 30 seconds for Qwen Code, got 60"],
  ]);
  expect(outcome.failures[2]?.path).toBe(w.dir.join(".hermes/config.yaml"));
  expect(w.read(".hermes/config.yaml")).toBe("a: 1\na: 2\n");
  expect(w.read(".cursor/hooks.json")).toBe('{"version": 2}');
  expect(existsSync(w.dir.join(".gemini"))).toBe(false);
});
