import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { initial } from "../../src/store/migrations/0001-initial.ts";
import { snoozes } from "../../src/store/migrations/0002-snoozes.ts";
import { openStore } from "../../src/store/open.ts";
import type { DispositionState, ReviewFinding } from "../../src/store/schema.ts";
import { tempDir } from "../support/temp.ts";
import { review, storeFixture, testClock } from "./store-fixture.ts";

const findings = [
  { severity: "high" as const, problem: "a bug", location: "a.ts:1" },
  { severity: "low" as const, problem: "a nit" },
];
const refuted = { findings: [2], state: "refuted", responder: "Ada" } as const;

test("a finding has its number and, once somebody gave it one, its disposition", async () => {
  using f = await storeFixture();
  const id = f.reviewed({}, { findings });
  const read = () => f.store.reviews.byJob(id)?.findings;
  expect(read()).toEqual([
    { number: 1, severity: "high", problem: "a bug", location: "a.ts:1" },
    { number: 2, severity: "low", problem: "a nit" },
  ]);
  f.clock.advance(1000);
  f.store.dispositions.add({ jobId: id, ...refuted, message: "the caller checks it" });
  f.store.dispositions.add({ jobId: id, findings: [1], state: "fixed", responder: "roborev-fix" });
  const at = "2026-06-01T10:00:01.000Z";
  expect(read()?.map(({ disposition }) => disposition)).toEqual([
    { state: "fixed", by: "roborev-fix", at },
    { state: "refuted", by: "Ada", message: "the caller checks it", at },
  ]);
});

test("the newest disposition of a finding counts, also of those given at the same moment, and the earlier ones are kept", async () => {
  using f = await storeFixture();
  const id = f.reviewed({}, { findings });
  f.store.dispositions.add({
    jobId: id,
    findings: [1, 2],
    state: "deferred",
    responder: "Ada",
    message: "later",
  });
  f.store.dispositions.add({ jobId: id, ...refuted, message: "no bug" });
  expect(f.store.reviews.byJob(id)?.findings?.map(({ disposition }) => disposition?.state)).toEqual([
    "deferred",
    "refuted",
  ]);
  using db = new Database(f.path, { readonly: true });
  const history = db.query("SELECT finding, state, message FROM finding_dispositions ORDER BY id");
  expect(history.all()).toEqual([
    { finding: 1, state: "deferred", message: "later" },
    { finding: 2, state: "deferred", message: "later" },
    { finding: 2, state: "refuted", message: "no bug" },
  ]);
});

test("S07 dispositions stay with the review that they were given on: a rerun sets both aside", async () => {
  using f = await storeFixture();
  const id = f.reviewed({}, { findings, output: "first" });
  f.store.dispositions.add({ jobId: id, ...refuted, message: "no bug" });
  f.store.jobs.rerun(id);
  f.store.jobs.claim("w");
  f.store.jobs.complete(id, "w", review({ findings: [...findings].reverse(), output: "second" }));
  expect(f.store.reviews.byJob(id)?.findings).toEqual([
    { number: 1, severity: "low", problem: "a nit" },
    { number: 2, severity: "high", problem: "a bug", location: "a.ts:1" },
  ]);
  f.store.dispositions.add({ jobId: id, findings: [1], state: "fixed", responder: "Ada" });
  f.store.jobs.rerun(id);
  expect(
    f.store.reviews
      .attempts(id)
      .map(({ output, findings }) => [
        output,
        ...(findings ?? []).map(({ disposition }) => disposition?.state),
      ]),
  ).toEqual([
    ["second", "fixed", undefined],
    ["first", undefined, "refuted"],
  ]);
  // A run without a review in between changes nothing.
  f.store.jobs.cancel(id);
  f.store.jobs.rerun(id);
  expect(f.store.reviews.attempts(id)[1]?.findings?.[1]?.disposition?.state).toBe("refuted");
});

