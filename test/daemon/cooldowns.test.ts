import { expect, test } from "bun:test";
import type { DaemonStatus } from "../../src/daemon/api/responses.ts";
import { testDaemon } from "../support/daemon.ts";
import { tempDir } from "../support/temp.ts";

test("A07 a reported quota lets its agent rest as long as its program says, within what the user allows, never shorter", async () => {
  using dir = tempDir({ "data/config.toml": 'agent_quota_cooldown = "1h"\n' });
  await using daemon = await testDaemon(dir.join("data"));
  const report = async (body: object) => await daemon.post("/api/cooldowns", body);
  const minutes = async (body: object) => {
    const { until } = (await report(body)).body as { until: string };
    return Math.round((Date.parse(until) - Date.now()) / 60_000);
  };
  const reason = "usage limit, key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  expect(await minutes({ agent: "claude", reason, rest_ms: 5 * 60_000 })).toBe(5);
  expect(await minutes({ agent: "claude-code", reason, rest_ms: 24 * 3_600_000 })).toBe(60);
  expect(await minutes({ agent: "claude-code", reason, rest_ms: 0 })).toBe(60);
  expect(await minutes({ agent: "codex", reason })).toBe(60);
  const { agent_cooldowns: resting } = (await daemon.get("/api/status")).body as DaemonStatus;
  expect(resting.map(({ agent }) => agent)).toEqual(["claude-code", "codex"]);
  expect(JSON.stringify(resting)).not.toContain("abcdefghijkl");
  expect((await report({ agent: "nobody", reason })).status).toBe(400);
  expect((await report({ agent: "codex" })).status).toBe(400);
  expect((await report({ agent: "codex", reason, rest_ms: -1 })).status).toBe(400);
});
