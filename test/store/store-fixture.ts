import type { Clock } from "../../src/lib/clock.ts";
import type { CompletedReview, NewJob } from "../../src/store/job-input.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

/** A clock that moves only when told to. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function testClock(start = "2026-06-01T10:00:00.000Z"): TestClock {
  let at = Date.parse(start);
  return {
    now: () => new Date(at),
    monotonicMs: () => performance.now(),
    advance: (ms) => {
      at += ms;
    },
  };
}

export interface StoreFixture extends Disposable {
  dir: TempDir;
  path: string;
  store: Store;
  clock: TestClock;
  /** A registered repository. */
  repoId: number;
  enqueue(job?: Partial<NewJob>): number;
  /** Enqueues, claims and completes; the queue must be empty. */
  reviewed(job?: Partial<NewJob>, review?: Partial<CompletedReview>): number;
}

export const review = (changes: Partial<CompletedReview> = {}): CompletedReview => ({
  agent: "test",
  prompt: "the prompt",
  output: "the output",
  verdict: "F",
  findings: [{ severity: "high", problem: "a bug", location: "a.ts:1" }],
  evidence: {
    checkout: "worktree",
    files_in_diff: 1,
    files_sent: 1,
    diff_bytes: 10,
    delivery: "inline",
    chunks: 1,
    excluded_files: [],
  },
  ...changes,
});

export async function storeFixture(): Promise<StoreFixture> {
  const dir = tempDir();
  const path = dir.join("reviews.db");
  const clock = testClock();
  const store = await openStore(path, { clock });
  const repoId = store.repos.getOrCreate({ rootPath: "/repo", name: "repo", identity: "id" }).id;
  const enqueue: StoreFixture["enqueue"] = (job = {}) =>
    store.jobs.enqueue({
      repoId,
      gitRef: "a".repeat(40),
      jobType: "review",
      agent: "test",
      reasoning: "thorough",
      ...job,
    }).job.id;
  return {
    dir,
    path,
    store,
    clock,
    repoId,
    enqueue,
    reviewed(job, changes) {
      const id = enqueue(job);
      const claimed = store.jobs.claim("worker");
      if (claimed?.id !== id) throw new Error(`claimed ${claimed?.id} instead of ${id}`);
      if (!store.jobs.complete(id, "worker", review(changes))) throw new Error(`job ${id} was lost`);
      return id;
    },
    [Symbol.dispose]() {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}