test("S12 dispositions go with their repository, and move with one that is merged", async () => {
  using f = await storeFixture();
  const other = f.store.repos.getOrCreate({ rootPath: "/other", name: "o", identity: "o" }).id;
  const stays = f.reviewed({ repoId: other }, { findings });
  const goes = f.reviewed({}, { findings });
  for (const jobId of [stays, goes]) f.store.dispositions.add({ jobId, ...refuted, message: "no" });
  f.store.jobs.rerun(goes);
  const last = f.store.repos.getOrCreate({ rootPath: "/last", name: "l", identity: "l" }).id;
  f.store.repos.merge(other, last);
  f.store.repos.remove(f.repoId);
  expect(f.store.reviews.byJob(stays)?.findings?.[1]?.disposition?.message).toBe("no");
  using db = new Database(f.path, { readonly: true });
  expect(db.query("SELECT job_id FROM finding_dispositions").all()).toEqual([{ job_id: stays }]);
  expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
});

test("a database of before dispositions keeps its attempts, of which nobody knows the findings", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  const db = new Database(path);
  db.run(`${initial} ${snoozes}
    INSERT INTO repos (id, root_path, name, created_at) VALUES (1, '/repo', 'repo', '2026-01-01');
    INSERT INTO review_jobs (id, uuid, repo_id, git_ref, agent, status, enqueued_at)
      VALUES (1, 'u', 1, 'a', 'test', 'done', '2026-01-01');
    INSERT INTO reviews (job_id, uuid, agent, created_at, prompt, output, findings_json)
      VALUES (1, 'u', 'test', '2026-01-01', 'p', 'second', '[{"severity":"high","problem":"a bug"}]');
    INSERT INTO review_attempts (job_id, agent, created_at, output) VALUES (1, 'test', '2026-01-01', 'first');
    PRAGMA user_version = 2`);
  db.close(true);
  const store = await openStore(path, { clock: testClock() });
  store.dispositions.add({ jobId: 1, findings: [1], state: "fixed", responder: "Ada" });
  expect(store.jobs.rerun(1)).toBe(true);
  expect(store.reviews.attempts(1)).toMatchObject([
    { output: "second", findings: [{ number: 1, disposition: { state: "fixed" } }] },
    { output: "first" },
  ]);
  expect(store.reviews.attempts(1)[1]).not.toHaveProperty("findings");
  expect(store.check()).toEqual([]);
  store.close();
});

test("numbers mean the same findings over any sequence of dispositions and reruns", async () => {
  using f = await storeFixture();
  const { store } = f;
  const states = ["fixed", "refuted", "deferred"] as const;
  const given = fc.record({ number: fc.integer({ min: 1, max: 4 }), state: fc.constantFrom(...states) });
  const step = fc.oneof(
    { weight: 4, arbitrary: given },
    { weight: 1, arbitrary: fc.constant("rerun" as const) },
  );
  const four = (round: number) =>
    [1, 2, 3, 4].map((n) => ({ severity: "low" as const, problem: `${round}.${n}` }));
  const shown = (list: ReviewFinding[] | undefined) =>
    list?.map(({ number, problem, disposition }) => [number, problem, disposition?.state]);
  const play = (steps: ("rerun" | { number: number; state: DispositionState })[]) => {
    const id = f.reviewed({}, { findings: four(1) });
    const rounds: Map<number, DispositionState>[] = [new Map()];
    for (const each of steps) {
      if (each === "rerun") {
        store.jobs.rerun(id);
        store.jobs.claim("w");
        rounds.push(new Map());
        store.jobs.complete(id, "w", review({ findings: four(rounds.length) }));
      } else {
        const { number, state } = each;
        store.dispositions.add({ jobId: id, findings: [number], state, responder: "x" });
        rounds.at(-1)?.set(number, state);
      }
    }
    const expected = rounds.map((round, index) =>
      [1, 2, 3, 4].map((n) => [n, `${index + 1}.${n}`, round.get(n)]),
    );
    const attempts = store.reviews.attempts(id).map((attempt) => shown(attempt.findings));
    expect<unknown>([shown(store.reviews.byJob(id)?.findings), ...attempts]).toEqual(expected.reverse());
  };
  // One transaction each: nothing has to reach the disk.
  fc.assert(fc.property(fc.array(step, { maxLength: 25 }), (steps) => store.transaction(() => play(steps))));
});
