import { describe, expect, test } from "bun:test";
import { codex } from "../../src/harness/codex.ts";
import { buildCommand } from "../../src/install/command.ts";
import { planInstall, planUninstall } from "../../src/install/plan.ts";

const command = buildCommand("/bin/roborev", "codex");
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value, null, 2));
const target = (value: unknown) => ({
  harness: codex,
  path: "/h/hooks.json",
  before: typeof value === "string" ? new TextEncoder().encode(value) : encode(value),
});
const read = (bytes: Uint8Array | null) => JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));

const ours = { type: "command", command: command.text, timeout: 10 };
const old = {
  type: "command",
  command: "/old/roborev agent-hook run --agent codex --source=roborev-agent-hook",
};
const legacy = { type: "command", command: "roborev agent-hook run --turn-threshold 3" };
const theirs = (name: string) => ({ type: "command", command: name });
const group = (matcher: string | undefined, ...hooks: unknown[]) => ({
  ...(matcher ? { matcher } : {}),
  hooks,
});
const wantedPost = group("^Bash$", ours);
const install = (value: unknown) => planInstall(target(value), command, 10_000);

describe("D31: changes stay in place", () => {
  const others = { PreToolUse: [wantedPost], Stop: [group(undefined, ours)] };

  test("a missing registration comes last, behind the groups of others", () => {
    const plan = install({
      hooks: { ...others, PostToolUse: [group("^Bash$", theirs("a")), group("Edit", theirs("b"))] },
    });
    expect(read(plan.after).hooks.PostToolUse).toEqual([
      group("^Bash$", theirs("a")),
      group("Edit", theirs("b")),
      wantedPost,
    ]);
    expect(plan.notices).toEqual([]);
  });

  test("scenario 111: after the binary moved, the first of ours is replaced where it stands", () => {
    const before = [group("^Bash$", old), group("Edit", theirs("b"))];
    const plan = install({ hooks: { ...others, PostToolUse: before } });
    expect(read(plan.after).hooks.PostToolUse).toEqual([wantedPost, group("Edit", theirs("b"))]);
    expect(plan.notices).toEqual([]);
  });

  test("further ones of ours go, and a foreign group that has to move is announced", () => {
    const before = [group("^Bash$", legacy), group("^Bash$", old), group("Edit", theirs("b"))];
    const plan = install({ hooks: { ...others, PostToolUse: before } });
    expect(read(plan.after).hooks.PostToolUse).toEqual([wantedPost, group("Edit", theirs("b"))]);
    expect(plan.notices).toEqual([
      expect.stringContaining("Hooks of other tools in /h/hooks.json have moved"),
    ]);
  });

  test("ours in a group that others share stays there when the matcher is right", () => {
    const plan = install({
      hooks: { ...others, PostToolUse: [group("^Bash$", theirs("a"), old, theirs("b"))] },
    });
    expect(read(plan.after).hooks.PostToolUse).toEqual([group("^Bash$", theirs("a"), ours, theirs("b"))]);
  });

  test("ours under a matcher that is somebody else's leaves it for a group of its own", () => {
    const plan = install({ hooks: { ...others, PostToolUse: [group("Edit", theirs("a"), old)] } });
    expect(read(plan.after).hooks.PostToolUse).toEqual([group("Edit", theirs("a")), wantedPost]);
  });

  test.each([
    ["changed", group("Bash", ours)],
    ["added", group(undefined, ours)],
  ])("a wrong matcher of a group that is ours alone is %s in place", (_, wrong) => {
    const plan = install({ hooks: { ...others, PostToolUse: [wrong, group("Edit", theirs("b"))] } });
    expect(read(plan.after).hooks.PostToolUse).toEqual([wantedPost, group("Edit", theirs("b"))]);
  });

  test("a matcher on an event that has none is taken away, an empty one left", () => {
    const stop = (matcher: string) =>
      install({ hooks: { ...others, PostToolUse: [wantedPost], Stop: [{ matcher, hooks: [ours] }] } });
    expect(read(stop("x").after).hooks.Stop).toEqual([group(undefined, ours)]);
    expect(stop("").changed).toBe(false);
  });

  test("identical registrations are not touched, however they are laid out", () => {
    const reordered = { timeout: 10, command: command.text, type: "command" };
    const text = `{"hooks": {"Stop":[{"hooks":[${JSON.stringify(reordered)}]}],\n"PreToolUse":[${JSON.stringify(wantedPost)}],"PostToolUse":[${JSON.stringify(wantedPost)}]}}`;
    expect(install(text)).toMatchObject({ changed: false, notices: [] });
  });

  test("ours under an event that we no longer use goes, with everything that it leaves empty", () => {
    const plan = install({ model: "x", hooks: { SubagentStop: [group(undefined, old)] } });
    expect(Object.keys(read(plan.after).hooks)).toEqual(["PreToolUse", "PostToolUse", "Stop"]);
    expect(read(plan.after).model).toBe("x");
  });

  test("scenario 109: legacy registrations become exactly three of ours", () => {
    const plan = install({
      hooks: { Stop: [group(undefined, legacy)], PostToolUse: [group("Bash", legacy)] },
    });
    expect(JSON.stringify(read(plan.after)).split("--source=roborev-agent-hook")).toHaveLength(4);
    expect(JSON.stringify(read(plan.after))).not.toContain("turn-threshold");
  });
});

