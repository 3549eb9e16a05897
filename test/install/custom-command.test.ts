import { describe, expect, test } from "bun:test";
import { customCommand } from "../../src/install/custom-command.ts";
import { UsageError } from "../../src/lib/errors.ts";

const probe = { isDirectory: () => false, isExecutable: (path: string) => path === "/shims/rr" };
const check = (text: string, agent = "qwen") =>
  customCommand(text, agent, ["qwen", "gemini"], { HOME: "/home/u" }, probe).text;

describe("scenario 106: what --command accepts", () => {
  test.each([
    "roborev agent-hook run --agent qwen",
    "roborev agent-hook run --agent=qwen",
    "roborev agent-hook run --agent QWEN",
    '"/opt/Roborev Dev" agent-hook run --agent "qwen"',
    "/x/roborev agent-hook run --turn-threshold 3 --agent qwen",
    "$HOME/bin/roborev agent-hook run --agent qwen",
    "/shims/rr agent-hook run --agent qwen",
  ])("scenario 107: %s is registered as it is, with our marker", (text) => {
    expect(check(`  ${text} `)).toBe(`${text} --source=roborev-agent-hook`);
  });

  test("W9: a marker that is there is not added again; one that only begins like it is none", () => {
    const marked = "roborev agent-hook run '--source=roborev-agent-hook' --agent qwen";
    expect(check(marked)).toBe(marked);
    expect(check(`${marked}`.replace("-hook'", "-hook-dev'"))).toEndWith(" --source=roborev-agent-hook");
  });

  test.each([
    ["roborev agent-hook run --agent qwen --agent qwen", "exactly one agent"],
    ["roborev agent-hook run --agent qwen --agent gemini", "exactly one agent"],
    ["roborev agent-hook run --agent", "--agent requires a value"],
    ["roborev agent-hook run --agent=", "--agent requires a value"],
    ['roborev agent-hook run --agent ""', "--agent requires a value"],
    ["roborev agent-hook run --agent --config x", "--agent requires a value"],
    ["roborev agent-hook run -- --agent qwen", "argument terminator"],
    ['echo "roborev agent-hook run --agent qwen"', "must invoke agent-hook run"],
    ['sh -c "roborev agent-hook run --agent qwen"', "must invoke agent-hook run"],
    ["env A=1 roborev agent-hook run --agent qwen", "must invoke agent-hook run"],
    ["A=1 roborev agent-hook run --agent qwen", "must invoke agent-hook run"],
    ["echo agent-hook run --agent qwen", "echo is not roborev"],
    ["/bin/nothing agent-hook run --agent qwen", "/bin/nothing is not roborev"],
    ["roborev agent-hook run --agent qwen; x", "unsupported shell operator ;"],
    ["roborev agent-hook run --agent qwen && x", "unsupported shell operator &"],
    ["roborev agent-hook run --agent qwen | x", "unsupported shell operator |"],
    ["roborev agent-hook run --agent qwen > f", "unsupported shell operator >"],
    ["roborev agent-hook run --agent qwen #c", "unsupported shell operator #"],
    ['roborev agent-hook run --agent "$(agent)"', "unsupported shell operator"],
    ['roborev agent-hook run --agent "`agent`"', "unsupported shell operator"],
    ["roborev agent-hook run --agent $(agent)", "unsupported shell operator"],
    ['roborev agent-hook run --agent "\\$(agent)"', "unsupported agent hook integration"],
    ["roborev agent-hook run --agent '$(agent)'", "unsupported agent hook integration"],
    ["roborev agent-hook run\n--agent qwen", "single command line"],
    ["roborev agent-hook run", "must select an agent"],
    ["roborev agent-hook run --agent 'qwen", "unterminated quote"],
    ["roborev agent-hook run --agent qwen\\", "incomplete escape"],
    ["roborev agent-hook run --agent gemini", "selects gemini, not qwen"],
  ])("%s is refused: %s", (text, why) => {
    expect(() => check(text)).toThrow(UsageError);
    expect(() => check(text)).toThrow(why);
  });
});
