import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { configText } from "../../src/cli/config-text.ts";
import type { ConfigRow } from "../../src/config/origins.ts";
import { testRepo } from "../support/repo.ts";
import { leaked, secrets } from "../support/secrets.ts";
import { type TempDir, tempDir } from "../support/temp.ts";
import { runCli } from "./run-cli.ts";

const list = (dir: TempDir, cwd: string, argv: string[] = [], env: Record<string, string> = {}) =>
  runCli(["config", "list", ...argv], { cwd, env: { ROBOREV_DATA_DIR: dir.join("data"), ...env } });

async function rows(...call: Parameters<typeof list>) {
  const { stdout, ...rest } = await list(call[0], call[1], ["--json", ...(call[2] ?? [])], call[3]);
  return { rows: JSON.parse(stdout) as ConfigRow[], ...rest };
}

describe("config list", () => {
  test("outside a repository, without a file: the defaults, and nothing is created", async () => {
    using dir = tempDir();
    const { code, stdout, stderr } = await list(dir, dir.path, ["--show-origin"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toStartWith('default  agent_quota_cooldown = "30m"\n');
    expect(stdout.split("\n").every((line) => line === "" || line.startsWith("default  "))).toBe(true);
    expect(existsSync(dir.join("data"))).toBe(false);
  });

  test("in a repository both files count, and each row says which one decided", async () => {
    using dir = tempDir({
      "data/config.toml": 'review_min_severity = "medium"\nfix_guidelines = "a\\nb"\n',
    });
    using repo = testRepo();
    repo.commit("rules", { ".roborev.toml": 'review_min_severity = "low"\nagent = "codex"\n' });
    const result = await rows(dir, repo.path, [], { ROBOREV_DROID_HOOK_COMMIT_THRESHOLD: "3" });
    expect([result.code, result.stderr]).toEqual([0, ""]);
    for (const row of [
      {
        key: "review_min_severity",
        value: "low",
        origin: { kind: "repository", file: "main:.roborev.toml" },
      },
      {
        key: "agent",
        value: "codex",
        origin: { kind: "repository", file: `${repo.path}/.roborev.toml` },
      },
      {
        key: "fix_guidelines",
        value: "a\nb",
        origin: { kind: "global", file: dir.join("data/config.toml") },
      },
      {
        key: "droid_hook.commit_threshold",
        value: 3,
        origin: { kind: "environment", variable: "ROBOREV_DROID_HOOK_COMMIT_THRESHOLD" },
      },
      { key: "job_timeout_minutes", value: 30, origin: { kind: "default" } },
    ] as const)
      expect(result.rows).toContainEqual(row);
    const text = await list(dir, repo.path);
    expect(text.stdout).toContain('\nfix_guidelines = "a\\nb"\n');
    expect(text.stdout).not.toContain(repo.path);
  });

  test("what has no effect is told on standard error, the value that counts is listed", async () => {
    using dir = tempDir({ "data/config.toml": "max_worker = 2\n[agent_hook]\nturn_threshold = -3\n" });
    using repo = testRepo();
    repo.commit("rules", { ".roborev.toml": 'merge_commits = "first-parent"\n' });
    repo.write(".roborev.toml", 'merge_commits = "skip"\nfix_guidelines = "obey"\ncodex_cmd = "x"\n');
    const { code, rows: listed, stderr } = await rows(dir, repo.path);
    expect(code).toBe(0);
    expect(stderr.trimEnd().split("\n")).toEqual([
      `Warning: ${dir.join("data/config.toml")}:1:1: \`max_worker\` is not a known key; did you mean \`max_workers\`?`,
      `Warning: ${repo.path}/.roborev.toml:2:1: \`fix_guidelines\` is refused in a repository's file: it instructs agents that may edit files. Set it in the global configuration`,
      `Warning: ${repo.path}/.roborev.toml:3:1: \`codex_cmd\` is refused in a repository's file: it names a program to run. Set it in the global configuration`,
      `Warning: ${repo.path}/.roborev.toml: \`merge_commits\` has no effect: main:.roborev.toml decides`,
      'Warning: [agent_hook] turn_threshold is ignored: "-3" is not a whole number of 0 or more',
    ]);
    const value = (key: string) => listed.find((row) => row.key === key)?.value;
    expect(["merge_commits", "fix_guidelines", "codex_cmd"].map(value)).toEqual([
      "first-parent",
      undefined,
      undefined,
    ]);
    expect(value("agent_hook.turn_threshold")).toBe(5);
  });

  test("of one file lists what that sets, whatever decides, and no defaults", async () => {
    using dir = tempDir({
      "data/config.toml": 'merge_commits = "first-parent"\n[agent_hook]\nenabled = true\n',
    });
    using repo = testRepo();
    repo.commit("rules", { ".roborev.toml": 'merge_commits = "first-parent"\n' });
    repo.write(".roborev.toml", 'merge_commits = "skip"\nagent = "codex"\n');
    const env = { ROBOREV_AGENT_HOOK: "0" };
    expect((await list(dir, repo.path, ["--global"], env)).stdout).toBe(
      'merge_commits = "first-parent"\nagent_hook.enabled = true\n',
    );
    expect((await list(dir, repo.path, ["--local"], env)).stdout).toBe(
      'agent = "codex"\nmerge_commits = "skip"\n',
    );
    const outside = await list(dir, dir.path, ["--local"]);
    expect([outside.code, outside.stdout]).toEqual([1, ""]);
    expect(outside.stderr).toContain("is not inside a git repository");
    using empty = tempDir();
    expect(await list(empty, repo.path, ["--global"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("a broken file of either kind is E_CONFIG, exit 1, and no list", async () => {
    using dir = tempDir({ "data/config.toml": "max_workers = [\n" });
    using repo = testRepo();
    const global = await list(dir, repo.path, ["--json"]);
    expect([global.code, JSON.parse(global.stdout).error.code]).toEqual([1, "E_CONFIG"]);
    expect(global.stderr).toStartWith(`Error: ${dir.join("data/config.toml")}:`);
    using sound = tempDir();
    repo.write(".roborev.toml", "agent = 3\n");
    expect(await list(sound, repo.path)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`${repo.path}/.roborev.toml:1:1: \`agent\` must be`),
    });
  });

  test("no secret of either file or the environment leaves it, as text or as JSON", async () => {
    for (const secret of Object.values(secrets)) {
      const quoted = JSON.stringify(secret);
      const line = JSON.stringify(secret.replaceAll("\n", " "));
      using dir = tempDir({
        "data/config.toml": `anthropic_api_key = ${line}\nfix_guidelines = ${quoted}\nclaude_code_cmd = ${line}\n`,
      });
      using repo = testRepo();
      repo.write(".roborev.toml", `review_guidelines = ${quoted}\nexclude_patterns = [${quoted}]\n`);
      const env = { ROBOREV_AGENT_HOOK_INSTRUCTION: secret, ROBOREV_AGENT_HOOK_TURN_THRESHOLD: secret };
      for (const argv of [["--show-origin"], ["--json"]]) {
        const { code, stdout, stderr } = await list(dir, repo.path, argv, env);
        expect(code).toBe(0);
        expect(leaked(`${stdout}${stderr}`)).toEqual([]);
      }
    }
  });
});

describe("a row as text", () => {
  const row = (value: ConfigRow["value"], origin: ConfigRow["origin"] = { kind: "default" }): ConfigRow => ({
    key: "k",
    value,
    origin,
  });

  test("is one line without anything that moves or hides, whatever stands in the value or the path", () => {
    const text = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(text, fc.array(text), text, (value, values, file) => {
        const { lines } = configText([row(value), row(values), row(1, { kind: "repository", file })], {
          showOrigin: true,
        });
        expect(lines).toHaveLength(3);
        for (const line of lines)
          expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  test("is cut after 60 columns, which is said", () => {
    const { lines, isCut } = configText([row("x".repeat(100)), row("字".repeat(100))], { showOrigin: false });
    expect(lines.map((line) => Bun.stringWidth(line) - "k = ".length)).toEqual([60, 60]);
    expect([isCut, lines[0]?.endsWith("x…")]).toEqual([true, true]);
    expect(configText([row("x".repeat(58))], { showOrigin: false })).toEqual({
      lines: [`k = "${"x".repeat(58)}"`],
      isCut: false,
    });
  });

  test("stands behind its origin, in a column unless one is longer than half a terminal", () => {
    const long = `/${"d".repeat(50)}`;
    const { lines } = configText(
      [
        row(1),
        row(2, { kind: "environment", variable: "NAME_OF_IT" }),
        row(3, { kind: "global", file: long }),
      ],
      { showOrigin: true },
    );
    expect(lines).toEqual(["default     k = 1", "NAME_OF_IT  k = 2", `${long}  k = 3`]);
  });
});
