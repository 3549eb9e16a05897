import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { DispositionResponse, ReviewResponse } from "../../src/daemon/api/responses.ts";
import { testDaemon } from "../support/daemon.ts";
import { eventsOf } from "../support/events.ts";
import { storeReview } from "../support/reviews.ts";
import { tempDir } from "../support/temp.ts";

const findings = [
  { severity: "high" as const, problem: "off by one", location: "a.ts:1" },
  { severity: "medium" as const, problem: "no time-out" },
  { severity: "low" as const, problem: "magic number" },
];

/** A daemon with a failed review of three findings. */
async function scene() {
  const dir = tempDir();
  const daemon = await testDaemon(dir.join("data"));
  const { store, events } = daemon.parts.services;
  const { id: repoId } = store.repos.getOrCreate({ rootPath: "/r", name: "r", identity: "local:///r" });
  const id = storeReview(store, { repoId, gitRef: "a".repeat(40), findings });
  return {
    ...{ dir, daemon, store, repoId, id, events: eventsOf(events) },
    say: (body: object) =>
      daemon.post("/api/comment", { job_id: id, commenter: "ada", ...body }) as Promise<{
        status: number;
        body: DispositionResponse & { error?: string };
      }>,
    async states() {
      const { body } = await daemon.get(`/api/review?job_id=${id}`);
      return (body as ReviewResponse).findings?.map(({ disposition }) => disposition?.state);
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("a finding is disposed of by its number, and the review says so from then on", async () => {
  await using s = await scene();
  const { status, body } = await s.say({
    finding: 2,
    disposition: "refuted",
    comment: " the caller has one\n",
  });
  expect(status).toBe(201);
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const disposed = {
    ...{ number: 2, severity: "medium" as const, problem: "no time-out" },
    disposition: { state: "refuted" as const, by: "ada", message: "the caller has one", at },
  };
  expect(body).toEqual({ job_id: s.id, findings: [disposed] });
  const review = (await s.daemon.get(`/api/review?job_id=${s.id}`)).body as ReviewResponse;
  expect(review.findings).toEqual([{ number: 1, ...findings[0]! }, disposed, { number: 3, ...findings[2]! }]);
  expect(review).toMatchObject({ comments: [], closed: false }); // it is no comment on the whole, and closes nothing
});

test("several findings are disposed of together or not at all, and the last word on each counts", async () => {
  await using s = await scene();
  expect((await s.say({ finding: [3, 1, 3], disposition: "fixed" })).body.findings).toMatchObject([
    { number: 1, disposition: { state: "fixed" } },
    { number: 3, disposition: { state: "fixed" } },
  ]);
  expect(await s.say({ finding: [2, 4, 9], disposition: "fixed" })).toMatchObject({
    status: 404,
    body: {
      error: `the review of job ${s.id} has no finding 4, 9: there are 3`,
      hint: `roborev show --job ${s.id} lists them.`,
    },
  });
  expect(await s.states()).toEqual(["fixed", undefined, "fixed"]);
  await s.say({ finding: 3, disposition: "deferred", comment: "in issue 12" });
  expect(await s.states()).toEqual(["fixed", undefined, "deferred"]);
});

test("half a disposition, one without its reason and one of nothing are refused in words, and change nothing", async () => {
  await using s = await scene();
  const { store, repoId } = s;
  const passed = storeReview(store, { repoId, gitRef: "b", verdict: "P" });
  const vague = storeReview(store, { repoId, gitRef: "c", findings: [] });
  const single = storeReview(store, { repoId, gitRef: "d" });
  const older = storeReview(store, { repoId, gitRef: "e" });
  using db = new Database(s.dir.join("data/reviews.db"));
  db.query("UPDATE reviews SET findings_json = NULL WHERE job_id = ?").run(older);
  const job = { repoId, gitRef: "f", jobType: "review", agent: "test", reasoning: "fast" } as const;
  const waiting = store.jobs.enqueue(job).job.id;
  const fixed = { disposition: "fixed", finding: 1 };
  for (const [body, status, error] of [
    [{ finding: 1, comment: "x" }, 400, "finding and disposition go together"],
    [{ disposition: "fixed", comment: "x" }, 400, "finding and disposition go together"],
    [{ finding: 1, disposition: "refuted" }, 400, "a finding is refuted for a reason: comment is required"],
    [{ finding: 1, disposition: "deferred", comment: " \n" }, 400, "a finding is deferred for a reason"],
    [{}, 400, "comment is required"],
    [{ finding: 0, disposition: "fixed" }, 400, "finding: "],
    [{ finding: [], disposition: "fixed" }, 400, "finding: "],
    [{ finding: 1, disposition: "done" }, 400, "disposition: "],
    [{ ...fixed, job_id: 99 }, 404, "there is no job 99"],
    [{ ...fixed, job_id: waiting }, 404, `job ${waiting} is queued and has no review`],
    [{ ...fixed, job_id: passed }, 404, `the review of job ${passed} passed and has no findings`],
    [{ ...fixed, job_id: vague }, 404, `the review of job ${vague} names no single findings`],
    [{ ...fixed, job_id: older }, 404, `the review of job ${older} comes from an older release`],
    [{ ...fixed, job_id: single, finding: 2 }, 404, `job ${single} has no finding 2: there is only 1`],
  ] as const) {
    const answer = await s.say(body);
    expect([body, answer.status, answer.body.error]).toEqual([body, status, expect.stringContaining(error)]);
  }
  expect(db.query("SELECT count(*) AS count FROM finding_dispositions").get()).toEqual({ count: 0 });
  expect(s.events.all).toEqual([]);
});

test("a passing review may have findings below the floor, and they can be disposed of as well", async () => {
  await using s = await scene();
  const low = storeReview(s.store, {
    ...{ repoId: s.repoId, gitRef: "b" },
    verdict: "P",
    findings: [findings[2]!],
  });
  expect((await s.say({ job_id: low, finding: 1, disposition: "fixed" })).status).toBe(201);
});

test("each disposition is told as a comment with its finding", async () => {
  await using s = await scene();
  await s.say({ finding: [1, 2], disposition: "deferred", comment: "later" });
  await s.say({ finding: 3, disposition: "fixed" });
  await s.say({ comment: "all in all fine" });
  const told = s.events.all.map((event) => {
    const { type, finding, disposition, comment, commenter } = event as never as Record<string, unknown>;
    return [type, finding, disposition, comment, commenter];
  });
  expect(told).toEqual([
    ["review.commented", 1, "deferred", "later", "ada"],
    ["review.commented", 2, "deferred", "later", "ada"],
    ["review.commented", 3, "fixed", undefined, "ada"],
    ["review.commented", undefined, undefined, "all in all fine", "ada"],
  ]);
});
