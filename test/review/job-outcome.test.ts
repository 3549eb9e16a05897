import { expect, test } from "bun:test";
import { type JobOutcome, recordOutcome } from "../../src/review/job-outcome.ts";
import { storeFixture } from "../store/store-fixture.ts";

async function scene() {
  const f = await storeFixture();
  const id = f.enqueue({ agent: "codex" });
  return {
    f,
    id,
    job: () => f.store.jobs.get(id),
    /** Claims the job as soon as it may be, and ends it so. */
    end(outcome: JobOutcome) {
      f.clock.advance(60_000);
      const job = f.store.jobs.claim("w");
      if (job?.id !== id) throw new Error("the job cannot be claimed");
      recordOutcome(f.store, { job, workerId: "w", outcome, now: f.clock.now() });
    },
    [Symbol.dispose]: () => f[Symbol.dispose](),
  };
}

const failure = { kind: "failed", error: "exit 1", retryable: true } as const;
const backup = { agent: "gemini", model: "pro" };

test("S04 three retries after 2, 10 and 30 seconds, then the backup with as many, then failed", async () => {
  using s = await scene();
  const waits: number[] = [];
  const tryAll = (outcome: JobOutcome) => {
    for (let n = 0; n < 3; n++) {
      s.end(outcome);
      expect(s.job()).toMatchObject({ status: "queued", retry_count: n + 1 });
      waits.push(Date.parse(s.job()?.retry_not_before as string) - s.f.clock.now().getTime());
    }
    s.end(outcome);
  };
  tryAll({ ...failure, backup });
  expect(s.job()).toMatchObject({ status: "queued", agent: "gemini", model: "pro", retry_count: 0 });
  tryAll(failure);
  expect(s.job()).toMatchObject({ status: "failed", agent: "gemini", error: "exit 1", retry_count: 3 });
  expect(waits).toEqual([2000, 10_000, 30_000, 2000, 10_000, 30_000]);
});

test("S04 two reviewers that are each other's backup do not play ping-pong", async () => {
  using s = await scene();
  s.end({ ...failure, retryable: false, backup });
  expect(s.job()?.agent).toBe("gemini");
  s.end({ ...failure, retryable: false, backup: { agent: "codex" } });
  expect(s.job()).toMatchObject({ status: "failed", agent: "gemini", attempted_agents: ["codex"] });
});

test("a failure that no other try can mend fails at once without a backup", async () => {
  using s = await scene();
  s.end({ ...failure, retryable: false });
  expect(s.job()).toMatchObject({ status: "failed", retry_count: 0 });
});

test("S03 nothing of it reaches a job that is not this worker's any more", async () => {
  using s = await scene();
  const job = s.f.store.jobs.claim("old");
  if (!job) throw new Error("no job");
  s.f.store.jobs.release(s.id, "old");
  s.f.store.jobs.claim("new");
  const before = s.job();
  const outcomes: JobOutcome[] = [
    { kind: "completed" },
    { kind: "aborted" },
    { kind: "skipped", reason: "x" },
    failure,
    { ...failure, retryable: false, backup },
  ];
  for (const outcome of outcomes) {
    recordOutcome(s.f.store, { job, workerId: "old", outcome, now: s.f.clock.now() });
    expect(s.job()).toEqual(before);
  }
});
