import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Group } from "../../src/cli/node.ts";
import { root as commands } from "../../src/cli/tree.ts";
import { binary } from "../support/binary.ts";
import { git } from "../support/repo.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

// The compiled binary in a repository whose every file tries to run something: Bun's own start-up files, a planted
// package, package.json scripts with the names of our commands, and git configuration. Anything that runs leaves a file.
// Out of reach of any build: an environment with BUN_BE_BUN, BUN_INSPECT or BUN_INSPECT_PRELOAD set by somebody else.

let place: TempDir;
let env: Record<string, string>;

beforeAll(() => {
  place = tempDir({ "empty.ts": 'console.log("empty");' });
  setTraps(place.join("trap"));
  for (const directory of ["home", "data"]) mkdirSync(place.join(directory), { mode: 0o700 });
  writeFileSync(place.join("data", "config.toml"), 'default_agent = "test"\n');
  env = {
    PATH: process.env.PATH ?? "",
    HOME: place.join("home"),
    ROBOREV_DATA_DIR: place.join("data"),
    BUN_OPTIONS: "--preload ./evil.ts",
    NODE_OPTIONS: "--require ./evil.js",
    GIT_CONFIG_GLOBAL: process.env.GIT_CONFIG_GLOBAL ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
  };
});

afterAll(() => {
  run(["daemon", "stop"]);
  place[Symbol.dispose]();
});

const canary = (name: string) => place.join("canaries", name);

function setTraps(trap: string): void {
  mkdirSync(place.join("canaries"));
  const plant = (name: string, content: string, mode = 0o644) => {
    mkdirSync(dirname(join(trap, name)), { recursive: true });
    writeFileSync(join(trap, name), content, { mode });
  };
  const write = (name: string) => `require("node:fs").writeFileSync(${JSON.stringify(canary(name))}, "");`;
  const names = [...commands.commands.keys(), "run", "install", "start", "preinstall", "postinstall"];
  plant("bunfig.toml", 'preload = ["./evil.ts"]\n[test]\npreload = ["./evil.ts"]\n[run]\nbun = true\n');
  plant("evil.ts", write("preload"));
  plant("evil.js", write("require"));
  const dotenv = `ROBOREV_DATA_DIR=${canary("data-dir")}\nROBOREV_SERVER=unix://${canary("socket")}\nBUN_CONFIG_VERBOSE_FETCH=curl\n`;
  for (const name of [".env", ".env.local", ".env.production", ".env.development"]) plant(name, dotenv);
  plant(
    "package.json",
    JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, `touch ${canary("script")}`])) }),
  );
  plant("tsconfig.json", JSON.stringify({ compilerOptions: { paths: { "*": ["./evil.ts"] } } }));
  for (const name of names) plant(`${name}.ts`, write("file"));
  for (const name of ["elysia", "citty", "@sinclair/typebox"])
    plant(`node_modules/${name}/index.js`, write("package"));
  plant("trap.sh", `#!/bin/sh\ntouch ${canary("git")}\n`, 0o755);
  chmodSync(join(trap, "trap.sh"), 0o755);
  plant(".gitattributes", "* filter=evil diff=evil merge=evil\n");
  for (const hook of ["post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"])
    plant(`hooks/${hook}`, `#!/bin/sh\ntouch ${canary(hook)}\n`, 0o755);
  git(trap, "init", "-q");
  git(trap, "add", "-A");
  git(trap, "commit", "-q", "-m", "trap");
  for (const key of executableKeys) git(trap, "config", key, join(trap, "trap.sh"));
  git(trap, "config", "core.hooksPath", join(trap, "hooks"));
  git(trap, "config", "log.showSignature", "true");
  git(trap, "config", "filter.evil.required", "true");
  plant("evil.js", `${write("require")} // changed`);
}

/** Settings of a repository that name a program for git to run. */
const executableKeys = [
  "core.fsmonitor",
  "core.pager",
  "core.sshCommand",
  "core.editor",
  "core.askPass",
  "diff.external",
  "gpg.program",
  "filter.evil.clean",
  "filter.evil.smudge",
  "filter.evil.process",
  "diff.evil.textconv",
  "diff.evil.command",
  "merge.evil.driver",
];

function run(
  args: string[],
  options: { stdin?: string; program?: string; env?: Record<string, string> } = {},
) {
  const child = Bun.spawnSync([options.program ?? binary, ...args], {
    cwd: place.join("trap"),
    env: { ...env, ...options.env },
    stdin: new TextEncoder().encode(options.stdin ?? ""),
    stderr: "pipe",
    timeout: 20_000,
  });
  return { exitCode: child.exitCode, stdout: child.stdout.toString(), stderr: child.stderr.toString() };
}

/** What ran that should not have. */
const tripped = () => [
  ...new Bun.Glob("**").scanSync({ cwd: place.join("canaries"), dot: true, onlyFiles: false }),
];

function everyCommand(group: Group, words: string[] = []): string[][] {
  return [...group.commands].flatMap(([name, node]) => [
    [...words, name],
    ...(node.kind === "group" ? everyCommand(node, [...words, name]) : []),
  ]);
}

test("the traps work: a program compiled with Bun's defaults falls into them", async () => {
  const outfile = place.join("default");
  await Bun.build({ entrypoints: [place.join("empty.ts")], target: "bun", compile: { outfile } });
  expect(run([], { program: outfile }).exitCode).toBe(0);
  expect(existsSync(canary("preload"))).toBe(true);
  await Bun.file(canary("preload")).delete();
});

test("G24: no command executes anything of the directory it is started in", () => {
  for (const words of [[], ...everyCommand(commands)]) {
    const { exitCode, stdout } = run([...words, "--help"]);
    expect({ words, exitCode }).toEqual({ words, exitCode: 0 });
    expect(stdout).toContain("roborev");
    expect({ words, tripped: tripped() }).toEqual({ words, tripped: [] });
  }
}, 120_000);

test("G24: neither do the commands that read the repository, nor the hook", () => {
  expect(run(["version"]).stdout).toMatch(/\d+\.\d+\.\d+/);
  const payload = (event: string, command: string) =>
    JSON.stringify({
      session_id: "trap",
      transcript_path: "/nowhere.jsonl",
      cwd: place.join("trap"),
      hook_event_name: event,
      tool_name: "Bash",
      tool_input: { command },
      ...(event === "PostToolUse" ? { tool_response: { stdout: "", stderr: "", interrupted: false } } : {}),
    });
  const hook = (event: string, command: string) =>
    run(["agent-hook", "run", "--agent", "claude"], { stdin: payload(event, command) });

  expect(run(["status"]).exitCode).toBe(0);
  expect(hook("PreToolUse", "ls")).toEqual({ exitCode: 0, stdout: "{}\n", stderr: "" });
  expect(run(["list"])).toMatchObject({ exitCode: 0 }); // starts the daemon, from inside the trap
  expect(run(["daemon", "status"]).exitCode).toBe(0);
  for (const event of ["PreToolUse", "PostToolUse"]) {
    expect(hook(event, "git commit -m x")).toEqual({ exitCode: 0, stdout: "{}\n", stderr: "" });
  }
  run(["post-commit"]);
  expect(run(["review", "HEAD", "--wait"]).exitCode).toBe(0);
  expect(run(["review", "--dirty", "--wait"]).exitCode).toBe(0);
  expect(run(["show", "HEAD"]).exitCode).toBe(0);
  expect(run(["doctor", "--fix"]).stdout).toContain("Git hooks");
  expect(run(["completion-values", "review"]).stdout).toContain("HEAD");
  expect(tripped()).toEqual([]);
}, 120_000);
