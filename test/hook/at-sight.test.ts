import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { harnesses } from "../../src/harness/registry.ts";
import { answerInFull } from "../../src/hook/answer.ts";
import { parseHookArguments } from "../../src/hook/args.ts";
import { installedOptions, isSilentAtSight } from "../../src/hook/at-sight.ts";

const payload = (more: Record<string, unknown> = {}) => ({
  session_id: "s1",
  cwd: "/r",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  ...more,
});

describe("a look at a hook call", () => {
  test("is enough before a command that does not name git", () => {
    expect(isSilentAtSight(payload())).toBe(true);
    expect(isSilentAtSight(payload({ hook_event_name: "BeforeTool" }))).toBe(true);
    expect(isSilentAtSight(payload({ hook_event_name: "pre_tool_call" }))).toBe(true);
    expect(isSilentAtSight(payload({ tool_name: "Edit", tool_input: { command: "x" } }))).toBe(true);
  });

  test.each([
    [{ tool_input: { command: "cd x && GIT commit" } }],
    [{ tool_input: { command: "./digits" } }],
    [{ tool_input: { command: "jj commit" } }],
    [{ tool_input: { command: "Hub commit" } }],
    [{ tool_input: { command: 7 } }],
    [{ tool_input: null }],
    [{ hook_event_name: "PostToolUse" }],
    [{ hook_event_name: "Stop" }],
    [{ session_id: "" }],
    [{ session_id: " " }],
    [{ session_id: null }],
    [{ session_id: "x".repeat(513) }],
    [{ tool_name: null }],
  ])("is not enough for %j", (more) => expect(isSilentAtSight(payload(more))).toBe(false));

  test.each([
    [["--agent", "claude", "--source=roborev-agent-hook"], true],
    [["--agent", "codex", "--roborev-server", "unix:///x.sock", "--source=roborev-agent-hook"], true],
    [["--agent", "claude"], true],
    [["--agent=claude"], false],
    [["--agent", "Claude"], false],
    [["--agent"], false],
    [["--agent", "nope"], false],
    [["--agent", "claude", "--roborev-server"], false],
    [["--source=x"], false],
    [["--agent", "claude", "--turn-threshold", "3"], false],
    [["--agent", "claude", "extra"], false],
    [[], false],
  ])("knows what the installer writes: %j %p", (args, installed) =>
    expect(installedOptions(args) !== undefined).toBe(installed),
  );

  test("reads arguments as the full parser does, or not at all", () => {
    const words = [
      "--agent",
      "claude",
      "codex",
      "nope",
      "--roborev-server",
      "unix:///s",
      "--source=x",
      "-v",
      "",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 7 }), (args) => {
        const options = installedOptions(args);
        if (options !== undefined) expect(parseHookArguments(args)).toEqual({ ok: true, options });
      }),
      { numRuns: 2000 },
    );
  });

  test("never differs from the full judgement", async () => {
    const value = fc.oneof(
      fc.string(),
      fc.constant(null),
      fc.integer(),
      fc.constantFrom("git commit", "ls", "Bash", "s1"),
    );
    const fields = fc.record(
      {
        session_id: value,
        hook_event_name: fc.constantFrom(
          "PreToolUse",
          "BeforeTool",
          "pre_tool_call",
          "PostToolUse",
          "pre_tool_use",
        ),
        tool_name: value,
        tool_input: fc.oneof(value, fc.record({ command: value }, { requiredKeys: [] })),
        workspaceRoot: fc.constant("/r"),
      },
      { requiredKeys: ["hook_event_name"] },
    );
    await fc.assert(
      fc.asyncProperty(fields, fc.constantFrom(...harnesses), async (drawn, harness) => {
        if (!isSilentAtSight(drawn)) return;
        const world = {
          env: { HOME: "/home/dev" },
          cwd: () => "/r",
          stdin: () => new ReadableStream<Uint8Array>(),
          monotonicMs: () => 0,
          request: () => Promise.reject(new Error("asked the daemon")),
        };
        const call = {
          args: ["--agent", harness.name],
          payload: { kind: "object" as const, fields: drawn },
          world,
          startMs: 0,
        };
        expect(await answerInFull(call)).toEqual({ stdout: "{}", exitCode: 0 });
      }),
      { numRuns: 2000 },
    );
  });
});
