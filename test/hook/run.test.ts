import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { DaemonError } from "../../src/client/transport.ts";
import { HookRequestSchema } from "../../src/daemon/api/hook-event.ts";
import { fixture, type Payload, quiet, type Run, runInProcess } from "./world.ts";

const ask = (agent: string, payload: Payload | string, more: Partial<Run> = {}) =>
  runInProcess({
    args: ["--agent", agent],
    input: typeof payload === "string" ? payload : JSON.stringify(payload),
    ...more,
  });

const bash = (event: string, command: string, more: Payload = {}): Payload => ({
  ...fixture("claude", "PreToolUse"),
  hook_event_name: event,
  tool_input: { command },
  ...more,
});

const triggered = (reason: unknown) => () => ({ status: 200, body: { ...quiet, triggered: true, reason } });
const silent = { stdout: "{}", exitCode: 0, calls: [] };

describe("which events the daemon hears of", () => {
  test.each<[string, Payload]>([
    ["a command that cannot commit, before it runs", bash("PreToolUse", "go test ./... && git status")],
    ["a tool that is no shell", fixture("claude", "PostToolUse.agent-tool")],
    ["the end of a sub-agent", fixture("claude", "SubagentStop")],
    ["a Stop inside a sub-agent", { ...fixture("claude", "Stop"), agent_id: "a1" }],
    ["the start of a session", fixture("claude", "SessionStart")],
    ["a prompt", fixture("claude", "UserPromptSubmit")],
    ["an event that is not known", fixture("claude", "PostToolBatch")],
    ["a payload of Grok Build (D26)", { ...fixture("claude", "Stop"), hookEventName: "stop" }],
  ])("not %s", async (_, payload) => expect(await ask("claude", payload)).toEqual(silent as never));

  test.each<[string, Payload, string]>([
    ["a command that may commit, before it runs", fixture("claude", "PreToolUse"), "PreToolUse"],
    ["that command inside a sub-agent", fixture("claude", "PreToolUse.subagent"), "PreToolUse"],
    ["every shell command after it ran", bash("PostToolUse", "ls"), "PostToolUse"],
    ["a shell command that failed", fixture("claude", "PostToolUseFailure"), "PostToolUseFailure"],
    ["the end of a turn", fixture("claude", "Stop"), "Stop"],
    ["the end of a turn that a hook continued", fixture("claude", "Stop.active"), "Stop"],
  ])("%s", async (_, payload, event) => {
    const answer = await ask("claude", payload);
    expect(answer).toMatchObject({ stdout: "{}", exitCode: 0 });
    expect(answer.calls.map(({ request }) => request.event.hook_event_name)).toEqual([event]);
  });

  test("within two seconds around a command, four at the end of a turn", async () => {
    const pre = await ask("claude", fixture("claude", "PreToolUse"));
    const stop = await ask("codex", fixture("codex", "Stop"));
    expect([pre.calls[0]?.timeoutMs, stop.calls[0]?.timeoutMs]).toEqual([2000, 4000]);
  });
});

