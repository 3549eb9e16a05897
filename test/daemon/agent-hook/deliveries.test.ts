import { describe, expect, test } from "bun:test";
import { deliveryPage } from "../../../src/daemon/agent-hook/delivery-page.ts";
import type { DeliveriesResponse } from "../../../src/daemon/api/responses.ts";
import { delivery } from "../../support/hook-rows.ts";
import { waitFor } from "../../support/wait.ts";
import { codingAgent, hermesPrompt } from "./coding-agent.ts";
import { hermes } from "./hermes-scene.ts";
import { type Scene, scene } from "./scene.ts";

type Row = DeliveriesResponse["deliveries"][number];

async function deliveries(s: Scene, query = ""): Promise<Row[]> {
  const { status, body } = await s.daemon.get(`/api/agent-hook/deliveries${query}`);
  expect(status).toBe(200);
  return (body as DeliveriesResponse).deliveries;
}

const only = async (s: Scene): Promise<Row> => {
  const rows = await deliveries(s);
  expect(rows).toHaveLength(1);
  return rows[0] as Row;
};

/** A session that was just told of four reviews at the end of its turn. */
async function told() {
  const s = await scene();
  const ids = s.fail(4);
  const agent = codingAgent(s);
  const answer = await agent.stop({ prompt_id: "p1" });
  expect(answer.triggered).toBe(true);
  await waitFor("the answer to be on record", async () => (await only(s)).answered_at);
  return { ...s, ids, agent, answer };
}

describe("D28 what became of a reminder", () => {
  test("decided and answered say that it was sent, not that it arrived", async () => {
    await using s = await told();
    expect(await only(s)).toEqual({
      id: s.answer.delivery_id!,
      agent: "claude",
      session_id: "s1",
      event: "Stop",
      channel: "block",
      triggered_by: "failed_reviews",
      worktree: s.repo.path,
      branch: "main",
      review_ids: [...s.ids].reverse(),
      fix_session_id: s.answer.fix_session_id!,
      turn_id: "p1",
      decided_at: expect.any(String),
      answered_at: expect.any(String),
      stage: "answered",
      confirmed: false,
    });
  });

  test("an answer that nobody waited for any more was not given", async () => {
    await using s = await scene();
    s.fail(4);
    const body = JSON.stringify(codingAgent(s).asks.stop());
    const answer = await s.daemon.parts.services
      .hooks()
      .event(JSON.parse(body), new AbortController().signal);
    expect(answer.triggered).toBe(true);
    expect(await only(s)).toMatchObject({ stage: "decided", confirmed: false });
  });

  test("a Stop that says that it follows a block, in the same turn, confirms it", async () => {
    await using s = await told();
    await s.agent.stop({ prompt_id: "p1", stop_hook_active: true });
    expect(await only(s)).toMatchObject({
      stage: "continued",
      confirmed: true,
      continued_at: expect.any(String),
    });
  });

  test("one of another turn does not", async () => {
    await using s = await told();
    await s.agent.stop({ prompt_id: "p2", stop_hook_active: true });
    expect(await only(s)).toMatchObject({ stage: "answered" });
  });

  test("nor does a new turn, nor a command", async () => {
    await using s = await told();
    await s.agent.run("true");
    await s.agent.stop({ prompt_id: "p2" });
    expect((await deliveries(s)).find(({ id }) => id === s.answer.delivery_id)).toMatchObject({
      stage: "answered",
    });
  });

  test.each([
    ["show", (s, id, from) => s.daemon.get(`/api/review?job_id=${id}&worktree=${from}`)],
    [
      "comment",
      (s, id, from) =>
        s.daemon.post("/api/comment", {
          job_id: id,
          commenter: "agent-hook",
          comment: "done",
          worktree_path: from,
        }),
    ],
    [
      "comment",
      (s, id, from) =>
        s.daemon.post("/api/comment", {
          ...{ job_id: id, commenter: "agent-hook", worktree_path: from },
          ...{ finding: 1, disposition: "fixed" },
        }),
    ],
    [
      "close",
      (s, id, from) => s.daemon.post("/api/review/close", { job_id: id, closed: true, worktree_path: from }),
    ],
  ] as [string, (s: Scene, id: number, from: string) => Promise<{ status: number }>][])(
    "%s of a review that it named, from its working tree, confirms it; from another one, or of another review, not",
    async (by, act) => {
      await using s = await told();
      const [other] = s.fail(1);
      for (const [id, from] of [
        [s.ids[0], s.dir.path],
        [s.ids[0], `${s.repo.path}/.git`],
        [other, s.repo.path],
      ] as [number, string][]) {
        expect((await act(s, id, from)).status).toBeLessThan(300);
        expect(await only(s)).toMatchObject({ stage: "answered", confirmed: false });
      }
      expect((await act(s, s.ids[1] as number, s.repo.path)).status).toBeLessThan(300);
      const confirmed = await only(s);
      expect(confirmed).toMatchObject({ stage: "acted", acted_by: by as never, confirmed: true });
      // The first act counts.
      await s.fixDone(s.answer);
      expect(await only(s)).toEqual(confirmed);
    },
  );

  test("fix-done confirms it, wherever it is called; one of another fix session does not", async () => {
    await using s = await told();
    await s.fixDone({ ...s.answer, fix_session_id: crypto.randomUUID() }, false);
    expect(await only(s)).toMatchObject({ stage: "answered" });
    await s.fixDone(s.answer);
    expect(await only(s)).toMatchObject({ stage: "acted", acted_by: "fix-done", confirmed: true });
  });

  test("a review that is opened again, or read without saying where, tells nothing", async () => {
    await using s = await told();
    await s.close([s.ids[0] as number]);
    await s.daemon.post("/api/review/close", { job_id: s.ids[0], closed: false, worktree_path: s.repo.path });
    await s.daemon.get(`/api/review?job_id=${s.ids[0]}`);
    expect(await only(s)).toMatchObject({ stage: "answered" });
  });

  test("a failed look at a review tells nothing", async () => {
    await using s = await told();
    expect((await s.daemon.get(`/api/review?job_id=99999&worktree=${s.repo.path}`)).status).toBe(404);
    expect(await only(s)).toMatchObject({ stage: "answered" });
  });

  test("one that was queued says since when it waited, and where it is about", async () => {
    await using s = await hermes();
    s.fail(1);
    await s.agent.run("true");
    const [pending] = await s.queue();
    expect(await deliveries(s)).toEqual([]);
    await s.agent.send({ ...hermesPrompt, cwd: "/" });
    expect(await only(s)).toMatchObject({
      event: "UserPromptSubmit",
      channel: "context",
      queued_at: pending?.created_at as string,
      worktree: s.repo.path,
    });
  });
});

