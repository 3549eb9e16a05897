import { describe, expect, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { HookStateFiles } from "../../../src/store/hook-state/hook-state.ts";
import { testDaemon } from "../../support/daemon.ts";
import { codingAgent } from "./coding-agent.ts";
import { hermes } from "./hermes-scene.ts";
import { type Scene, scene } from "./scene.ts";

/** The next write of the reminder state does not reach the disk. */
const failNextWrite = () =>
  spyOn(HookStateFiles.prototype, "append").mockRejectedValueOnce(
    new Error("ENOSPC: no space left on device"),
  );

const state = async (s: Scene) => (await s.daemon.get("/api/agent-hook/sessions")).body as object;

describe("a state that cannot be written", () => {
  test("80 97 tells nothing: the queue, the counters and the fix sessions are as before, and the next Stop tells", async () => {
    await using s = await hermes({ commits: 1 });
    s.fail(1);
    await s.agent.run("git commit -q --allow-empty -m a");
    const before = await state(s);
    const write = failNextWrite();
    const answer = await s.daemon.post("/api/agent-hook/event", s.agent.asks.stop());
    expect(write).toHaveBeenCalled();
    expect(answer).toMatchObject({ status: 500, body: { error: expect.any(String) } });
    expect(await state(s)).toEqual(before);
    expect(await s.queue()).toHaveLength(2);
    expect(await s.agent.stop()).toMatchObject({ triggered_by: "failed_reviews", remind_count: 1 });
  });

  test("97 leaves the working tree free for another session", async () => {
    await using s = await scene();
    s.fail(4);
    const [one, two] = [codingAgent(s), codingAgent(s, { session: "s2" })];
    failNextWrite();
    expect((await s.daemon.post("/api/agent-hook/event", one.asks.stop())).status).toBe(500);
    expect(await two.stop()).toMatchObject({ triggered: true });
  });

  test("81 takes a reset back, and a fix-done", async () => {
    await using s = await scene();
    s.fail(4);
    const told = await codingAgent(s).stop();
    expect(told.triggered).toBe(true);
    const before = await state(s);
    for (const [path, body] of [
      ["reset", { all: true }],
      ["reset", { session_id: "s1" }],
      ["fix-done", { fix_session_id: told.fix_session_id }],
    ] as const) {
      failNextWrite();
      expect((await s.daemon.post(`/api/agent-hook/${path}`, body)).status).toBe(500);
      expect(await state(s)).toEqual(before);
    }
    await s.daemon.post("/api/agent-hook/reset", { session_id: "s1" });
    expect(await state(s)).toEqual({ sessions: {} });
  });

  test("does not fail what somebody does about a review, which is done already", async () => {
    await using s = await scene();
    const ids = s.fail(4);
    await codingAgent(s).stop();
    failNextWrite();
    const closed = await s.daemon.post("/api/review/close", {
      job_id: ids[0],
      closed: true,
      worktree_path: s.repo.path,
    });
    expect(closed).toMatchObject({ status: 200, body: { success: true } });
    expect(s.daemon.errors.recent()).toMatchObject([{ component: "agent_hook" }]);
  });
});

test("82 who has asked for the state can do with it what he likes", async () => {
  await using s = await scene();
  s.fail(4);
  await codingAgent(s).stop();
  const hooks = s.daemon.parts.services.hooks();
  const scribble = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const key of Object.keys(value)) {
      const inner = (value as Record<string, unknown>)[key];
      scribble(inner);
      (value as Record<string, unknown>)[key] = "scribbled";
    }
  };
  const before = await state(s);
  const page = hooks.deliveries(0, undefined);
  expect(page.deliveries).toHaveLength(1);
  scribble(JSON.parse(await hooks.sessions()));
  scribble(page);
  expect(await state(s)).toEqual(before);
  const response = await s.daemon.request("GET", "/api/agent-hook/sessions");
  expect(response.headers.get("content-type")).toStartWith("application/json");
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("84 a snapshot that cannot be read stays as it is, byte for byte, whatever is asked", async () => {
  await using s = await scene();
  const bytes = '{"sessions": {"claude:s1": {"count": "many"}}}';
  await using broken = await testDaemonWith(s, bytes);
  const asks = codingAgent(s).asks;
  for (const [path, body] of [
    ["event", asks.stop()],
    ["reset", { all: true }],
    ["fix-done", { fix_session_id: crypto.randomUUID() }],
  ] as const)
    expect((await broken.daemon.post(`/api/agent-hook/${path}`, body)).status).toBe(503);
  expect((await broken.daemon.get("/api/agent-hook/deliveries")).status).toBe(503);
  expect((await broken.daemon.get("/api/status")).status).toBe(200);
  await broken.daemon[Symbol.asyncDispose]();
  expect(broken.files()).toEqual({ "state.json": bytes });
});

async function testDaemonWith(s: Scene, snapshot: string) {
  const dataDir = s.dir.join("broken");
  const folder = `${dataDir}/agent-hook`;
  await Bun.write(`${folder}/state.json`, snapshot);
  const daemon = await testDaemon(dataDir);
  return {
    daemon,
    files: () =>
      Object.fromEntries(
        readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")]),
      ),
    [Symbol.asyncDispose]: async () => {},
  };
}
