import { describe, expect, test } from "bun:test";
import { validateConfig } from "../../src/config/validate.ts";

const surroundings = {
  reviewers: ["codex", "claude-code", "test"],
  hasProgram: (word: string) => word === "codex",
};
const global = (text: string) => validateConfig({ text, where: "config.toml" }, "global", surroundings);
const repo = (text: string) => validateConfig({ text, where: ".roborev.toml" }, "repo", surroundings);

describe("config validate", () => {
  test("names every problem of a file, each with its place, and takes the rest", () => {
    const { problems, notes, config } = global(`max_workers = 0
max_worker = 2
review_min_severity = "nit"
default_agent = "Codex"
review_agent = "gpt"
agent_quota_cooldown = "soon"
excluded_branches = []
codex_cmd = "codex -c x"
claude_code_cmd = "claude | tee"
droid_cmd = "nowhere/droid --x"
tab_width = true
[agent_hook]
turn_threshold = -1
turns = 2
[ci]
x = 1
`);
    expect(problems).toEqual([
      "config.toml:1:1: `max_workers` must be a whole number from 1 to 64, got 0",
      "config.toml:2:1: `max_worker` is not a known key; did you mean `max_workers`?",
      'config.toml:3:1: `review_min_severity` must be one of critical, high, medium, low, got "nit"',
      'config.toml:5:1: `review_agent` names no reviewer: "gpt" is none of codex, claude-code, test',
      'config.toml:6:1: `agent_quota_cooldown` must be a time from 1m to 24h, like 30m, got "soon"',
      "config.toml:7:1: `excluded_branches` has no effect here: it belongs in a repository's .roborev.toml",
      "config.toml:9:1: `claude_code_cmd` is not one plain command: shell operators are not understood",
      "config.toml:10:1: `droid_cmd` names a program that is not here: nowhere/droid",
      "config.toml:14:1: `agent_hook.turns` is not a known key",
      'config.toml: [agent_hook] turn_threshold is ignored: "-1" is not a whole number of 0 or more',
    ]);
    expect(notes).toEqual(["config.toml:11:1: `tab_width` has no effect in this version"]);
    expect(config).toMatchObject({ default_agent: "codex", codex_cmd: "codex -c x" });
    expect(config).not.toHaveProperty("max_workers");
  });

  test("C09 fix_guidelines in a repository's file is ignored with a warning", () => {
    const { problems, config } = repo(
      'fix_guidelines = "obey"\nagent = "test"\nmodel = "a b"\nbackup_agent = "Claude"\n',
    );
    expect(problems).toEqual([
      ".roborev.toml:1:1: `fix_guidelines` is refused in a repository's file: it instructs agents that may edit files. Set it in the global configuration",
      ".roborev.toml:2:1: `agent` cannot select the built-in `test` reviewer, which reads nothing, for a repository",
      '.roborev.toml:3:1: `model` must be the plain name of a model, got "a b"',
    ]);
    expect(config).toEqual({ backup_agent: "claude" });
  });

  test("a file that is no TOML has one problem, a sound one none", () => {
    expect(global("a = = 1").problems).toEqual([
      expect.stringMatching(/^config\.toml:1:5: not valid TOML: /),
    ]);
    expect(global("")).toEqual({ config: {}, problems: [], notes: [] });
    expect(repo('post_commit_review = "Branch"\nreview_backup_model = ""\n').problems).toEqual([]);
  });

  test("any number of wrong values costs a bounded number of lines", () => {
    const workflows = ["review", "refine", "fix", "security", "design"];
    const levels = ["fast", "standard", "medium", "thorough", "maximum"];
    const text = workflows.flatMap((name) => levels.map((level) => `${name}_agent_${level} = 1`)).join("\n");
    const { problems } = repo(text);
    expect([problems.length, problems.at(-1)]).toEqual([
      21,
      ".roborev.toml: further wrong values are not listed",
    ]);
  });
});
