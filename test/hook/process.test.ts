import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expectWithin } from "../support/limit.ts";
import { tempDir } from "../support/temp.ts";
import { mutate, random } from "./mutation.ts";
import { fixture, quiet } from "./world.ts";

const main = join(import.meta.dir, "../../src/main.ts");
const dir = tempDir();
const socket = dir.join("daemon.sock");
const requests: unknown[] = [];
const server = Bun.serve({
  unix: socket,
  fetch: async (request) => {
    const body = (await request.json()) as { event: { session_id: string; hook_event_name: string } };
    requests.push(body);
    if (body.event.session_id === "hang") return new Promise<Response>(() => undefined);
    const isPre = body.event.hook_event_name === "PreToolUse";
    return Response.json({ ...quiet, triggered: !isPre, reason: "fix it ü" });
  },
});
afterAll(() => {
  server.stop(true);
  dir[Symbol.dispose]();
});

const payload = (agent: string, name: string, change = {}) =>
  JSON.stringify({ ...fixture(agent, name), cwd: dir.path, ...change });

interface Options {
  env?: Record<string, string | undefined>;
  cwd?: string;
  args?: string[];
}

function start(agent: string, stdin: "pipe" | "ignore" | Uint8Array, options: Options = {}) {
  const args = options.args ?? ["agent-hook", "run", "--agent", agent, "--source=roborev-agent-hook"];
  return Bun.spawn([process.execPath, main, ...args], {
    cwd: options.cwd ?? dir.path,
    env: { PATH: process.env.PATH, HOME: dir.path, ROBOREV_DATA_DIR: dir.path, ...options.env },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function result(run: ReturnType<typeof start>) {
  const [stdout, stderr] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
  ]);
  return { stdout, stderr, exitCode: await run.exited };
}

const runHook = (agent: string, input: string, options: Options = {}) =>
  result(start(agent, new TextEncoder().encode(input), options));

describe("a real hook process", () => {
  test("brings the daemon's reminder to the harness and nothing else", async () => {
    expect(await runHook("codex", payload("codex", "Stop"))).toEqual({
      stdout: '{"decision":"block","reason":"fix it ü"}\n',
      stderr: "",
      exitCode: 0,
    });
    expect(requests.at(-1)).toMatchObject({ agent: "codex", event: { hook_event_name: "Stop" } });
  });

  test("is found behind the program's global flags, and takes the daemon's address from them", async () => {
    const args = ["-v", "--server", `unix://${socket}`, "agent-hook", "run", "--agent", "claude"];
    const run = await runHook("claude", payload("claude", "Stop"), {
      args,
      env: { ROBOREV_DATA_DIR: undefined },
    });
    expect(run.stdout).toBe('{"decision":"block","reason":"fix it ü"}\n');
  });

  test("answers and ends while the harness keeps the pipe open", async () => {
    const run = start("claude", "pipe");
    if (typeof run.stdin === "number" || !run.stdin) throw new Error("no pipe");
    run.stdin.write(payload("claude", "Stop"));
    run.stdin.flush();
    expect(await result(run)).toEqual({
      stdout: '{"decision":"block","reason":"fix it ü"}\n',
      stderr: "",
      exitCode: 0,
    });
  });

  test("takes a payload of megabytes", async () => {
    const big = payload("claude", "PostToolUse", { tool_response: { stdout: "x".repeat(8 * 1024 * 1024) } });
    expect(JSON.parse((await runHook("claude", big)).stdout).hookSpecificOutput.additionalContext).toBe(
      "fix it ü",
    );
  });

  test("gives up on a daemon that hangs before it holds up the user's command", async () => {
    const begin = performance.now();
    const run = await runHook("claude", payload("claude", "PreToolUse", { session_id: "hang" }));
    expect(run).toMatchObject({ stdout: "{}\n", exitCode: 0 });
    expect(run.stderr).toContain("did not answer within");
    expectWithin(performance.now() - begin, 8_000);
  });
});

describe("G18: standard output holds one object, standard error at most one line", () => {
  const gone = tempDir();
  const cases: [string, "ignore" | string, Options, number][] = [
    ["no daemon", payload("claude", "Stop"), { env: { ROBOREV_DATA_DIR: dir.join("none") } }, 0],
    [
      "no HOME and no data directory",
      payload("claude", "Stop"),
      { env: { HOME: undefined, ROBOREV_DATA_DIR: "" } },
      0,
    ],
    ["a relative data directory", payload("claude", "Stop"), { env: { ROBOREV_DATA_DIR: "data" } }, 0],
    ["an unusable proxy", payload("claude", "Stop"), { env: { HTTP_PROXY: "http://127.0.0.1:1" } }, 0],
    ["no standard input", "ignore", {}, 1],
    ["garbage", "\u0000\u0001", {}, 1],
    [
      "a bad flag",
      payload("claude", "Stop"),
      { args: ["agent-hook", "run", "--agent", "claude", "--scope"] },
      1,
    ],
    ["switched off", "garbage", { env: { ROBOREV_AGENT_HOOK: "0" } }, 0],
  ];

  test.each(cases)("%s", async (_, input, options, exitCode) => {
    const stdin = input === "ignore" ? input : new TextEncoder().encode(input);
    const run = await result(start("claude", stdin, options));
    expect(run.exitCode).toBe(exitCode);
    expect(JSON.parse(run.stdout)).toBeObject();
    expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect([...run.stderr.trimEnd()].length).toBeLessThanOrEqual(200);
  });

  test("a working directory that is gone", async () => {
    mkdirSync(gone.join("d"));
    const run = start("claude", "pipe", { cwd: gone.join("d") });
    rmSync(gone.path, { recursive: true, force: true });
    if (typeof run.stdin === "number" || !run.stdin) throw new Error("no pipe");
    run.stdin.write(payload("claude", "Stop"));
    run.stdin.end();
    const { stdout, exitCode } = await result(run);
    expect([JSON.parse(stdout).decision, exitCode]).toEqual(["block", 0]);
  });

  test("nobody reads the answer", async () => {
    const run = start("claude", "pipe");
    await run.stdout.cancel();
    if (typeof run.stdin === "number" || !run.stdin) throw new Error("no pipe");
    run.stdin.write(payload("claude", "Stop"));
    run.stdin.end();
    expect([0, 1]).toContain(await run.exited);
  });

  test("60 broken payloads: exit 0 or 1", async () => {
    const next = random(3);
    const fixtures = ["PreToolUse", "PostToolUse", "Stop"].map((name) =>
      new TextEncoder().encode(payload("claude", name)),
    );
    const runs = Array.from({ length: 60 }, () => mutate(fixtures[next(3)] as Uint8Array, next));
    for (let at = 0; at < runs.length; at += 6) {
      const results = await Promise.all(
        runs.slice(at, at + 6).map((input) => result(start("claude", input))),
      );
      for (const { stdout, stderr, exitCode } of results) {
        expect([0, 1]).toContain(exitCode);
        expect(JSON.parse(stdout)).toBeObject();
        expect(stderr.trimEnd()).not.toContain("\n");
      }
    }
  }, 120_000);
});
