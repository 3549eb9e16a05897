import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Jobs } from "../../src/store/store.ts";
import { review, type StoreFixture, storeFixture } from "./store-fixture.ts";

// The table of states: what each event makes of a job, and that it makes nothing of any other.

interface Model {
  status: string;
  /** Who has it; kept by a canceled job until that worker lets go. */
  worker?: string;
  hasReview: boolean;
}

type Event =
  | { kind: "complete" | "fail" | "skip" | "retry" | "release" | "failOver" | "letGo"; worker: string }
  | { kind: "cancel" }
  | { kind: "rerun" };

const workers = ["w1", "w2"];
const ofWorker = ["complete", "fail", "skip", "retry", "release", "failOver", "letGo"] as const;
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constantFrom(...ofWorker), worker: fc.constantFrom(...workers) }),
  fc.constantFrom<Event>({ kind: "cancel" }, { kind: "rerun" }),
);
const step = fc.oneof(
  fc.record({ claim: fc.constantFrom(...workers) }),
  fc.constant({ restart: true as const }),
  fc.record({ job: fc.nat(2), event }),
);

/** The job after the event; undefined: it is not one that this can happen to. */
function after(job: Model, event: Event): Model | undefined {
  const { status, worker, hasReview } = job;
  if (event.kind === "cancel")
    return status === "queued" || status === "running" ? { ...job, status: "canceled" } : undefined;
  if (event.kind === "rerun") {
    const isOver = ["done", "failed", "canceled", "skipped"].includes(status);
    return isOver ? { status: "queued", hasReview: false } : undefined;
  }
  if (worker !== event.worker) return undefined;
  if (event.kind === "letGo") return status === "canceled" ? { status, hasReview } : undefined;
  if (status !== "running") return undefined;
  const ends = { complete: "done", fail: "failed", skip: "skipped" } as const;
  const end = event.kind in ends ? ends[event.kind as keyof typeof ends] : undefined;
  if (end === undefined) return { status: "queued", hasReview };
  return { status: end, worker: event.worker, hasReview: end === "done" };
}

function happen({ jobs, now }: { jobs: Jobs; now: Date }, id: number, event: Event): boolean {
  switch (event.kind) {
    case "cancel":
    case "rerun":
      return jobs[event.kind](id);
    case "complete":
      return jobs.complete(id, event.worker, review());
    case "retry":
      return jobs.retry(id, event.worker, "x", now);
    case "failOver":
      return jobs.failOver(id, event.worker, { agent: `agent ${crypto.randomUUID()}` }, "x");
    case "release":
    case "letGo":
      return jobs[event.kind](id, event.worker);
    case "fail":
    case "skip":
      return jobs[event.kind](id, event.worker, "x");
  }
}

function check(f: StoreFixture, model: Map<number, Model>): void {
  for (const [id, { status, worker, hasReview }] of model) {
    const job = f.store.jobs.get(id);
    expect<unknown[]>([id, job?.status, job?.worker_id]).toEqual([id, status, worker]);
    expect(f.store.reviews.byJob(id) !== undefined).toBe(hasReview);
  }
}

test("S01 S02 S03 S06 S07 over any sequence of events a job is where the table says, and has one worker or none", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      using f = await storeFixture();
      const { jobs } = f.store;
      const model = new Map<number, Model>();
      for (const ref of ["a", "b", "c"])
        model.set(f.enqueue({ gitRef: ref }), { status: "queued", hasReview: false });
      for (const each of steps) {
        if ("restart" in each) {
          jobs.requeueRunning();
          for (const [id, job] of model) {
            const { status, hasReview } = job;
            if (status === "running") model.set(id, { status: "queued", hasReview });
            if (status === "canceled") model.set(id, { status, hasReview });
          }
        } else if ("claim" in each) {
          const next = [...model].find(([, { status }]) => status === "queued");
          expect(jobs.claim(each.claim)?.id).toBe(next?.[0]);
          if (next) model.set(next[0], { ...next[1], status: "running", worker: each.claim });
        } else {
          const [id, job] = [...model][each.job] as [number, Model];
          const expected = after(job, each.event);
          expect(happen({ jobs, now: f.clock.now() }, id, each.event)).toBe(expected !== undefined);
          if (expected) model.set(id, expected);
        }
        check(f, model);
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);
