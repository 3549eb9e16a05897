import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { findExecutable } from "../../src/review/agents/executable.ts";
import { automaticReviewers } from "../../src/review/agents/registry.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";
import { type CliOptions, runCli } from "./run-cli.ts";

/** A home without any reviewer, and a configuration that names some. `{dir}` is the scene's directory. */
function scene(config = "") {
  const dir = tempDir();
  for (const name of ["data", "home", "work", "bin"]) mkdirSync(dir.join(name), { mode: 0o700 });
  const place = {
    ROBOREV_DATA_DIR: dir.join("data"),
    HOME: dir.join("home"),
    PATH: `${dir.join("bin")}:/usr/bin:/bin`,
    SHELL: "/nonexistent/sh",
    BUN_INSTALL: dir.join("home"),
    ROBOREV_REVIEW_JOB: undefined,
  };
  writeFileSync(dir.join("data/config.toml"), config.replaceAll("{dir}", dir.path), { mode: 0o600 });
  return {
    dir,
    run: (argv: string[] = [], options: CliOptions = {}) =>
      runCli(["check-agents", ...argv], {
        ...options,
        cwd: dir.join("work"),
        env: { ...place, ...options.env },
      }),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

// Programs are also looked for in the system's directories: none that really is on this machine may be asked.
const absent = automaticReviewers().find(
  ({ name, command }) =>
    !["claude-code", "qwen"].includes(name) &&
    findExecutable(command, { HOME: "/nonexistent" }) === undefined,
)!;
const commandOf = (name: string, program: string) =>
  `${name.replaceAll("-", "_")}_cmd = "{dir}/${program}"\n`;
const configured = automaticReviewers()
  .filter(({ name }) => name !== absent.name)
  .map(({ name }) => commandOf(name, name === "claude-code" ? "claude" : "missing"))
  .join("");

test("each reviewer is asked where the user stands, and those that are not installed are skipped", async () => {
  using s = scene(configured);
  stubReviewer(
    s.dir.join("claude"),
    `pwd >'${s.dir.path}/cwd'; cat >'${s.dir.path}/prompt'; env >'${s.dir.path}/env'; say OK`,
  );
  const { code, stdout, stderr } = await s.run();
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^claude-code {2}ok: 2 bytes in \d+s$/m);
  expect(stdout).toMatch(/^codex {8}skipped: not installed$/m);
  expect(stdout).toEndWith("1 ok, 8 failed, 1 skipped\n");
  expect(readFileSync(s.dir.join("cwd"), "utf8").trim()).toBe(s.dir.join("work"));
  expect(readFileSync(s.dir.join("prompt"), "utf8")).toContain("single word OK");
  expect(readFileSync(s.dir.join("env"), "utf8")).toContain("ROBOREV_REVIEW_JOB=0\n");
});

test("a program on PATH is found without configuration", async () => {
  using s = scene();
  stubReviewer(s.dir.join("bin/claude"), "cat >/dev/null; say OK");
  expect((await s.run(["--agent", "claude"])).stdout).toMatch(/^claude-code {2}ok: 2 bytes in /);
});

test("one that fails, says nothing or does not end is named with its reason, and the exit status is 1", async () => {
  using s = scene(configured);
  for (const [shell, reason] of [
    ["cat >/dev/null; echo 'not logged in' >&2; exit 3", "not logged in"],
    ["cat >/dev/null; say ''", "returned no text"],
    ["exec sleep 600", "did not finish within 1 s"],
  ] as const) {
    stubReviewer(s.dir.join("claude"), shell);
    const { code, stdout } = await s.run(["--agent", "claude", "--timeout", "1"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^claude-code  failed: .*${reason}`, "m"));
    expect(stdout).toEndWith("\n0 ok, 1 failed, 0 skipped\n");
  }
});

test("--large-prompt passes only where the answer names words from all of a prompt as large as a review's", async () => {
  using s = scene(configured);
  const ask = () => s.run(["--agent", "claude", "--large-prompt"]);
  const words = "grep -o 'word at the [a-z]* is [0-9a-f]*' | sed 's/.* //' | tr '\\n' ' '";
  stubReviewer(
    s.dir.join("claude"),
    `cat >'${s.dir.path}/prompt'; say "$(cat '${s.dir.path}/prompt' | ${words})"`,
  );
  expect((await ask()).stdout).toMatch(/^claude-code {2}ok: 2\d bytes in /);
  const { size } = Bun.file(s.dir.join("prompt"));
  expect(size).toBeWithin(200 * 1024 - 2, 200 * 1024 + 1);
  stubReviewer(
    s.dir.join("claude"),
    `cat >'${s.dir.path}/prompt'; say "$(head -c 131072 '${s.dir.path}/prompt' | ${words})"`,
  );
  const cut = await ask();
  expect([cut.code, cut.stdout]).toEqual([
    1,
    `claude-code  failed: it was asked with ${size} bytes, and its answer lacks the word at the end\n0 ok, 1 failed, 0 skipped\n`,
  ]);
  stubReviewer(s.dir.join("claude"), "cat >/dev/null; say OK");
  expect((await ask()).stdout).toContain("lacks the word at the beginning, the middle, the end");
});

test("a program that was configured or asked for, and is not there, is a failure", async () => {
  using s = scene(configured);
  const missing = await s.run(["--agent", "claude-code"]);
  expect(missing.code).toBe(1);
  expect(missing.stdout).toContain("claude-code  failed: reviewer claude-code is not installed");
  const asked = await s.run(["--agent", absent.name, "--json"]);
  expect([asked.code, JSON.parse(asked.stdout)]).toEqual([
    1,
    {
      agents: [{ agent: absent.name, result: "failed", reason: "not installed" }],
      ok: 0,
      failed: 1,
      skipped: 0,
    },
  ]);
});

test("an interrupt ends the reviewer that is being asked", async () => {
  using s = scene(configured);
  stubReviewer(
    s.dir.join("claude"),
    `echo $$ >'${s.dir.path}/pid.new'; mv '${s.dir.path}/pid.new' '${s.dir.path}/pid'; exec sleep 600`,
  );
  const controller = new AbortController();
  const running = s.run(["--agent", "claude-code"], { signal: controller.signal });
  const pid = await waitFor("the reviewer", async () => {
    const file = Bun.file(s.dir.join("pid"));
    return (await file.exists()) ? Number(await file.text()) : undefined;
  });
  controller.abort(new Error("interrupted"));
  expect((await running).code).not.toBe(0);
  expect(() => process.kill(pid, 0)).toThrow();
});

test("what cannot be meant is refused before any reviewer runs, and a reviewer runs none", async () => {
  using s = scene();
  for (const argv of [
    ["--agent", "nobody"],
    ["--timeout", "0"],
    ["--timeout", "1m"],
  ])
    expect((await s.run(argv)).code).toBe(2);
  const inside = await s.run([], { env: { ROBOREV_REVIEW_JOB: "3" } });
  expect([inside.code, inside.stdout]).toEqual([1, ""]);
});