describe("uninstall without a record", () => {
  test("takes ours and legacy ones and what they leave empty, and nothing else", () => {
    const plan = planUninstall(
      target({
        hooks: {
          Stop: [group(undefined, ours), group(undefined, theirs("a"))],
          PreToolUse: [wantedPost],
          PostToolUse: [group("Bash", legacy, theirs("b"))],
        },
        x: 1,
      }),
    );
    expect(read(plan.after)).toEqual({
      hooks: { Stop: [group(undefined, theirs("a"))], PostToolUse: [group("Bash", theirs("b"))] },
      x: 1,
    });
    expect(plan.notices).toHaveLength(1);
  });

  test("a file without ours, or no file, is no change", () => {
    expect(planUninstall(target({ hooks: { Stop: [group(undefined, theirs("a"))] } })).changed).toBe(false);
    expect(planUninstall({ ...target({}), before: null }).changed).toBe(false);
  });
});

describe("G4: ambiguous shapes are refused with their place", () => {
  test.each([
    ["[]", "/h/hooks.json:1:1: the document must be an object, not array"],
    ['{"hooks": []}', "/h/hooks.json:1:11: hooks must be an object, not array"],
    ['{"hooks": null}', "/h/hooks.json:1:11: hooks must be an object, not null"],
    ['{"hooks": {"Stop": {}}}', "/h/hooks.json:1:20: hooks.Stop must be an array, not object"],
    ['{"hooks": {"Stop": [1]}}', "/h/hooks.json:1:21: hooks.Stop[0] must be an object, not number"],
    ['{"hooks": {"Stop": [{"hooks": {}}]}}', "hooks.Stop[0].hooks must be an array, not object"],
    ['{"hooks": {"Stop": [{"hooks": ["x"]}]}}', "hooks.Stop[0].hooks[0] must be an object, not string"],
    ['{"hooks": {},\n "hooks": {}}', '/h/hooks.json:2:2: duplicate key "hooks"'],
    ['{"hooks": {"Stop": [], "Stop": []}}', '/h/hooks.json:1:24: duplicate key "Stop"'],
    ['{"hooks": {"Stop": [{"hooks": [], "hooks": []}]}}', 'duplicate key "hooks"'],
    ['{"hooks": {"Stop": [{"hooks": [{"command": "a", "command": "b"}]}]}}', 'duplicate key "command"'],
  ])("%s", (text, message) => {
    expect(() => install(text)).toThrow(message);
    expect(() => planUninstall(target(text))).toThrow(message);
  });

  test("what stands beside our events may have any shape, as old switches of Gemini CLI do", () => {
    const others = { enabled: true, disabled: ["x"], Other: [1, { hooks: [2] }, { hooks: {} }] };
    const plan = install({ hooks: others });
    expect(read(plan.after).hooks).toMatchObject(others);
    expect(planUninstall({ ...target({}), before: plan.after })).toMatchObject({
      changed: true,
      after: encode({ hooks: others }),
    });
  });

  test("a duplicate key that is not on our path is none of our business", () => {
    expect(install('{"a": 1, "a": 2, "b": {"c": 1, "c": 2}}').changed).toBe(true);
  });

  test("comments survive, and the user is told that the harness may not accept them", () => {
    const plan = install('{\n  // mine\n  "a": 1, // too\n}\n');
    expect(new TextDecoder().decode(plan.after ?? undefined)).toStartWith(
      '{\n  // mine\n  "a": 1, // too\n  "hooks": {',
    );
    expect(plan.notices).toEqual([expect.stringContaining("is not plain JSON")]);
  });
});
