import { expect, test } from "bun:test";
import type { JobOutcome } from "../../src/review/job-outcome.ts";
import { waitFor } from "../support/wait.ts";
import { engineScene, untilAborted } from "./engine-scene.ts";

test("D11 a job that is canceled on its way from the database to its worker never gets to work", async () => {
  const reached: string[] = [];
  let onClaimed = (_: number | undefined) => {};
  await using s = await engineScene(
    async (_, { signal }) => {
      reached.push(signal.aborted ? `aborted: ${signal.reason}` : "at work");
      return { kind: "aborted" };
    },
    1,
    {
      // The claim is in the database, its answer not yet with the engine.
      async database(work) {
        const answer = work(s.store);
        onClaimed((answer as { id?: number } | undefined)?.id);
        await Promise.resolve();
        return answer;
      },
    },
  );
  const id = s.enqueue();
  onClaimed = (claimed) => {
    if (claimed !== id) return;
    onClaimed = () => {};
    expect(s.store.jobs.cancel(id)).toBe(true);
    s.engine.abort(id);
  };
  s.engine.start();
  await waitFor("the worker", () => reached.length > 0 && s.engine.activeWorkers === 0);
  expect(reached).toEqual(["aborted: canceled"]);
  expect(s.status(id)).toBe("canceled");
});

test("D11 a cancel of a job that waits does not hit a later run of it", async () => {
  const aborted: boolean[] = [];
  await using s = await engineScene(async (_, { signal }) => {
    aborted.push(signal.aborted);
    return { kind: "skipped", reason: "empty diff" };
  }, 1);
  const id = s.enqueue();
  s.store.jobs.cancel(id);
  s.engine.abort(id);
  s.store.jobs.rerun(id);
  s.engine.start();
  await waitFor("the job", () => s.status(id) === "skipped");
  expect(aborted).toEqual([false]);
});

test("S03 a canceled job that is run again begins when its last worker is done, whose late result counts for nothing", async () => {
  const log: string[] = [];
  const first = Promise.withResolvers<JobOutcome>();
  await using s = await engineScene(async () => {
    log.push("begins");
    const outcome =
      log.length === 1 ? await first.promise : ({ kind: "skipped", reason: "second" } as JobOutcome);
    log.push("ends");
    return outcome;
  }, 4);
  const id = s.enqueue();
  s.engine.start();
  await waitFor("the first run", () => log.length === 1);
  s.store.jobs.cancel(id);
  s.engine.abort(id);
  s.store.jobs.rerun(id);
  const other = s.enqueue();
  s.engine.wake();
  await waitFor("another job, which passes it", () => s.status(other) === "skipped");
  expect([s.status(id), s.engine.activeWorkers]).toEqual(["queued", 1]);
  first.resolve({ kind: "failed", error: "too late", retryable: false });
  await waitFor("the second run", () => s.status(id) === "skipped");
  expect(s.store.jobs.get(id)).toMatchObject({ skip_reason: "second", retry_count: 0 });
  expect(log).toEqual(["begins", "begins", "ends", "ends", "begins", "ends"]);
});

test("S02 a worker lets go of a canceled job when it is done with it", async () => {
  await using s = await engineScene((_, { signal }) => untilAborted(signal));
  const id = s.enqueue();
  s.engine.start();
  await waitFor("the claim", () => s.status(id) === "running");
  s.store.jobs.cancel(id);
  expect(s.store.jobs.interruptedRepos()).toEqual(["/r"]);
  s.engine.abort(id);
  await waitFor("the worker", () => s.engine.activeWorkers === 0);
  expect(s.store.jobs.interruptedRepos()).toEqual([]);
});
