import { describe, expect, test } from "bun:test";
import { RoborevError } from "../../src/lib/errors.ts";
import type { JobOutcome } from "../../src/review/job-outcome.ts";
import type { Job } from "../../src/store/schema.ts";
import { waitFor } from "../support/wait.ts";
import { engineScene, untilAborted } from "./engine-scene.ts";

describe("engine", () => {
  test("S01 runs jobs oldest first, as many at once as it has workers", async () => {
    const order: number[] = [];
    let most = 0;
    let active = 0;
    await using s = await engineScene(async (job) => {
      order.push(job.id);
      most = Math.max(most, ++active);
      await Promise.resolve();
      active--;
      return { kind: "skipped", reason: "empty diff" };
    });
    const ids = Array.from({ length: 7 }, () => s.enqueue());
    s.engine.start();
    await waitFor("all jobs", () => ids.every((id) => s.status(id) === "skipped"));
    expect(order).toEqual(ids);
    expect(most).toBeLessThanOrEqual(2);
  });

  test("one repository leaves a worker to another that waits, and takes them all when none does", async () => {
    await using s = await engineScene((_, { signal }) => untilAborted(signal), 3);
    const { id: repoId } = s.store.repos.getOrCreate({ rootPath: "/s", name: "s", identity: "s" });
    const busy = [s.enqueue(), s.enqueue(), s.enqueue(), s.enqueue()];
    const other = s.enqueue({ repoId });
    s.engine.start();
    await waitFor("the workers", () => s.engine.activeWorkers === 3);
    expect([...busy, other].map(s.status)).toEqual(["running", "running", "queued", "queued", "running"]);
    s.store.jobs.cancel(other);
    s.engine.abort(other);
    await waitFor("the free worker", () => s.status(busy[2] as number) === "running");
  });

  test("is woken by an enqueue while it claims", async () => {
    await using s = await engineScene(async () => ({ kind: "skipped", reason: "empty diff" }));
    s.engine.start();
    const id = s.enqueue();
    s.engine.wake();
    await waitFor("the job", () => s.status(id) === "skipped", 1500);
  });

  test("a failure that may pass is retried later, a final one is recorded", async () => {
    const outcomes: Record<number, JobOutcome> = {};
    await using s = await engineScene(
      async (job) => outcomes[job.id] ?? { kind: "failed", error: "x", retryable: false },
    );
    const [again, never] = [s.enqueue(), s.enqueue()];
    outcomes[again] = { kind: "failed", error: "try again", retryable: true };
    s.engine.start();
    await waitFor("both", () => s.store.jobs.get(again)?.error !== undefined && s.status(never) === "failed");
    const job = s.store.jobs.get(again) as Job;
    expect([job.status, job.retry_count, job.error]).toEqual(["queued", 1, "try again"]);
    expect(Date.parse(job.retry_not_before as string)).toBeGreaterThan(Date.now() + 500);
  });

  test("an error of ours is a failed job with its reason, and the worker goes on", async () => {
    let first = true;
    await using s = await engineScene(async () => {
      if (!first) return { kind: "skipped", reason: "empty diff" };
      first = false;
      throw new Error("out of luck");
    }, 1);
    const [broken, fine] = [s.enqueue(), s.enqueue()];
    s.engine.start();
    await waitFor("the second", () => s.status(fine) === "skipped");
    expect(s.store.jobs.get(broken)?.error).toBe("out of luck");
    expect(s.errors).toEqual(["reviewer: out of luck"]);
  });

  test("D11 a canceled job stays canceled and its reviewer is told to end", async () => {
    await using s = await engineScene((_job, { signal }) => untilAborted(signal));
    const id = s.enqueue();
    s.engine.start();
    await waitFor("the claim", () => s.status(id) === "running");
    expect(s.store.jobs.cancel(id)).toBe(true);
    s.engine.abort(id);
    await waitFor("the worker", () => s.engine.activeWorkers === 0);
    expect(s.status(id)).toBe("canceled");
  });

  test("D06 a stop puts running jobs back without using up a retry and claims no more", async () => {
    await using s = await engineScene((_job, { signal }) => untilAborted(signal), 1);
    const [running, queued] = [s.enqueue(), s.enqueue()];
    s.engine.start();
    await waitFor("the claim", () => s.status(running) === "running");
    await s.engine.stop();
    expect([s.status(running), s.status(queued)]).toEqual(["queued", "queued"]);
    expect(s.store.jobs.get(running)?.retry_count).toBe(0);
  });

  describe("G7 G15 when the database takes no writes", () => {
    const outage = () => {
      const state = { isOut: false, refused: 0 };
      const guard = <T>(work: () => T): T => {
        if (!state.isOut) return work();
        state.refused++;
        throw new RoborevError("the review database is held by another program", { code: "E_BUSY" });
      };
      return { state, guard };
    };

    test("a job's end is recorded as soon as it does again: no job stays running without a worker", async () => {
      const { state, guard } = outage();
      await using s = await engineScene(
        async (job) => {
          state.isOut = job.id === first;
          return { kind: "skipped", reason: "empty diff" };
        },
        1,
        { database: async (work) => guard(() => work(s.store)), errorPauseMs: 5 },
      );
      const first = s.enqueue();
      const second = s.enqueue();
      s.engine.start();
      await waitFor("a few tries", () => state.refused > 3);
      expect([s.status(first), s.engine.activeWorkers]).toEqual(["running", 1]);
      state.isOut = false;
      await waitFor("the record", () => s.status(first) === "skipped");
      await waitFor("the next job", () => s.status(second) === "skipped");
      expect(s.errors[0]).toContain("held by another program");
    });

    test("a stop does not wait for it: the next start finds the job", async () => {
      const { state, guard } = outage();
      await using s = await engineScene(
        async () => {
          state.isOut = true;
          return { kind: "skipped", reason: "empty diff" };
        },
        1,
        { database: async (work) => guard(() => work(s.store)), errorPauseMs: 60_000 },
      );
      const id = s.enqueue();
      s.engine.start();
      await waitFor("the first try", () => state.refused > 0);
      await s.engine.stop();
      expect(s.status(id)).toBe("running");
    });
  });
});