describe("what the daemon is asked (D3)", () => {
  test("the trimmed event, the given flags, the feature's variables, absolute paths", async () => {
    const { calls } = await runInProcess({
      args: ["--agent=claude", "--turn-threshold=0", "--instruction=", "--config", "conf.toml"],
      input: JSON.stringify(bash("PostToolUse", "cd ~/sub && git -C pkg commit -m x", { agent_id: "a1" })),
      env: { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "five", ROBOREV_DROID_HOOK_INSTRUCTION: "1", OTHER: "no" },
    });
    expect(calls).toEqual([
      {
        socket: "/home/dev/.roborev/daemon.sock",
        path: "/api/agent-hook/event",
        timeoutMs: 2000,
        request: {
          agent: "claude",
          event: {
            session_id: "00000000-0000-4000-8000-000000000001",
            hook_event_name: "PostToolUse",
            cwd: "{{REPO}}",
            turn_id: "00000000-0000-4000-8000-000000000002",
            channel: "context",
            tool_name: "Bash",
            tool_use_id: "toolu_stub_0_0",
            agent_id: "a1",
            command: "cd ~/sub && git -C pkg commit -m x",
            commit: { verb: "commit", directories: ["/home/dev/sub", "pkg"] },
          },
          threshold: 0,
          instruction: "",
          env: { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "five", ROBOREV_DROID_HOOK_INSTRUCTION: "1" },
          config: "/home/dev/conf.toml",
          executable: "/opt/roborev",
        },
      },
    ]);
  });

  test("a long command is cut to 4 KiB, and what it does at its end is still told", async () => {
    const { calls } = await ask("codex", bash("PreToolUse", `echo ${"ü".repeat(40_000)} && git -C x commit`));
    const event = calls[0]?.request.event;
    expect(new TextEncoder().encode(event?.command).length).toBeLessThanOrEqual(4096);
    expect(event?.commit).toEqual({ verb: "commit", directories: ["x"] });
  });

  test("values beyond the daemon's limits are left out, so that the event still counts", async () => {
    const long = "x".repeat(5000);
    const payload = bash("PostToolUse", `cd ${long} && git commit`, {
      cwd: long,
      prompt_id: long,
      agent_id: long,
      tool_use_id: long,
    });
    const { calls } = await ask("claude", payload, {
      env: { ROBOREV_AGENT_HOOK_INSTRUCTION: "y".repeat(70_000) },
    });
    expect(Value.Check(HookRequestSchema, calls[0]?.request)).toBe(true);
    expect(calls[0]?.request.event.commit).toEqual({ verb: "commit", directories: [] });
  });

  test("the address of the flag goes before that of the environment, and is told to the daemon", async () => {
    const stop = JSON.stringify(fixture("claude", "Stop"));
    const env = { ROBOREV_AGENT_HOOK_ROBOREV_ADDR: "unix:///env.sock" };
    const byEnv = await runInProcess({ args: ["--agent", "claude"], input: stop, env });
    const byFlag = await runInProcess({
      args: ["--agent", "claude", "--roborev-server", "unix:///flag.sock"],
      input: stop,
      env,
    });
    expect([byEnv, byFlag].map(({ calls }) => [calls[0]?.socket, calls[0]?.request.server])).toEqual([
      ["/env.sock", "unix:///env.sock"],
      ["/flag.sock", "unix:///flag.sock"],
    ]);
  });

  test("120 Factory Droid has an address variable of its own, and nobody else has it", async () => {
    const env = {
      ROBOREV_AGENT_HOOK_ROBOREV_ADDR: "unix:///agent.sock",
      ROBOREV_DROID_HOOK_ROBOREV_ADDR: "unix:///droid.sock",
    };
    const told = async (agent: string) => {
      const { calls } = await ask(agent, fixture(agent, "Stop"), { env });
      return [calls[0]?.socket, calls[0]?.request.server];
    };
    expect(await told("droid")).toEqual(["/droid.sock", "unix:///droid.sock"]);
    expect(await told("claude")).toEqual(["/agent.sock", "unix:///agent.sock"]);
  });
});

describe("what the harness is answered", () => {
  test("a reminder at the end of a turn blocks it", async () => {
    const answer = await ask("codex", fixture("codex", "Stop"), { daemon: triggered("fix it") });
    expect(answer).toMatchObject({ stdout: '{"decision":"block","reason":"fix it"}', exitCode: 0 });
  });

  test("a reminder after a tool is context", async () => {
    const answer = await ask("claude", fixture("claude", "PostToolUse"), { daemon: triggered("fix it") });
    expect(JSON.parse(answer.stdout ?? "")).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "fix it" },
    });
  });

  test("nothing inside a sub-agent, whatever the daemon says (D21)", async () => {
    const answer = await ask("codex", fixture("codex", "PostToolUse.subagent"), {
      daemon: triggered("fix it"),
    });
    expect(answer).toMatchObject({ stdout: "{}", exitCode: 0 });
  });

  test("the daemon's one diagnostic line goes to standard error", async () => {
    const answer = await ask("claude", fixture("claude", "Stop"), {
      daemon: () => ({ status: 200, body: { ...quiet, diagnostic: `odd\n${"x".repeat(300)}` } }),
    });
    expect(answer.stdout).toBe("{}");
    expect(answer.stderr).toStartWith("roborev agent-hook: odd xxx");
    expect(answer.stderr).toHaveLength(200);
  });
});

