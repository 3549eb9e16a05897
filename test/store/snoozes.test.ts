import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { openStore } from "../../src/store/open.ts";
import { storeFixture, testClock } from "./store-fixture.ts";

const hourMs = 3_600_000;

test("60 a snooze holds for one repository, working tree and branch, and ends exactly at its deadline", async () => {
  using f = await storeFixture();
  const { snoozes } = f.store;
  const now = f.clock.now();
  const until = new Date(now.getTime() + hourMs);
  snoozes.set({ repoId: f.repoId, worktreePath: "/repo", branch: "main", until });
  expect(snoozes.until(f.repoId, "/repo", "main", now)).toEqual(until);
  expect(snoozes.until(f.repoId, "/repo", "main", new Date(until.getTime() - 1))).toEqual(until);
  expect(snoozes.until(f.repoId, "/repo", "main", until)).toBeUndefined();
  for (const [repoId, worktree, branch] of [
    [f.repoId + 1, "/repo", "main"],
    [f.repoId, "/repo-2", "main"],
    [f.repoId, "/repo", "Main"],
    [f.repoId, "/repo", ""],
  ] as const)
    expect(snoozes.until(repoId, worktree, branch, now)).toBeUndefined();
});

test("60 a snooze is replaced by the next one and taken back by off, as often as that is said", async () => {
  using f = await storeFixture();
  const { snoozes } = f.store;
  const scope = { repoId: f.repoId, worktreePath: "/repo", branch: "" };
  const now = f.clock.now();
  snoozes.set({ ...scope, until: new Date(now.getTime() + 8 * hourMs) });
  snoozes.set({ ...scope, until: new Date(now.getTime() + hourMs) });
  expect(snoozes.until(f.repoId, "/repo", "", now)).toEqual(new Date(now.getTime() + hourMs));
  for (let times = 0; times < 2; times++) {
    snoozes.clear(scope);
    expect(snoozes.until(f.repoId, "/repo", "", now)).toBeUndefined();
  }
  expect(snoozes.active(now)).toEqual([]);
});

test("60 a snooze survives the daemon", async () => {
  using f = await storeFixture();
  const until = new Date(f.clock.now().getTime() + hourMs);
  f.store.snoozes.set({ repoId: f.repoId, worktreePath: "/w", branch: "b", until });
  f.store.close();
  const again = await openStore(f.path, { clock: testClock() });
  expect(again.snoozes.until(f.repoId, "/w", "b", f.clock.now())).toEqual(until);
  again.close();
});

test("G14 a clock that is set back does not make a snooze longer than it was meant", async () => {
  using f = await storeFixture();
  const now = f.clock.now().getTime();
  const until = new Date(now + hourMs);
  f.store.snoozes.set({ repoId: f.repoId, worktreePath: "/repo", branch: "main", until });
  const yearsAgo = new Date(now - 10 * 365 * 24 * hourMs);
  expect(f.store.snoozes.until(f.repoId, "/repo", "main", yearsAgo)).toBeUndefined();
  expect(f.store.snoozes.active(yearsAgo)).toEqual([]);
});

test("62 what holds is listed by repository, working tree and branch, without what is past or inactive", async () => {
  using f = await storeFixture();
  const { repos, snoozes } = f.store;
  const now = f.clock.now();
  const until = new Date(now.getTime() + 2 * hourMs);
  const other = repos.getOrCreate({ rootPath: "/z", name: "alpha", identity: "z" }).id;
  const gone = repos.getOrCreate({ rootPath: "/gone", name: "gone", identity: "g" }).id;
  f.enqueue({ repoId: gone });
  for (const [repoId, worktreePath, branch] of [
    [f.repoId, "/w", "b"],
    [f.repoId, "/repo", "c"],
    [f.repoId, "/repo", ""],
    [gone, "/gone", "main"],
    [other, "/z", "main"],
  ] as const)
    snoozes.set({ repoId, worktreePath, branch, until });
  snoozes.set({
    repoId: f.repoId,
    worktreePath: "/soon",
    branch: "",
    until: new Date(now.getTime() + hourMs),
  });
  repos.unregister("/gone", { purge: false });
  const snoozed_until = until.toISOString();
  const repo = { repo_name: "repo", repo_path: "/repo", snoozed_until };
  expect(snoozes.active(new Date(now.getTime() + hourMs))).toEqual([
    { ...repo, repo_name: "alpha", repo_path: "/z", worktree_path: "/z", branch: "main" },
    { ...repo, worktree_path: "/repo", branch: "" },
    { ...repo, worktree_path: "/repo", branch: "c" },
    { ...repo, worktree_path: "/w", branch: "b" },
  ]);
  expect(snoozes.active(now)).toHaveLength(5);
  expect(snoozes.active(until)).toEqual([]);
});

