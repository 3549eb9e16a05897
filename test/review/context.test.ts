import { expect, test } from "bun:test";
import { gatherContext } from "../../src/review/context.ts";
import type { Job } from "../../src/store/schema.ts";
import { review, storeFixture } from "../store/store-fixture.ts";

const sha = (char: string) => char.repeat(40);
const nothing = { previous: [], commits: [] };
const commit = (char: string) => ({ sha: sha(char) }) as never;

test("reviews of the parents come oldest first, with their comments; a parent without one is named all the same", async () => {
  using fixture = await storeFixture();
  const { store } = fixture;
  const parent = fixture.reviewed({ gitRef: sha("a") }, { output: "High: a" });
  store.comments.add({ jobId: parent, responder: "Ada", response: "Accepted." });
  const job = store.jobs.get(fixture.enqueue({ gitRef: sha("c") })) as Job;
  const { previousReviews } = gatherContext(store, job, { ...nothing, previous: [sha("b"), sha("a")] });
  expect(previousReviews).toMatchObject([
    {
      sha: sha("a"),
      output: "High: a",
      verdict: "F",
      comments: [{ responder: "Ada", response: "Accepted." }],
    },
    { sha: sha("b"), comments: [] },
  ]);
});

test("only a range gets the reviews of its commits, those that exist", async () => {
  using fixture = await storeFixture();
  fixture.reviewed({ gitRef: sha("a") }, { output: "fine", verdict: "P" });
  const commits = [commit("a"), commit("b")];
  const of = (jobType: "range" | "review") => {
    const job = fixture.store.jobs.get(
      fixture.enqueue({ gitRef: `${sha("0")}..${sha("b")}`, jobType }),
    ) as Job;
    return gatherContext(fixture.store, job, { ...nothing, commits }).inRangeReviews;
  };
  expect(of("range")).toMatchObject([{ sha: sha("a"), output: "fine", verdict: "P" }]);
  expect(of("review")).toEqual([]);
});

test("the newest three reviews of the same target are its attempts, of this job and of others, with the answers to them", async () => {
  using fixture = await storeFixture();
  const { store, clock } = fixture;
  const outputs: number[] = [];
  for (const output of ["one", "two"]) {
    clock.advance(1000);
    outputs.push(fixture.reviewed({ gitRef: sha("a") }, { output, agent: output }));
  }
  store.comments.add({ jobId: outputs[1] as number, responder: "Ada", response: "to two" });
  clock.advance(1000);
  const again = fixture.reviewed({ gitRef: sha("a") }, { output: "three" });
  store.comments.add({ jobId: again, responder: "Ada", response: "to three" });
  expect(store.jobs.rerun(again)).toBe(true);
  clock.advance(1000);
  const attempts = () => gatherContext(store, store.jobs.get(again) as Job, nothing).attempts;
  expect(attempts()).toMatchObject([
    { output: "three", comments: [{ response: "to three" }] },
    { output: "two", agent: "two", comments: [{ response: "to two" }] },
    { output: "one", comments: [] },
  ]);
  expect(store.jobs.cancel(again)).toBe(true);
  fixture.reviewed({ gitRef: sha("a") }, { output: "four" });
  expect(attempts().map(({ output }) => output)).toEqual(["four", "three", "two"]);
});

test("a review of the working tree has no attempts: another one by that name saw another tree", async () => {
  using fixture = await storeFixture();
  fixture.reviewed({ gitRef: "dirty", jobType: "dirty" });
  const job = fixture.store.jobs.get(fixture.enqueue({ gitRef: "dirty", jobType: "dirty" })) as Job;
  expect(gatherContext(fixture.store, job, nothing).attempts).toEqual([]);
});

test("what became of a finding goes into every later prompt: of the parent, of a commit in the range, of an earlier attempt", async () => {
  using fixture = await storeFixture();
  const { store, clock } = fixture;
  const parent = fixture.reviewed({ gitRef: sha("a") });
  const refuted = { findings: [1], state: "refuted", responder: "Ada", message: "no bug" } as const;
  store.dispositions.add({ jobId: parent, ...refuted });
  const job = store.jobs.get(
    fixture.enqueue({ gitRef: `${sha("0")}..${sha("a")}`, jobType: "range" }),
  ) as Job;
  const found = {
    number: 1,
    problem: "a bug",
    disposition: { state: "refuted", by: "Ada", message: "no bug" },
  };
  const context = gatherContext(store, job, { previous: [sha("a")], commits: [commit("a")] });
  expect(context.previousReviews).toMatchObject([{ findings: [found] }]);
  expect(context.inRangeReviews).toMatchObject([{ findings: [found] }]);
  store.jobs.cancel(job.id);

  // Set aside by a rerun, and superseded by another job for the same commit.
  store.jobs.rerun(parent);
  store.jobs.cancel(parent);
  clock.advance(1000);
  const second = fixture.reviewed({ gitRef: sha("a") });
  store.dispositions.add({ jobId: second, ...refuted, state: "fixed" });
  const attempts = (id: number) => gatherContext(store, store.jobs.get(id) as Job, nothing).attempts;
  expect(attempts(parent)).toMatchObject([
    { findings: [{ disposition: { state: "fixed" } }] },
    { findings: [found] },
  ]);
  // The next commit sees the newest review of this one, and what was decided about the older.
  store.jobs.rerun(second);
  store.jobs.claim("worker");
  store.jobs.complete(second, "worker", review());
  store.dispositions.add({ jobId: second, ...refuted, state: "deferred" });
  const next = store.jobs.get(fixture.enqueue({ gitRef: sha("b") })) as Job;
  const [seen] = gatherContext(store, next, { ...nothing, previous: [sha("a")] }).previousReviews;
  const states = (list = seen?.findings) => list?.map(({ disposition }) => disposition?.state);
  expect([states(), states(seen?.earlierFindings)]).toEqual([["deferred"], ["fixed"]]);
});
