import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Report } from "../../src/install/doctor/doctor.ts";
import { fakeDaemon } from "../client/fake-daemon.ts";
import { tempDir } from "../support/temp.ts";
import { runCli } from "./run-cli.ts";

type Answer = Report & { daemon: string; fixed?: { lines: string[]; failures: unknown[] } };

/** A home with Claude Code, and a roborev on PATH. */
function home(files: Record<string, string> = {}) {
  const dir = tempDir({ "bin/roborev": "#!/bin/sh\nread line\necho '{}'\n", ".claude/x": "", ...files });
  chmodSync(dir.join("bin/roborev"), 0o755);
  mkdirSync(dir.join("data"), { recursive: true });
  chmodSync(dir.join("data"), 0o700);
  const env = {
    HOME: dir.path,
    PATH: `${dir.join("bin")}:/usr/bin:/bin`,
    ROBOREV_DATA_DIR: dir.join("data"),
  };
  const cli = (argv: string[], more: Record<string, string> = {}) =>
    runCli(["agent-hook", ...argv], {
      env: { ...env, ...more },
      cwd: dir.path,
      now: new Date("2026-01-02T03:04:05Z"),
    });
  const settings = dir.join(".claude/settings.json");
  return {
    dir,
    cli,
    settings,
    edit: (from: string | RegExp, to: string) =>
      writeFileSync(settings, readFileSync(settings, "utf8").replace(from, to)),
    async doctor(...argv: string[]) {
      const { code, stdout } = await cli(["doctor", "--json", ...argv]);
      const answer: Answer = JSON.parse(stdout);
      const codes = answer.agents.flatMap(({ agent, findings }) =>
        findings.map(({ code: what, severity }) => `${agent} ${severity} ${what}`),
      );
      return { code, answer, codes };
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

test("hooks that are as installed are well, with and without a daemon, which is asked and never started", async () => {
  using at = home();
  await at.cli(["install"]);
  const alone = await at.cli(["doctor"]);
  expect(alone).toMatchObject({ code: 0, stderr: "" });
  expect(alone.stdout).toBe(`Daemon: not running, so hooks stay silent. Start it with: roborev daemon start

+ Claude Code
    config      ${at.settings}
    events      PreToolUse, PostToolUse, Stop
    last event  not known

The hooks are all well.
`);
  expect(existsSync(at.dir.join("data/daemon.sock"))).toBe(false);
  await using daemon = fakeDaemon(at.dir.join("data"), {
    "GET /api/agent-hook/sessions": () => ({
      sessions: {
        "claude:a": { count: 1, last_seen_at: "2026-01-02T03:00:58.000Z" },
        "claude:b": { count: 1, last_seen_at: "2026-01-01T00:00:00.000Z" },
        "codex:c": { count: 1, last_seen_at: "2026-01-02T03:04:00.000Z" },
        bare: { count: 1 },
      },
    }),
  });
  expect((await at.cli(["doctor"])).stdout).toContain("Daemon: running\n");
  expect((await at.cli(["doctor"])).stdout).toContain("    last event  3m07s ago\n");
  const { code, answer } = await at.doctor();
  expect([code, answer.daemon, answer.agents[0]?.last_event_at]).toEqual([
    0,
    "running",
    "2026-01-02T03:00:58.000Z",
  ]);
  expect(daemon.seen.every(({ route }) => route.startsWith("GET "))).toBe(true);
});

test("the shape of --json", async () => {
  using at = home();
  await at.cli(["install", "--timeout", "20"]);
  at.edit('"matcher": "Bash"', '"matcher": "Edit"');
  const command = `${at.dir.join("bin/roborev")} agent-hook run --agent claude '--source=roborev-agent-hook' --roborev-server unix://${at.dir.join("data/daemon.sock")}`;
  expect((await at.doctor()).answer).toEqual({
    healthy: false,
    agents: [
      {
        agent: "claude",
        name: "Claude Code",
        detected: true,
        installed: true,
        config: at.settings,
        registrations: [
          { event: "PreToolUse", matcher: "Edit", command, timeout: 20 },
          { event: "PostToolUse", matcher: "Bash", command, timeout: 20 },
          { event: "Stop", command, timeout: 20 },
        ],
        findings: [
          {
            code: "outdated-matcher",
            severity: "problem",
            message: `PreToolUse is registered with another matcher than install writes in ${at.settings}`,
            repair: "roborev agent-hook install --agent claude --timeout 20s",
            fixable: true,
          },
        ],
      },
    ],
    findings: [],
    daemon: "not-running",
  });
});

test("what drifted is installed again by --fix, with the time-out, program and command that were chosen", async () => {
  using at = home({ "other/shim": "#!/bin/sh\nread line\necho '{}'\n" });
  chmodSync(at.dir.join("other/shim"), 0o755);
  const shim = at.dir.join("other/shim");
  for (const choice of [
    ["--timeout", "45"],
    ["--timeout", "0"],
    ["--binary", shim],
    ["--command", `${shim} agent-hook run --turn-threshold 3 --agent claude`],
  ]) {
    await at.cli(["install", "--agent", "claude", ...choice]);
    const installed = readFileSync(at.settings, "utf8");
    expect((await at.doctor()).codes).toEqual([]);
    at.edit('"Stop"', '"SessionEnd"');
    expect((await at.doctor()).codes).toEqual(["claude problem missing", "claude problem surplus"]);
    const { code, answer, codes } = await at.doctor("--fix");
    expect([code, codes]).toEqual([0, []]);
    expect(answer.fixed).toMatchObject({
      lines: [`installed Claude Code agent hooks in ${at.settings}`],
      failures: [],
    });
    expect(JSON.parse(readFileSync(at.settings, "utf8"))).toEqual(JSON.parse(installed));
  }
});

test("a program that moved away is told with its path, and --fix registers the one that is there", async () => {
  using at = home({ "old/roborev": "#!/bin/sh\nread line\necho '{}'\n" });
  chmodSync(at.dir.join("old/roborev"), 0o755);
  await at.cli(["install", "--binary", at.dir.join("old/roborev")]);
  rmSync(at.dir.join("old"), { recursive: true });
  const told = await at.cli(["doctor"]);
  expect(told.code).toBe(1);
  expect(told.stdout).toEndWith(`1 problem:
  1. Claude Code: its hooks run ${at.dir.join("old/roborev")}, which is not there any more.
     roborev agent-hook install --agent claude
`);
  const fixed = await at.cli(["doctor", "--fix"]);
  expect(fixed.code).toBe(0);
  expect(fixed.stdout).toStartWith(`installed Claude Code agent hooks in ${at.settings}\n`);
  expect(fixed.stdout).toEndWith("The hooks are all well.\n");
  expect(readFileSync(at.settings, "utf8")).toContain(at.dir.join("bin/roborev"));
});

test("hooks that another program dropped from a file are noticed, an agent that never had any is only a note", async () => {
  using at = home({ ".codex/x": "" });
  expect((await at.doctor()).answer.findings.map(({ code }) => code)).toEqual(["nothing-installed"]);
  await at.cli(["install", "--agent", "claude"]);
  expect(await at.doctor()).toMatchObject({ code: 0, codes: ["codex note not-installed"] });
  expect(await at.doctor("--agent", "codex")).toMatchObject({
    code: 1,
    codes: ["codex problem not-installed"],
  });
  writeFileSync(at.settings, '{"model": "opus"}\n');
  expect(await at.doctor()).toMatchObject({
    code: 1,
    codes: ["claude problem dropped", "codex note not-installed"],
  });
  expect(await at.doctor("--fix")).toMatchObject({ code: 0, codes: ["codex note not-installed"] });
  expect(existsSync(at.dir.join(".codex/hooks.json"))).toBe(false);
  await at.cli(["uninstall", "--agent", "claude"]);
  expect((await at.doctor()).codes).toEqual(["claude note not-installed", "codex note not-installed"]);
});

test("an agent that runs Claude Code's hooks is told to get its own (D26)", async () => {
  using at = home({ ".grok/hooks/x": "" });
  await at.cli(["install", "--agent", "claude"]);
  expect(await at.doctor()).toMatchObject({ code: 1, codes: ["grok problem borrowed"] });
  await at.doctor("--fix");
  expect(await at.doctor()).toMatchObject({ code: 0, codes: ["grok note borrowed"] });
});

test("a file that does not parse, switched-off hooks and a hook that does not answer are problems, and stay as they are", async () => {
  using at = home();
  await at.cli(["install"]);
  at.edit("{", '{"disableAllHooks": true,');
  expect((await at.doctor("--fix")).codes).toEqual(["claude problem switched-off"]);
  at.edit('"disableAllHooks": true,', "");
  writeFileSync(at.dir.join("bin/roborev"), "#!/bin/sh\necho 'a banner'\necho '{}'\n");
  expect((await at.doctor()).codes).toEqual(["claude problem trial"]);
  writeFileSync(at.settings, "{broken");
  expect(await at.doctor("--fix")).toMatchObject({ code: 1, codes: ["claude problem unreadable"] });
  expect(readFileSync(at.settings, "utf8")).toBe("{broken");
});

test("variables that open every hook, and a configuration that does not parse, are problems of no single agent", async () => {
  using at = home({ "data/config.toml": "broken" });
  await at.cli(["install"]);
  const { code, stdout } = await at.cli(["doctor"], { BUN_INSPECT: "127.0.0.1:1", BUN_BE_BUN: "" });
  expect(code).toBe(1);
  expect(stdout).toContain("2 problems:\n  1. BUN_INSPECT is set, which lets a debugger run code");
  expect(stdout).toContain("\n     unset BUN_INSPECT\n");
  expect(stdout).toContain("config.toml:1:");
  writeFileSync(at.dir.join("data/config.toml"), "[agent_hook]\nenabled = false\n");
  expect(await at.doctor()).toMatchObject({ code: 0, codes: ["claude note disabled"] });
});

test("a machine without coding agents, and an agent that does not exist", async () => {
  using at = home();
  rmSync(at.dir.join(".claude"), { recursive: true });
  const none = await at.cli(["doctor"]);
  expect(none.code).toBe(1);
  expect(none.stdout).toEndWith(
    "1 problem:\n  1. No coding agents were detected.\n     roborev agent-hook install --agent NAME\n",
  );
  expect(await at.cli(["doctor", "--agent", "nobody"])).toMatchObject({ code: 2, stdout: "" });
  const all = await at.doctor("--agent", "all");
  expect(all.answer.agents).toHaveLength(9);
  expect(all.codes.every((code) => code.endsWith(" note not-installed"))).toBe(true);
});

test("all nine agents: installed is well, and whatever is lost of it comes back", async () => {
  using at = home();
  await at.cli(["install", "--agent", "all"]);
  const installed = await at.doctor("--agent", "all");
  expect(installed.codes).toEqual([
    "codex note approval-unknown",
    "cursor note borrowed",
    "cursor note opt-in",
    "hermes problem not-approved",
    "grok note borrowed",
  ]);
  const before = installed.answer.agents.map(({ agent, config, registrations }) => {
    expect(registrations.length).toBeGreaterThanOrEqual(3);
    return { agent, config, text: readFileSync(config, "utf8"), first: registrations[0]?.event ?? "" };
  });
  for (const { config, text, first } of before) writeFileSync(config, text.replaceAll(first, `${first}X`));
  const broken = await at.doctor("--agent", "all");
  for (const { agent } of before) expect(broken.codes).toContain(`${agent} problem missing`);
  expect((await at.doctor("--agent", "all", "--fix")).codes).toEqual(installed.codes);
  for (const { config, text } of before) {
    const mended = readFileSync(config, "utf8");
    // The lost event comes last now, of which only Codex's approval would take notice.
    expect([...mended].sort().join("")).toBe([...text].sort().join(""));
  }
});

test("guarded commands keep the program and the time-out that were chosen", async () => {
  using at = home({ "other dir/shim": "#!/bin/sh\nread line\necho '{}'\n" });
  chmodSync(at.dir.join("other dir/shim"), 0o755);
  const shim = at.dir.join("other dir/shim");
  for (const agent of ["copilot", "gemini"]) {
    for (const choice of [
      ["--binary", shim, "--timeout", "20"],
      ["--command", `'${shim}' agent-hook run --turn-threshold 3 --agent ${agent}`],
    ]) {
      await at.cli(["install", "--agent", agent, ...choice]);
      const { answer, codes } = await at.doctor("--agent", agent);
      expect(codes).toEqual([]);
      const config = answer.agents[0]?.config ?? "";
      const text = readFileSync(config, "utf8");
      const event = answer.agents[0]?.registrations[2]?.event ?? "";
      writeFileSync(config, text.replace(event, "Unheard"));
      expect(await at.doctor("--agent", agent, "--fix")).toMatchObject({ code: 0, codes: [] });
      expect(readFileSync(config, "utf8").split(shim).length).toBe(text.split(shim).length);
    }
  }
});

test("hooks in a file that Factory Droid does not read any more move to the one that it reads", async () => {
  const others = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}\n';
  using at = home({ ".factory/settings.json": others });
  await at.cli(["install", "--agent", "droid"]);
  expect(await at.doctor("--agent", "droid")).toMatchObject({ code: 0, codes: [] });
  writeFileSync(at.dir.join(".factory/hooks.json"), JSON.stringify(JSON.parse(others).hooks));
  expect(await at.doctor("--agent", "droid")).toMatchObject({ code: 1, codes: ["droid problem stray"] });
  expect(await at.doctor("--agent", "droid", "--fix")).toMatchObject({ code: 0, codes: [] });
  expect(readFileSync(at.dir.join(".factory/settings.json"), "utf8")).toBe(others);
});

test("a daemon that runs and answers no hook is no good news, and its reason is told", async () => {
  using at = home();
  await at.cli(["install"]);
  const error = "Agent Hook state is unavailable: state.json:1:2: bad";
  await using _daemon = fakeDaemon(at.dir.join("data"), {
    "GET /api/agent-hook/sessions": () => ({ status: 503, body: { error } }),
  });
  const { code, stdout } = await at.cli(["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toStartWith(`Daemon: answers no hook. ${error}.\n`);
  expect(stdout).toEndWith("The hooks are all well.\n");
  expect((await at.doctor()).answer).toMatchObject({ daemon: "unavailable", daemon_problem: error });
});
