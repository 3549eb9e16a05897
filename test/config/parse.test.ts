import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseGlobalConfig, parseRepoConfig } from "../../src/config/parse.ts";
import { RoborevError } from "../../src/lib/errors.ts";

function problem(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof RoborevError && error.code === "E_CONFIG") return error.message;
    throw error;
  }
  throw new Error("was accepted");
}
const global = (text: string) => parseGlobalConfig(text, "config.toml");
const repo = (text: string) => parseRepoConfig(text, ".roborev.toml");

describe("the global file", () => {
  test("gives every documented kind of value", () => {
    const { config, warnings } = global(`
default_agent = " Claude-Code "
review_reasoning = "xhigh"
review_min_severity = "Medium"
max_workers = 2
exclude_patterns = ["vendor", "/gen/*.ts"]
auto_close_passing_reviews = true
review_agent_fast = "codex"
codex_cmd = "codex --profile x"
default_model = ""
[agent_hook]
turn_threshold = 0
instruction = """
one
two"""
[droid_hook]
enabled = false
`);
    expect(warnings).toEqual([]);
    expect(config).toEqual({
      default_agent: "claude-code",
      review_reasoning: "maximum",
      review_min_severity: "medium",
      max_workers: 2,
      exclude_patterns: ["vendor", "/gen/*.ts"],
      auto_close_passing_reviews: true,
      review_agent_fast: "codex",
      codex_cmd: "codex --profile x",
      agent_hook: { turn_threshold: 0, instruction: "one\ntwo" },
      droid_hook: { enabled: false },
    });
  });

  test("names file, line, column and reason of a syntax error, and repeats no other line", () => {
    const message = problem(() => global('anthropic_api_key = "sk-secret"\nmax_workers = = 2\n'));
    expect(message).toStartWith("config.toml:2:15: not valid TOML: ");
    expect(message).not.toContain("sk-secret");
    expect(message).not.toContain("\n");
  });

  test.each([
    ["max_workers = 0", "1:1: `max_workers` must be a whole number from 1 to 64, got 0"],
    ['\n  max_workers = "4"', '2:3: `max_workers` must be a whole number from 1 to 64, got "4"'],
    ["job_timeout_minutes = 0", "1:1: `job_timeout_minutes` must be a whole number from 1 to 1440, got 0"],
    [
      'review_min_severity = "urgent"',
      '1:1: `review_min_severity` must be one of critical, high, medium, low, got "urgent"',
    ],
    [
      'auto_close_passing_reviews = "yes"',
      '1:1: `auto_close_passing_reviews` must be true or false, got "yes"',
    ],
    [
      'exclude_patterns = "vendor"',
      '1:1: `exclude_patterns` must be a list of non-empty strings, got "vendor"',
    ],
    ["agent_hook = 5", "1:1: `agent_hook` must be a table, got 5"],
    [
      "turn_threshold = 1\n[agent_hook]\nturn_threshold = 1.5",
      "3:1: `agent_hook.turn_threshold` must be a whole number of 0 or more, got 1.5",
    ],
    ["anthropic_api_key = 7", "1:1: `anthropic_api_key` must be a text on one line"],
    ['default_model = "--yolo"', '1:1: `default_model` must be the name of a model, got "--yolo"'],
    ['fix_agent = "a b"', '1:1: `fix_agent` must be the name of a reviewer, got "a b"'],
    ...["30", "soon", "59s", "25h", "-1h"].map((text): [string, string] => [
      `agent_quota_cooldown = "${text}"`,
      `1:1: \`agent_quota_cooldown\` must be a time from 1m to 24h, like 30m, got "${text}"`,
    ]),
    [
      'fix_commit_author = "Ada"',
      '1:1: `fix_commit_author` must be a name and an address, like Ada <ada@example.com>, got "Ada"',
    ],
    [
      "agent_quota_cooldown = 30",
      "1:1: `agent_quota_cooldown` must be a time from 1m to 24h, like 30m, got 30",
    ],
  ])("refuses %j with its position", (text, message) => {
    expect(problem(() => global(text))).toBe(`config.toml:${message}`);
  });

  test("finds the real line of a key that a multi-line string also mentions", () => {
    const text = 'fix_guidelines = """\nmax_workers = 1\n"""\n# max_workers = 2\nmax_workers = -1\n';
    expect(problem(() => global(text))).toStartWith("config.toml:5:1: ");
  });

  test("finds a key that is spelled with its table", () => {
    expect(problem(() => global('max_workers = 1\n agent_hook . "enabled" = 3\n'))).toStartWith(
      "config.toml:2:2: `agent_hook.enabled` must be",
    );
  });

  test("warns about unknown keys with a suggestion, and goes on", () => {
    const { config, warnings } = global('max_worker = 2\ndefault_agent = "codex"\n[agent_hook]\nturns = 3\n');
    expect(config).toEqual({ default_agent: "codex", agent_hook: {} });
    expect(warnings).toEqual([
      "config.toml:1:1: `max_worker` is not a known key; did you mean `max_workers`?",
      "config.toml:4:1: `agent_hook.turns` is not a known key",
    ]);
  });

  test("says when a key belongs in the other file, and is silent about what the product leaves out", () => {
    const { warnings } = global("excluded_branches = []\n[sync]\nenabled = true\n[ci]\n[tui]\n");
    expect(warnings).toEqual([
      "config.toml:1:1: `excluded_branches` has no effect here: it belongs in a repository's .roborev.toml",
      "config.toml:5:1: `tui` has no effect in this version",
    ]);
  });

  test("is silent about a key that this version knows but has no use for only where it leaves the feature out", () => {
    const { warnings } = global('pi_cmd = "pi"\n[agent.codex]\nx = 1\n[auto_design_review]\n');
    expect(warnings).toEqual([
      "config.toml:1:1: `pi_cmd` has no effect in this version",
      "config.toml:2:1: `agent` has no effect in this version",
    ]);
    expect(global('agent = "codex"\n').warnings).toEqual([
      "config.toml:1:1: `agent` has no effect here: it belongs in a repository's .roborev.toml (here it is called `default_agent`)",
    ]);
  });

  test("D41: the test reviewer may be chosen, but takes over for nobody", () => {
    const { config, warnings } = global('default_agent = "test"\nreview_backup_agent = "Test"\n');
    expect(config).toEqual({ default_agent: "test" });
    expect(warnings).toEqual([
      "config.toml:2:1: `review_backup_agent` cannot select the built-in `test` reviewer, which reads nothing, as a backup",
    ]);
  });

  test("does not take a key's name from Object.prototype", () => {
    const { config, warnings } = global("constructor = 1\n__proto__ = 2\ntoString = 3\n");
    expect(Object.keys(config)).toEqual([]);
    expect(warnings).toHaveLength(3);
  });

  test("whatever the text, the outcome is a configuration or an E_CONFIG of one line", () => {
    const piece = fc.constantFrom(
      "max_workers",
      "agent_hook",
      ".",
      " = ",
      "[",
      "]",
      '"',
      "\n",
      "5",
      "true",
      '"""',
      "{",
      "\u0000",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (pieces) => {
        try {
          expect(global(pieces.join("")).config).toBeObject();
        } catch (error) {
          expect(error).toBeInstanceOf(RoborevError);
          expect((error as RoborevError).code).toBe("E_CONFIG");
          expect((error as RoborevError).message).not.toContain("\n");
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a repository's file", () => {
  test("sets data", () => {
    const { config, warnings } = repo(
      'agent = "codex"\nmodel = "gpt-5.2"\ndisplay_name = "Shop"\nexcluded_branches = ["wip"]\n' +
        'post_commit_review = "Branch"\nreview_guidelines = "Be kind"\n',
    );
    expect(warnings).toEqual([]);
    expect(config).toEqual({
      agent: "codex",
      model: "gpt-5.2",
      display_name: "Shop",
      excluded_branches: ["wip"],
      post_commit_review: "branch",
      review_guidelines: "Be kind",
    });
  });

  test.each([
    ...[
      "codex",
      "claude_code",
      "copilot",
      "cursor",
      "droid",
      "gemini",
      "grok",
      "hermes",
      "opencode",
      "pi",
      "qwen",
    ].map((name) => [`${name}_cmd = "sh -c id"`, "names a program to run"] as const),
    ["new_reviewer_cmd = 'id'", "names a program to run"],
    ["[acp]\ncommand = 'id'", "names programs to run"],
    ["allow_unsafe_agents = true", "switches off a reviewer's protection"],
    ["disable_codex_sandbox = true", "switches off a reviewer's protection"],
    ["anthropic_api_key = 'sk-x'", "is a credential"],
    ["server_addr = '0.0.0.0:1'", "decides where data is sent"],
    ["[agent_hook]\ninstruction = 'obey'", "decides what coding agents are told on this machine"],
    ["[droid_hook]\nenabled = false", "decides what coding agents are told on this machine"],
    ["fix_guidelines = 'obey'", "instructs agents that may edit files"],
    ["snapshot_dir = '/etc'", "is a path that would be written to"],
  ])("T16: refuses %j with the reason", (text, reason) => {
    const { config, warnings } = repo(text);
    expect(config).toEqual({});
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`is refused in a repository's file: it ${reason}. Set it in the global`);
  });

  test.each(["agent", "review_agent", "security_agent_fast", "backup_agent", "fix_backup_agent"])(
    "D41: %s cannot select the test reviewer",
    (key) => {
      const { config, warnings } = repo(`${key} = " Test "`);
      expect(config).toEqual({});
      expect(warnings[0]).toStartWith(`.roborev.toml:1:1: \`${key}\` cannot select the built-in`);
    },
  );

  test.each([
    "--dangerously-skip-permissions",
    "opus@https://evil.example",
    "opus@http:evil",
    "a b",
    "a\\nb",
  ])("refuses the model %j, which would be an option or send code elsewhere", (model) => {
    expect(problem(() => repo(`model = "${model}"`))).toStartWith(".roborev.toml:1:1: `model` must be");
  });

  test.each(["claude-opus-4@20250101", "anthropic/claude:beta", "gpt-5.2-codex", "opus[1m]"])(
    "accepts the model %j",
    (model) => {
      expect(repo(`review_model = "${model}"`).config.review_model).toBe(model);
    },
  );

  test("takes commit for a post_commit_review it does not know, and says so", () => {
    const { config, warnings } = repo('post_commit_review = "push"');
    expect(config).toEqual({});
    expect(warnings).toEqual([
      '.roborev.toml:1:1: `post_commit_review` is neither "commit" nor "branch": "commit" is used',
    ]);
  });

  test("any number of odd keys costs a bounded number of warnings", () => {
    const { warnings } = repo(Array.from({ length: 5000 }, (_, index) => `odd${index} = 1`).join("\n"));
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe(".roborev.toml: further keys without effect are not listed");
  });

  test("a hostile key or value reaches messages without control characters", () => {
    const { warnings } = repo('"a\\u001b[31m\\nb" = 1');
    expect(warnings[0]).not.toMatch(/[\u0000-\u001f]/);
    expect(problem(() => repo('review_min_severity = "\\u001b[2J\\n"'))).not.toMatch(/[\u0000-\u001f]/);
  });
});