test("what is past goes with the next snooze, and only that", async () => {
  using f = await storeFixture();
  const set = (branch: string, ms: number) => {
    const until = new Date(f.clock.now().getTime() + ms);
    f.store.snoozes.set({ repoId: f.repoId, worktreePath: "/repo", branch, until });
  };
  set("past", hourMs);
  set("kept", hourMs + 1);
  f.clock.advance(hourMs);
  set("new", hourMs);
  using db = new Database(f.path, { readonly: true });
  expect(db.query("SELECT branch, updated_at FROM agent_hook_snoozes ORDER BY branch").all()).toEqual([
    { branch: "kept", updated_at: "2026-06-01T10:00:00.000Z" },
    { branch: "new", updated_at: "2026-06-01T11:00:00.000Z" },
  ]);
});

test("a deleted repository takes its snoozes along, also those that were remembered, whoever gets its id", async () => {
  using f = await storeFixture();
  const now = f.clock.now();
  const until = new Date(now.getTime() + hourMs);
  f.store.snoozes.set({ repoId: f.repoId, worktreePath: "/repo", branch: "main", until });
  expect(f.store.snoozes.until(f.repoId, "/repo", "main", now)).toEqual(until);
  f.store.repos.unregister("/repo", { purge: true });
  const { id } = f.store.repos.getOrCreate({ rootPath: "/repo", name: "repo", identity: "id" });
  expect(id).toBe(f.repoId);
  expect(f.store.snoozes.until(id, "/repo", "main", now)).toBeUndefined();
});

test("what is remembered is never what a transaction saw that was rolled back", async () => {
  using f = await storeFixture();
  const { snoozes } = f.store;
  const now = f.clock.now();
  const until = new Date(now.getTime() + hourMs);
  const at = (branch: string) => snoozes.until(f.repoId, "/repo", branch, now);
  snoozes.set({ repoId: f.repoId, worktreePath: "/repo", branch: "kept", until });
  expect([at("kept"), at("new")]).toEqual([until, undefined]);
  expect(() =>
    f.store.transaction(() => {
      snoozes.set({ repoId: f.repoId, worktreePath: "/repo", branch: "new", until });
      snoozes.clear({ repoId: f.repoId, worktreePath: "/repo", branch: "kept" });
      expect([at("kept"), at("new")]).toEqual([undefined, until]);
      f.store.repos.unregister("/repo", { purge: true });
      expect(at("new")).toBeUndefined();
      throw new Error("no");
    }),
  ).toThrow("no");
  expect([at("kept"), at("new")]).toEqual([until, undefined]);
});

test("whatever is set, cleared and asked, memory answers as the table would", async () => {
  using f = await storeFixture();
  const start = f.clock.now().getTime();
  const scope = fc.record({
    repoId: fc.constantFrom(f.repoId, f.repoId + 1),
    worktreePath: fc.constantFrom("/a", "/b"),
    branch: fc.constantFrom("", "x"),
  });
  f.store.repos.getOrCreate({ rootPath: "/second", name: "second", identity: "s" });
  const steps = fc.array(
    fc.oneof(
      scope.map((where) => ({ ...where, kind: "clear" as const })),
      fc.tuple(scope, fc.integer({ min: 1, max: 5 })).map(([where, hours]) => ({
        ...where,
        kind: "set" as const,
        until: new Date(start + hours * hourMs),
      })),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 6 }), (done, hours) => {
      const now = new Date(start + hours * hourMs);
      const expected = new Map<string, Date>();
      for (const repoId of [f.repoId, f.repoId + 1])
        for (const worktreePath of ["/a", "/b"])
          for (const branch of ["", "x"]) f.store.snoozes.clear({ repoId, worktreePath, branch });
      for (const step of done) {
        const key = `${step.repoId} ${step.worktreePath} ${step.branch}`;
        f.store.snoozes.until(step.repoId, step.worktreePath, step.branch, now); // remembers
        if (step.kind === "clear") {
          f.store.snoozes.clear(step);
          expected.delete(key);
        } else {
          f.store.snoozes.set(step);
          expected.set(key, step.until);
        }
        const until = expected.get(key);
        expect(f.store.snoozes.until(step.repoId, step.worktreePath, step.branch, now)).toEqual(
          until !== undefined && until > now ? until : undefined,
        );
      }
      const holding = [...expected.values()].filter((until) => until > now);
      expect(f.store.snoozes.active(now)).toHaveLength(holding.length);
    }),
    { numRuns: 40 },
  );
});
