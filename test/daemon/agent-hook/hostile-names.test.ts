import { expect, test } from "bun:test";
import type { Session } from "../../../src/reminder/state.ts";
import { type TestDaemon, testDaemon } from "../../support/daemon.ts";
import { scene } from "./scene.ts";

const sessionIds = [
  "__proto__",
  "constructor",
  "toString",
  "1",
  "a:b",
  "claude:a",
  "a\0b",
  "\ud800",
  "🙂\u202e\u001b[2J",
  "x".repeat(512),
];
const branches = ["__proto__", "constructor", "worktree", "detached", "lineage", "commit"];

const sessionsOf = async (daemon: TestDaemon) => {
  const { body } = await daemon.get("/api/agent-hook/sessions");
  return Object.entries((body as { sessions: Record<string, Session> }).sessions);
};

test("sessions and branches with the names of an object's own properties count like any others, also after a restart", async () => {
  await using s = await scene();
  for (const branch of branches) {
    s.repo.git("checkout", "-q", "-b", branch);
    for (const session_id of sessionIds) await s.event({ session_id });
  }
  const expected = sessionIds
    .map((id) => {
      const turns = Object.fromEntries(branches.map((branch) => [`${s.repo.path}\0${branch}`, 1]));
      return [`claude:${id}`, branches.length, turns];
    })
    .sort();
  const counted = async (daemon: TestDaemon) =>
    (await sessionsOf(daemon))
      .map(([key, { count, ...of }]) => [key, count, of.stop_counts_since_prompt])
      .sort();
  expect(await counted(s.daemon)).toEqual(expected);
  await s.daemon.parts.close();
  await using next = await testDaemon(s.dir.path);
  expect(await counted(next)).toEqual(expected);
  for (const [index, session_id] of sessionIds.entries()) {
    expect((await next.post("/api/agent-hook/reset", { session_id })).status).toBe(200);
    expect(await sessionsOf(next)).toHaveLength(sessionIds.length - 1 - index);
  }
});

test("a reminder on such a branch is told once, and its fix session is held and released", async () => {
  await using s = await scene();
  for (const branch of branches) {
    s.repo.git("checkout", "-q", "-b", branch);
    const ids = s.fail(4, branch);
    const told = await s.event({ session_id: "__proto__" });
    expect([branch, told.triggered_by]).toEqual([branch, "failed_reviews"]);
    expect((await s.event({ session_id: "constructor" })).triggered).toBe(false);
    await s.close(ids);
    await s.fixDone(told);
    expect((await s.event({ session_id: "__proto__" })).triggered).toBe(false);
  }
});