describe("whatever fails, the session goes on (scenario 116, G18, G19)", () => {
  test.each<[string, Partial<Run>, string]>([
    [
      "no daemon",
      {
        daemon: () => {
          throw new DaemonError("not-running", "no daemon is listening on /s");
        },
      },
      "no daemon is listening on /s",
    ],
    [
      "state unavailable",
      { daemon: () => ({ status: 503, body: { error: "state is unreadable" } }) },
      "503: state",
    ],
    ["an answer that is no object", { daemon: () => ({ status: 200, body: [] }) }, "has no decision"],
    ["a reminder without text", { daemon: triggered(undefined) }, "has no text"],
    ["an empty reminder", { daemon: triggered("") }, "empty text"],
    ["a relative data directory (D1)", { env: { ROBOREV_DATA_DIR: "x" } }, "must be an absolute path"],
    ["no home", { env: { HOME: "" } }, "HOME is not set"],
    ["an odd address", { env: { ROBOREV_AGENT_HOOK_ROBOREV_ADDR: "http://10.0.0.1" } }, "must be unix:///"],
    [
      "a relative --config in a directory that is gone",
      {
        args: ["--agent", "claude", "--config", "c.toml"],
        cwd: () => {
          throw new Error("ENOENT: getcwd");
        },
      },
      "getcwd",
    ],
    ["no session id (D23)", { input: '{"hook_event_name":"Stop"}' }, "no session_id"],
    ["an oversized payload (D27)", { input: " ".repeat(16 * 1024 * 1024 + 1) }, "larger than 16 MiB"],
  ])("%s: empty answer, one line, exit 0", async (_, more, line) => {
    const answer = await ask("claude", fixture("claude", "Stop"), more);
    expect(answer).toMatchObject({ stdout: "{}", exitCode: 0 });
    expect(answer.stderr).toStartWith("roborev agent-hook: ");
    expect(answer.stderr).toContain(line);
    expect(answer.stderr).not.toContain("\n");
  });

  test("a codec that cannot be loaded: empty answer, one line, exit 0", async () => {
    const load = () => Promise.reject(new Error("broken\ncodec"));
    const answer = await ask("claude", fixture("claude", "Stop"), { load });
    expect(answer).toEqual({
      stdout: "{}",
      stderr: "roborev agent-hook: Error: broken codec",
      exitCode: 0,
      calls: [],
    });
  });

  test.each(["", "x", "[]", "{} {}", '{"session_id":1}'])(
    "the malformed payload %j: exit 1",
    async (input) => {
      const answer = await ask("claude", input);
      expect(answer).toMatchObject({ stdout: "{}", exitCode: 1, calls: [] });
      expect(answer.stderr).toStartWith("roborev agent-hook: ");
    },
  );

  test("a bad flag: exit 1, and an object on standard output only once the profile is known (D23)", async () => {
    const before = await ask("claude", "{}", { args: ["--scope", "user", "--agent", "claude"] });
    expect(before).toEqual({ stderr: "roborev agent-hook: unknown flag: --scope", exitCode: 1, calls: [] });
    const after = await ask("claude", "{}", { args: ["--agent", "claude", "--scope"] });
    expect(after).toMatchObject({ stdout: "{}", exitCode: 1 });
  });
});

describe("switched off", () => {
  const words = ["0", "off", "Off", "false", "no", " no "];
  test.each([
    ...words.map((word) => ({ ROBOREV_AGENT_HOOK: word })),
    { ROBOREV_REVIEW_JOB: "12" },
    { ROBOREV_FIX_JOB: "12" },
  ])("by %j: an empty answer, nothing is read or asked (D29, D30)", async (env) => {
    expect(await ask("claude", "not read", { env })).toEqual(silent as never);
    expect((await ask("claude", "", { env, args: ["--agent", "vim"] })).exitCode).toBe(1);
  });

  test("and not by anything else", async () => {
    for (const ROBOREV_AGENT_HOOK of ["1", "on", "", "00", "nope"]) {
      const env = { ROBOREV_AGENT_HOOK, ROBOREV_REVIEW_JOB: "" };
      expect((await ask("claude", fixture("claude", "Stop"), { env })).calls).toHaveLength(1);
    }
  });
});
