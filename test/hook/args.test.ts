import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseHookArguments } from "../../src/hook/args.ts";
import { hookArguments } from "../../src/hook/command-line.ts";

describe("which command lines are hook calls", () => {
  test.each<[string, string[] | undefined]>([
    ["agent-hook run --agent claude", ["--agent", "claude"]],
    ["agent-hook run", []],
    ["-v agent-hook run --agent codex", ["-v", "--agent", "codex"]],
    ["--verbose agent-hook -v run x", ["--verbose", "-v", "x"]],
    ["--server unix:///s agent-hook run", ["--server", "unix:///s"]],
    ["--server=unix:///s agent-hook run --agent claude", ["--server=unix:///s", "--agent", "claude"]],
    ["agent-hook run --help", undefined],
    ["agent-hook run --agent claude -h", undefined],
    ["agent-hook status", undefined],
    ["agent-hook", undefined],
    ["--server agent-hook run", undefined],
    ["--json agent-hook run", undefined],
    ["run agent-hook", undefined],
    ["", undefined],
  ])("%s", (line, args) => expect(hookArguments(line.split(" ").filter(Boolean))).toEqual(args));
});

function options(...args: string[]) {
  const parsed = parseHookArguments(["--agent", "claude", ...args]);
  if (!parsed.ok) throw new Error(parsed.problem);
  const { agent: _, ...rest } = parsed.options;
  return rest;
}

function problem(...args: string[]) {
  const parsed = parseHookArguments(args);
  if (parsed.ok) throw new Error("accepted");
  return [parsed.problem, parsed.agent];
}

describe("the flags", () => {
  test("stand in for their defaults exactly when they are given, an explicit zero included", () => {
    expect(options()).toEqual({});
    expect(options("--turn-threshold", "0")).toEqual({ turnThreshold: 0 });
    expect(
      options(
        ...[
          "--source=roborev-agent-hook",
          "--config",
          "/c.toml",
          "--turn-threshold=1",
          "--commit-threshold",
          "2",
        ],
        ...["--failed-review-threshold=3", "--instruction", "fix = it", "--roborev-server=unix:///s", "-v"],
      ),
    ).toEqual({
      config: "/c.toml",
      turnThreshold: 1,
      commitThreshold: 2,
      failedReviewThreshold: 3,
      instruction: "fix = it",
      server: "unix:///s",
    });
  });

  test("may repeat, the last one counts, and may be empty where a text may be", () => {
    expect(options("--turn-threshold", "1", "--turn-threshold=7", "--instruction=")).toEqual({
      turnThreshold: 7,
      instruction: "",
    });
  });

  test("take the profile in any casing", () => {
    const parsed = parseHookArguments(["--agent= CoDeX "]);
    expect(parsed.ok && parsed.options.agent).toBe("codex");
  });

  test.each([
    [[], "--agent is required", undefined],
    [["--agent", ""], "--agent is required", undefined],
    [["--agent="], "--agent is required", undefined],
    [["--agent"], "--agent needs a value", undefined],
    [["--agent", "vim"], 'unsupported agent hook integration "vim"', undefined],
    [["--agent", "all"], 'unsupported agent hook integration "all"', undefined],
    [["--agent", "claude", "--scope", "user"], "unknown flag: --scope", "claude"],
    [["--codex-config=x"], "unknown flag: --codex-config", undefined],
    [["--agent", "claude", "-x"], "unknown flag: -x", "claude"],
    [["--agent", "claude", "extra"], "unexpected argument: extra", "claude"],
    [["--agent", "claude", "--", "x"], "unknown flag: --", "claude"],
    [["--agent", "claude", "--config"], "--config needs a value", "claude"],
    [
      ["--agent", "claude", "--turn-threshold", "five"],
      "--turn-threshold must be a whole number, got five",
      "claude",
    ],
    [["--agent", "claude", "--turn-threshold="], "--turn-threshold must be a whole number, got ", "claude"],
    [
      ["--agent", "claude", "--turn-threshold", "1.5"],
      "--turn-threshold must be a whole number, got 1.5",
      "claude",
    ],
    [["--agent", "claude", "--commit-threshold", "-1"], "--commit-threshold must be >= 0, got -1", "claude"],
    [["--agent", "codex", "--__proto__", "x"], "unknown flag: --__proto__", "codex"],
  ])("%j is refused", (args, why, harness) => expect(problem(...args)).toEqual([why, harness]));

  test("never throw, whatever they are", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom("--agent", "claude", "--config=", "-v"))),
        (args) => {
          parseHookArguments(args);
          hookArguments(args);
        },
      ),
    );
  });
});
