import { systemClock } from "../../src/lib/clock.ts";
import { Engine, type EngineOptions } from "../../src/review/engine.ts";
import type { JobOutcome } from "../../src/review/job-outcome.ts";
import type { NewJob } from "../../src/store/job-input.ts";
import { openStore } from "../../src/store/open.ts";
import { tempDir } from "../support/temp.ts";

/** An engine on a real store, with this in the place of a review. */
export async function engineScene(
  run: EngineOptions["run"],
  workers = 2,
  options: Partial<EngineOptions> = {},
) {
  const dir = tempDir();
  const store = await openStore(dir.join("reviews.db"), { clock: systemClock });
  const repo = store.repos.getOrCreate({ rootPath: "/r", name: "r", identity: "local:///r" });
  const errors: string[] = [];
  const engine = new Engine({
    workers,
    daemonId: "test",
    clock: systemClock,
    database: async (work) => work(store),
    run,
    onError: (component, error) => errors.push(`${component}: ${error}`),
    ...options,
  });
  return {
    store,
    engine,
    errors,
    enqueue: (job: Partial<NewJob> = {}) =>
      store.jobs.enqueue({
        repoId: repo.id,
        gitRef: "a".repeat(40),
        jobType: "review",
        agent: "test",
        reasoning: "fast",
        ...job,
      }).job.id,
    status: (id: number) => store.jobs.get(id)?.status,
    async [Symbol.asyncDispose]() {
      await engine.stop();
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

/** A review that goes on until it is told to end. */
export const untilAborted = (signal: AbortSignal) =>
  new Promise<JobOutcome>((resolve) => {
    const end = () => resolve({ kind: "aborted" });
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
