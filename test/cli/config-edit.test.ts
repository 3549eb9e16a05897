import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { configKeys } from "../../src/config/keys.ts";
import { type TestRepo, testRepo } from "../support/repo.ts";
import { leaked, secrets } from "../support/secrets.ts";
import { type TempDir, tempDir } from "../support/temp.ts";
import { runCli } from "./run-cli.ts";

const run = (dir: TempDir, cwd: string, argv: string[], stdin?: string) =>
  runCli(["config", ...argv], {
    cwd,
    env: { ROBOREV_DATA_DIR: dir.join("data") },
    ...(stdin === undefined ? {} : { stdin }),
  });

const localText = (repo: TestRepo) => readFileSync(`${repo.path}/.roborev.toml`, "utf8");
const globalText = (dir: TempDir) => readFileSync(dir.join("data/config.toml"), "utf8");

describe("C09 config set", () => {
  test("changes the repository's file unless told otherwise, from anywhere in it", async () => {
    using dir = tempDir();
    using repo = testRepo();
    mkdirSync(`${repo.path}/src`);
    const local = await run(dir, `${repo.path}/src`, ["set", "exclude_patterns", "vendor, *.lock"]);
    expect(local).toEqual({
      code: 0,
      stdout: `exclude_patterns is now ["vendor", "*.lock"] in ${repo.path}/.roborev.toml\n`,
      stderr: "",
    });
    expect(localText(repo)).toBe('exclude_patterns = ["vendor", "*.lock"]\n');
    expect(statSync(`${repo.path}/.roborev.toml`).mode & 0o777).toBe(0o644);
    const mine = await run(dir, repo.path, ["set", "--global", "agent_hook.turn_threshold", "7", "--json"]);
    expect(JSON.parse(mine.stdout)).toEqual({
      key: "agent_hook.turn_threshold",
      value: 7,
      file: dir.join("data/config.toml"),
      outcome: "created",
    });
    expect(globalText(dir)).toBe("[agent_hook]\nturn_threshold = 7\n");
    expect(statSync(dir.join("data/config.toml")).mode & 0o777).toBe(0o600);
  });

  test("keeps comments, order and quotes; an empty value and --unset take a key out", async () => {
    using dir = tempDir({
      "data/config.toml": "# mine\nmax_workers = 4 # cores\n\ndefault_agent = 'codex'\n# end\n",
    });
    for (const argv of [
      ["max_workers", "2"],
      ["default_agent", "claude-code"],
      ["job_timeout_minutes", "10"],
      ["job_timeout_minutes", ""],
    ])
      expect((await run(dir, dir.path, ["set", "--global", ...argv])).code).toBe(0);
    expect(globalText(dir)).toBe("# mine\nmax_workers = 2 # cores\n\ndefault_agent = 'claude-code'\n# end\n");
    const unset = await run(dir, dir.path, ["set", "--global", "--unset", "max_workers"]);
    expect(unset.stdout).toBe(`max_workers is no longer set in ${dir.join("data/config.toml")}\n`);
    expect(unset.stderr).toContain("It takes effect with the next start of the daemon");
    expect(globalText(dir)).toBe("# mine\n# cores\n\ndefault_agent = 'claude-code'\n# end\n");
  });

  test("takes out what should not be there, and says so where it is not", async () => {
    using dir = tempDir({ "data/config.toml": "max_worker = 3\n[tui]\nx = 1\n" });
    using repo = testRepo();
    repo.write(".roborev.toml", 'codex_cmd = "x"\nagent = "codex"\n');
    expect((await run(dir, repo.path, ["set", "--unset", "codex_cmd"])).code).toBe(0);
    expect(localText(repo)).toBe('agent = "codex"\n');
    expect((await run(dir, repo.path, ["set", "--global", "--unset", "max_worker"])).code).toBe(0);
    expect((await run(dir, repo.path, ["set", "--global", "--unset", "tui.x"])).code).toBe(0);
    expect(globalText(dir)).toBe("[tui]\n");
    const again = await run(dir, repo.path, ["set", "--global", "--unset", "max_worker"]);
    expect([again.code, again.stderr]).toEqual([
      2,
      "Error: unknown setting max_worker. Did you mean max_workers?\n",
    ]);
  });

  test("reads a text of several lines, or a secret, from standard input", async () => {
    using dir = tempDir();
    await run(dir, dir.path, ["set", "--global", "fix_guidelines", "-"], "Verify first.\nThen fix.\n");
    expect(globalText(dir)).toBe('fix_guidelines = """\nVerify first.\nThen fix."""\n');
    const secret = `sk-ant-api03-${"aB3d".repeat(10)}`;
    const { stdout } = await run(dir, dir.path, ["set", "--global", "anthropic_api_key", "-"], `${secret}\n`);
    expect(stdout).toBe(`anthropic_api_key is now "****aB3d" in ${dir.join("data/config.toml")}\n`);
    expect(globalText(dir)).toContain(`anthropic_api_key = "${secret}"\n`);
  });

  test.each([
    [["set", "max_worker", "2"], "unknown setting max_worker. Did you mean max_workers?"],
    [["set", "agent_hook.turn_treshold", "2"], "Did you mean agent_hook.turn_threshold?"],
    [["set", "nonsense", "2"], "unknown setting nonsense. roborev help config lists all of them."],
    [
      ["set", "agent_hook", "2"],
      "agent_hook is a table of settings. Name one of its settings, like agent_hook.",
    ],
    [["set", "tui.tab_width", "2"], "tui.tab_width has no effect in this version"],
    [["set", "constructor", "2"], "unknown setting constructor"],
    [
      ["set", "max_workers", "2"],
      "belongs in the global config.toml. Use roborev config set --global max_workers.",
    ],
    [
      ["set", "--global", "agent", "codex"],
      "it belongs in a repository's .roborev.toml (here it is called `default_agent`)",
    ],
    [["set", "codex_cmd", "x"], "codex_cmd is refused in a repository's file: it names a program to run."],
    [["set", "agent_hook.instruction", "x"], "it decides what coding agents are told on this machine"],
    [["set", "fix_guidelines", "x"], "it instructs agents that may edit files"],
    [["set", "disable_codex_sandbox", "true"], "it switches off a reviewer's protection"],
    [["set", "allow_unsafe_agents", "true"], "it switches off a reviewer's protection"],
    [["set", "merge_commits", "all"], 'merge_commits must be one of skip, first-parent, got "all"'],
    [["set", "agent", "gpt"], 'unknown reviewer "gpt". Choose one of: '],
    [
      ["set", "agent", "test"],
      "agent cannot select the built-in `test` reviewer, which reads nothing, for a repository",
    ],
    [["set", "--global", "fix_backup_agent", "test"], "which reads nothing, as a backup"],
    [["set", "merge_commits"], "<value> is missing"],
    [["set", "--unset", "merge_commits", "skip"], "--unset and <value> cannot be used together"],
    [["set", "--global", "--local", "merge_commits", "skip"], "--global and --local cannot be used together"],
    [["get", "--local", "max_workers"], "Use roborev config get --global max_workers."],
  ])("rejects %j, exit 2, and touches nothing", async (argv, message) => {
    using dir = tempDir();
    using repo = testRepo();
    const { code, stdout, stderr } = await run(dir, repo.path, argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect([existsSync(dir.join("data")), existsSync(`${repo.path}/.roborev.toml`)]).toEqual([false, false]);
  });

  test("outside of a repository it says how to reach the other file", async () => {
    using dir = tempDir();
    const { code, stderr } = await run(dir, dir.path, ["set", "review_min_severity", "low"]);
    expect([code, stderr]).toEqual([
      1,
      `Error: ${dir.path} is not inside a git repository. For your own configuration: roborev config set --global review_min_severity\n`,
    ]);
  });

  test("a repository does not choose which file of the user's is changed", async () => {
    using dir = tempDir({ "victim.toml": "model = 'x'\n" });
    using repo = testRepo();
    symlinkSync(dir.join("victim.toml"), `${repo.path}/.roborev.toml`);
    const { code, stderr } = await run(dir, repo.path, ["set", "model", "opus"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("is a link to a file outside of the repository"),
    ]);
    expect(readFileSync(dir.join("victim.toml"), "utf8")).toBe("model = 'x'\n");
  });

  test("what the default branch decides is set, with a word that it does not count yet", async () => {
    using dir = tempDir();
    using repo = testRepo();
    repo.commit("rules", { ".roborev.toml": 'review_min_severity = "low"\n' });
    const guarded = await run(dir, repo.path, ["set", "review_min_severity", "high"]);
    expect(guarded.stderr).toBe(
      "A branch does not decide this for itself: reviews of commits follow main:.roborev.toml.\n",
    );
    expect((await run(dir, repo.path, ["set", "agent", "codex"])).stderr).toBe("");
  });

  test("a file that is no TOML is left alone; one with another wrong value can be mended", async () => {
    using dir = tempDir({ "data/config.toml": "max_workers = [\n" });
    const broken = await run(dir, dir.path, ["set", "--global", "max_workers", "2"]);
    expect([broken.code, globalText(dir)]).toEqual([1, "max_workers = [\n"]);
    expect(broken.stderr).toStartWith(`Error: ${dir.join("data/config.toml")}:2:1: not valid TOML`);
    using odd = tempDir({ "data/config.toml": "max_workers = 0\njob_timeout_minutes = 0\n" });
    const mended = await run(odd, odd.path, ["set", "--global", "max_workers", "2"]);
    expect(mended.code).toBe(0);
    expect(mended.stderr).toContain("Warning: ");
    expect(mended.stderr).toContain(":2:1: `job_timeout_minutes` must be");
  });
});

describe("C09 config get", () => {
  test("prints what holds: the repository's, else the user's, else the default; or one file's", async () => {
    using dir = tempDir({
      "data/config.toml": 'exclude_patterns = ["a"]\nfix_guidelines = "x\\ny"\nreview_context_count = 5\n',
    });
    using repo = testRepo();
    repo.write(".roborev.toml", 'exclude_patterns = ["b,c", "a"]\nreview_context_count = 0\n');
    const get = async (...argv: string[]) => (await run(dir, repo.path, ["get", ...argv])).stdout;
    expect(await get("review_context_count")).toBe("0\n");
    expect(await get("--global", "review_context_count")).toBe("5\n");
    expect(await get("exclude_patterns")).toBe('["a", "b,c"]\n');
    expect(await get("--local", "exclude_patterns")).toBe('["b,c", "a"]\n');
    expect(await get("fix_guidelines")).toBe("x\ny\n");
    expect(await get("max_workers")).toBe("4\n");
    expect(JSON.parse(await get("exclude_patterns", "--json"))).toEqual({
      key: "exclude_patterns",
      value: ["a", "b,c"],
      origins: [
        { kind: "global", file: dir.join("data/config.toml") },
        { kind: "repository", file: `${repo.path}/.roborev.toml` },
      ],
    });
  });

  test("of a setting without a value says what that means, exit 1", async () => {
    using dir = tempDir();
    for (const [argv, message] of [
      [["review_min_severity"], "review_min_severity is not set here, which means: every finding counts"],
      [["--global", "max_workers"], "max_workers is not set there"],
    ] as const) {
      const { code, stdout, stderr } = await run(dir, dir.path, ["get", ...argv]);
      expect([code, stdout, stderr]).toEqual([1, "", `Error: ${message}\n`]);
    }
  });

  test("never shows a secret, whatever the flags, and set does not take what is shown instead", async () => {
    const ways = [[], ["--json"], ["--global"], ["--verbose"]];
    for (const [n, secret] of Object.values(secrets).entries()) {
      const line = JSON.stringify(secret.replaceAll("\n", " "));
      using dir = tempDir({
        "data/config.toml": `anthropic_api_key = ${line}\ncodex_cmd = ${line}\nfix_guidelines = ${line}\n`,
      });
      // Every secret with every key, and every key with every flag.
      for (const [at, key] of ["anthropic_api_key", "codex_cmd", "fix_guidelines"].entries()) {
        const flags = ways[(n + at) % ways.length] ?? [];
        const { code, stdout, stderr } = await run(dir, dir.path, ["get", key, ...flags]);
        expect([code, leaked(`${stdout}${stderr}`)]).toEqual([0, []]);
      }
      const shown = (await run(dir, dir.path, ["get", "anthropic_api_key"])).stdout.trim();
      expect((await run(dir, dir.path, ["set", "--global", "anthropic_api_key", shown])).code).toBe(2);
    }
  }, 120_000);

  test("a hostile text reaches the terminal without control characters", async () => {
    using dir = tempDir();
    using repo = testRepo();
    repo.write(".roborev.toml", 'review_guidelines = "a\\u001b[2J\\nb"\n');
    expect((await run(dir, repo.path, ["get", "review_guidelines"])).stdout).toBe("a[2J\nb\n");
  });
});

describe("config validate", () => {
  test("reports both files, exit 1 when something is wrong", async () => {
    using dir = tempDir({ "data/config.toml": 'default_agent = "gpt"\ntab_width = true\n' });
    using repo = testRepo();
    repo.write(".roborev.toml", 'fix_guidelines = "obey"\n');
    const { code, stdout, stderr } = await run(dir, repo.path, ["validate"]);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/config\.toml:1:1: `default_agent` names no reviewer: "gpt" is none of codex, /),
      `${repo.path}/.roborev.toml:1:1: \`fix_guidelines\` is refused in a repository's file: it instructs agents that may edit files. Set it in the global configuration`,
    ]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      `Note: ${dir.join("data/config.toml")}:2:1: \`tab_width\` has no effect in this version`,
      "2 problems found.",
    ]);
  });

  test("of sound files, one of them missing, exit 0", async () => {
    using dir = tempDir();
    using repo = testRepo();
    repo.write(".roborev.toml", 'agent = "codex"\n');
    const { code, stdout, stderr } = await run(dir, repo.path, ["validate"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(
      `${dir.join("data/config.toml")}: no such file, defaults hold\n${repo.path}/.roborev.toml: nothing is wrong\n`,
    );
    const local = JSON.parse((await run(dir, repo.path, ["validate", "--local", "--json"])).stdout);
    expect(local).toEqual({
      valid: true,
      files: [{ scope: "local", file: `${repo.path}/.roborev.toml`, exists: true, problems: [], notes: [] }],
    });
    expect((await run(dir, dir.path, ["validate"])).stdout).not.toContain(".roborev.toml");
  });

  test("of a file that cannot be read is a problem, not a crash", async () => {
    using dir = tempDir();
    mkdirSync(dir.join("data/config.toml"), { recursive: true });
    const { code, stdout } = await run(dir, dir.path, ["validate"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("config.toml: ")]);
  });
});

test("roborev help config names every setting with its default, in 80 columns", async () => {
  const { code, stdout } = await runCli(["help", "config"]);
  expect(code).toBe(0);
  const text = stdout.replace(/\s+/g, " ");
  for (const { name, about, path, default: standard } of configKeys) {
    expect(text).toContain(` ${about.family ?? path.at(-1)} `);
    if (standard !== undefined)
      expect([name, text.includes(`(default ${String(standard) || '""'})`)]).toEqual([name, true]);
  }
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const short = await runCli(["config", "--help"]);
  expect(short.stdout).toContain("Every setting, its default and its meaning: roborev help config\n");
  expect(short.stdout).not.toContain("max_prompt_size");
  expect((await runCli(["help", "daemon"])).stdout).toBe((await runCli(["daemon", "--help"])).stdout);
});
