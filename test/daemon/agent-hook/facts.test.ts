import { describe, expect, spyOn, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { type FactSources, HookFacts } from "../../../src/daemon/agent-hook/facts.ts";
import { resolveCheckout } from "../../../src/git/checkout.ts";
import { git, testRepo } from "../../support/repo.ts";
import { type Scene, scene } from "./scene.ts";

/** Facts about a scene, and what was reported while they were found. */
function factsOf(s: Scene, more: Partial<FactSources> = {}) {
  const reported: string[] = [];
  const facts = new HookFacts({
    database: s.daemon.parts.services.database,
    resolveCheckout,
    now: () => new Date(),
    onError: (component, error) => reported.push(`${component}: ${(error as Error).message}`),
    ...more,
  });
  return { facts, reported };
}

const broken = new Error("disk I/O error");
const reviews = { reviews: true };

describe("the place of a directory", () => {
  test("has position, registration, identity and open failed reviews", async () => {
    await using s = await scene();
    mkdirSync(`${s.repo.path}/deep/er`, { recursive: true });
    const ids = s.fail(2);
    const { facts, reported } = factsOf(s);
    expect(await facts.placeOf(`${s.repo.path}/deep/er`, reviews)).toEqual({
      scope: {
        worktreeRoot: s.repo.path,
        trackedRoot: s.repo.path,
        head: s.repo.git("rev-parse", "HEAD"),
        branch: "main",
      },
      tracked: true,
      identity: `local://${s.repo.path}`,
      openFailed: ids,
    });
    expect(reported).toEqual([]);
  });

  test("is none outside of git, in a bare repository, inside of .git and before the first commit", async () => {
    await using s = await scene({ register: false });
    using unborn = testRepo({ empty: true });
    git(s.dir.path, "clone", "-q", "--bare", s.repo.path, s.dir.join("bare.git"));
    const { facts, reported } = factsOf(s);
    for (const place of [s.dir.path, s.dir.join("bare.git"), `${s.repo.path}/.git`, unborn.path, "/nowhere"])
      expect(await facts.placeOf(place, reviews)).toBeUndefined();
    expect(reported).toEqual([]);
  });

  test("is none where git fails or takes too long, which is reported: the event is skipped", async () => {
    await using s = await scene();
    const { facts, reported } = factsOf(s, {
      resolveCheckout: () => Promise.reject(new Error("git rev-parse in /r: took too long")),
    });
    expect(await facts.placeOf(s.repo.path, reviews)).toBeUndefined();
    expect(reported).toEqual(["agent_hook: git rev-parse in /r: took too long"]);
  });

  test("of an unregistered repository says so, and asks for neither snooze nor reviews", async () => {
    await using s = await scene({ register: false });
    const { jobs, snoozes } = s.daemon.parts.services.store;
    const asked = [spyOn(jobs, "openFailed"), spyOn(snoozes, "until")];
    const { facts } = factsOf(s);
    expect(await facts.placeOf(s.repo.path, reviews)).toMatchObject({
      tracked: false,
      openFailed: undefined,
    });
    for (const spy of asked) expect(spy).not.toHaveBeenCalled();
  });

  test("whose registration cannot be told is not called unregistered", async () => {
    await using s = await scene();
    const { facts, reported } = factsOf(s, { database: () => Promise.reject(broken) });
    expect(await facts.placeOf(s.repo.path, reviews)).toMatchObject({
      tracked: "unknown",
      openFailed: undefined,
    });
    expect(reported).toEqual(["agent_hook: disk I/O error"]);
  });

  test("43 whose reviews cannot be looked up has unknown ones, not none", async () => {
    await using s = await scene();
    spyOn(s.daemon.parts.services.store.jobs, "openFailed").mockImplementation(() => {
      throw broken;
    });
    const { facts, reported } = factsOf(s);
    expect(await facts.placeOf(s.repo.path, reviews)).toMatchObject({ tracked: true, openFailed: undefined });
    expect(reported).toHaveLength(1);
  });

  test("whose snooze cannot be looked up may be snoozed: it is as good as unknown, so that nothing is told there", async () => {
    await using s = await scene();
    s.fail(1);
    spyOn(s.daemon.parts.services.store.snoozes, "until").mockImplementation(() => {
      throw broken;
    });
    const { facts, reported } = factsOf(s);
    const place = await facts.placeOf(s.repo.path, reviews);
    expect(place).toMatchObject({ tracked: "unknown", openFailed: undefined });
    expect(place?.snoozedUntil).toBeUndefined();
    expect(reported).toHaveLength(1);
  });

  test("reviews are looked up only where they are wanted, meant and not snoozed", async () => {
    await using s = await scene();
    const lookup = spyOn(s.daemon.parts.services.store.jobs, "openFailed");
    const { facts } = factsOf(s);
    await facts.placeOf(s.repo.path, { reviews: false });
    await facts.placeOf(s.repo.path, { reviews: true, identity: "another" });
    const until = new Date(Date.now() + 60_000);
    const { snoozes } = s.daemon.parts.services.store;
    snoozes.set({ repoId: s.repoId, worktreePath: s.repo.path, branch: "main", until });
    expect(await facts.placeOf(s.repo.path, reviews)).toMatchObject({ snoozedUntil: until });
    expect(lookup).not.toHaveBeenCalled();
    const elsewhere = await facts.placeOf(s.repo.path, { ...reviews, branch: "other" });
    expect(elsewhere?.snoozedUntil).toBeUndefined();
    expect(lookup).toHaveBeenCalledTimes(1);
  });

  test("47 however many reviews have no branch, git is asked equally often", async () => {
    await using s = await scene();
    s.repo.git("checkout", "-q", "-b", "feature");
    const { facts } = factsOf(s);
    const processes: number[] = [];
    for (const jobs of [5, 20]) {
      for (let n = 0; n < jobs; n++) {
        s.repo.commit("c");
        s.fail(1, "");
      }
      const spawn = spyOn(Bun, "spawn");
      expect((await facts.placeOf(s.repo.path, reviews))?.openFailed).toHaveLength(jobs === 5 ? 5 : 25);
      processes.push(spawn.mock.calls.length);
      spawn.mockRestore();
    }
    expect(processes[0]).toBeGreaterThan(0);
    // Fewer when the default branch's files are old enough by then to be remembered.
    expect(processes[1]).toBeLessThanOrEqual(processes[0] as number);
  });

  test("60 a snooze is over exactly at its deadline", async () => {
    await using s = await scene();
    const until = new Date(Date.now() + 60_000);
    const { snoozes } = s.daemon.parts.services.store;
    snoozes.set({ repoId: s.repoId, worktreePath: s.repo.path, branch: "main", until });
    const at = async (ms: number) => {
      const { facts } = factsOf(s, { now: () => new Date(until.getTime() + ms) });
      return (await facts.placeOf(s.repo.path, reviews))?.openFailed;
    };
    expect(await at(-1)).toBeUndefined();
    expect(await at(0)).toEqual([]);
  });
});

describe("the answer to a question", () => {
  const none = "f".repeat(40);

  test("about a working tree is of that one, not of one around it", async () => {
    await using s = await scene();
    mkdirSync(`${s.repo.path}/deep`);
    const { facts } = factsOf(s);
    expect(await facts.answer({ ask: "place", worktree: s.repo.path })).toMatchObject({ tracked: true });
    expect(await facts.answer({ ask: "place", worktree: `${s.repo.path}/deep` })).toBeUndefined();
    expect(await facts.answer({ ask: "place", worktree: s.dir.join("gone") })).toBeUndefined();
  });

  test("about commits and reviews is what git and the database say", async () => {
    await using s = await scene();
    const worktree = s.repo.path;
    const from = s.repo.git("rev-parse", "HEAD");
    const to = s.repo.commit("next");
    const [open, closed] = s.fail(2) as [number, number];
    await s.close([closed]);
    const { facts, reported } = factsOf(s);
    expect(await facts.answer({ ask: "ancestor", worktree, ancestor: from, descendant: to })).toBe(true);
    expect(await facts.answer({ ask: "ancestor", worktree, ancestor: to, descendant: from })).toBe(false);
    expect(await facts.answer({ ask: "commits", worktree, from, to, rule: "unpublished" })).toEqual([to]);
    expect(await facts.answer({ ask: "reachable", worktree, shas: [to, from, none], tip: from })).toEqual([
      from,
    ]);
    expect(await facts.answer({ ask: "settled", ids: [open, closed, 999] })).toEqual([closed, 999]);
    expect(reported).toEqual([]);
  });

  test("is what changes least where git or the database fails, which is reported", async () => {
    await using s = await scene();
    const worktree = s.dir.path; // no repository
    const { facts, reported } = factsOf(s, { database: () => Promise.reject(broken) });
    const [from, to] = ["a".repeat(40), "b".repeat(40)];
    expect(await facts.answer({ ask: "ancestor", worktree, ancestor: from, descendant: to })).toBe(false);
    expect(await facts.answer({ ask: "commits", worktree, from, to, rule: "unpublished" })).toEqual([]);
    expect(await facts.answer({ ask: "reachable", worktree, shas: [from], tip: to })).toEqual([from]);
    expect(await facts.answer({ ask: "settled", ids: [1] })).toEqual([]);
    expect(reported).toHaveLength(3);
  });
});