describe("the list of deliveries", () => {
  test("has the newest first, of one session if asked, and says whether there are more", async () => {
    await using s = await scene();
    for (const session of ["a", "b", "a"]) {
      s.fail(4);
      const agent = codingAgent(s, { session });
      const answer = await agent.stop();
      expect(answer.triggered).toBe(true);
      await s.fixDone(answer);
    }
    const sessionsOf = (rows: Row[]) => rows.map((row) => row.session_id);
    expect(sessionsOf(await deliveries(s))).toEqual(["a", "b", "a"]);
    expect(sessionsOf(await deliveries(s, "?session_id=a"))).toEqual(["a", "a"]);
    expect(sessionsOf(await deliveries(s, "?session_id=claude:b"))).toEqual(["b"]);
    expect(sessionsOf(await deliveries(s, "?session_id=codex:b"))).toEqual([]);
    expect((await s.daemon.get("/api/agent-hook/deliveries?limit=2")).body).toMatchObject({ has_more: true });
    expect((await s.daemon.get("/api/agent-hook/deliveries?limit=3")).body).toMatchObject({
      has_more: false,
    });
  });

  test("of 0 is all of them, else 50 unless told", async () => {
    await using s = await scene();
    const rows = new Map(Array.from({ length: 60 }, (_, n) => [`d${n}`, delivery]));
    expect(deliveryPage(rows, { limit: 0 })).toMatchObject({ has_more: false });
    expect(deliveryPage(rows, { limit: 0 }).deliveries).toHaveLength(60);
    const page = deliveryPage(rows, { limit: 50 });
    expect(page.has_more).toBe(true);
    expect(page.deliveries.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => `d${59 - n}`));
    for (const query of ["?limit=-1", "?limit=x", "?session_id="])
      expect((await s.daemon.get(`/api/agent-hook/deliveries${query}`)).status).toBe(400);
  });
});
