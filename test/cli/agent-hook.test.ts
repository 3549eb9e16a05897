import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reportOutcome } from "../../src/cli/agent-hook-options.ts";
import { createOutput } from "../../src/cli/output.ts";
import { tempDir } from "../support/temp.ts";
import { runCli } from "./run-cli.ts";

/** A home with a Claude Code directory, and a program to register. */
function home() {
  const dir = tempDir({
    roborev: "#!/bin/sh\nread line\necho '{}'\n",
    ".claude/settings.json": '{"model": "opus"}\n',
  });
  chmodSync(dir.join("roborev"), 0o755);
  mkdirSync(dir.join("data"), { mode: 0o700 });
  const env = {
    HOME: dir.path,
    PATH: "/usr/bin:/bin",
    ROBOREV_DATA_DIR: dir.join("data"),
    CLAUDE_CONFIG_DIR: undefined,
    CODEX_HOME: undefined,
  };
  const settings = dir.join(".claude/settings.json");
  return {
    settings,
    cli: (...argv: string[]) => runCli(["agent-hook", ...argv], { env, cwd: dir.path }),
    install: (...more: string[]) =>
      runCli(["agent-hook", "install", "--binary", dir.join("roborev"), ...more], { env, cwd: dir.path }),
    read: () => readFileSync(settings, "utf8"),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

test("install prints the line that scripts read on standard output, everything else on standard error", async () => {
  using at = home();
  const dry = await at.install("--agent", "claude", "--dry-run");
  expect(dry).toMatchObject({ code: 0, stdout: `would update Claude Code agent hooks in ${at.settings}\n` });
  expect(at.read()).toBe('{"model": "opus"}\n');
  const done = await at.install("--agent", "claude");
  const skills = join(dirname(at.settings), "skills");
  expect(done).toMatchObject({
    code: 0,
    stdout: `installed Claude Code agent hooks in ${at.settings}\ninstalled 8 skills for Claude Code in ${skills}\n`,
  });
  expect(at.read()).toContain("--source=roborev-agent-hook");
  expect((await at.install("--agent", "claude")).stdout).toBe(
    `Claude Code agent hooks already installed in ${at.settings}\n`,
  );
});

test("dump prints the planned file and nothing else on standard output, and writes nothing", async () => {
  using at = home();
  const result = await at.cli(
    "dump",
    "--agent",
    "claude",
    "--command",
    "roborev agent-hook run --agent claude",
  );
  expect(result.code).toBe(0);
  expect(JSON.parse(result.stdout)).toMatchObject({ model: "opus", hooks: { Stop: expect.any(Array) } });
  expect(at.read()).toBe('{"model": "opus"}\n');
  expect((await at.cli("dump")).stderr).toContain("dump requires one explicit agent");
});

test("uninstall brings the file back byte for byte", async () => {
  using at = home();
  await at.install("--agent", "claude");
  expect((await at.cli("uninstall", "--agent", "claude")).code).toBe(0);
  expect(at.read()).toBe('{"model": "opus"}\n');
});

test("contradicting flags are refused before anything is written", async () => {
  using at = home();
  for (const argv of [
    ["--command", "roborev agent-hook run --agent claude", "--agent", "claude"],
    ["--config", "/x"],
    ["--agent", "nobody"],
    ["--timeout", "-5"],
  ]) {
    const result = await at.install(...argv);
    expect(result).toMatchObject({ code: 2, stdout: "" });
  }
  expect(at.read()).toBe('{"model": "opus"}\n');
});

test("a file that cannot be edited is one line with its name, exit 1, and stays as it is", async () => {
  using at = home();
  writeFileSync(at.settings, "{broken");
  const result = await at.install("--agent", "claude");
  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr).toStartWith(`Error: Claude Code (${at.settings}): `);
  expect(at.read()).toBe("{broken");
  expect(existsSync(`${at.settings}.bak`)).toBe(false);
});

test("several failures are a line each behind what succeeded, and one document with --json", () => {
  const text = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof text) => ({
    write(more: string) {
      text[name] += more;
    },
    isTerminal: false,
  });
  const out = createOutput({
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    env: {},
    verbose: false,
  });
  const outcome = {
    lines: ["installed A agent hooks in /a"],
    notices: ["A asks for trust."],
    failures: [
      { displayName: "B", path: "/b", cause: "not JSON" },
      { displayName: "C", cause: "no home" },
    ],
  };
  expect(reportOutcome(outcome, out, false)).toBe(1);
  expect(text.stdout).toBe("installed A agent hooks in /a\n");
  expect(text.stderr).toBe("A asks for trust.\nError: B (/b): not JSON\nError: C: no home\n");
  text.stdout = "";
  expect(reportOutcome(outcome, out, true)).toBe(1);
  expect(JSON.parse(text.stdout)).toEqual(outcome);
});
