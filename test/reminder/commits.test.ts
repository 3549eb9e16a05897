import { describe, expect, test } from "bun:test";
import type { Session } from "../../src/reminder/state.ts";
import { lineage, worktree } from "./game.ts";
import { at, line, longAgoMs, pending, run } from "./history.ts";

describe("what a command made", () => {
  test("12 nothing is counted at the first sight of a place", () => {
    const game = line();
    expect(game.send("PostToolUse", [1], { commit: "commit", scope: at("c2") })).toMatchObject({
      commits: 0,
    });
    expect(game.session.commit_count).toBeUndefined();
    expect(game.session.repo_heads?.[lineage]).toBe("c2");
  });

  test("12 nor where the session knows other places only", () => {
    const game = line();
    game.send("PostToolUse", [], { scope: at("c1", { trackedRoot: "/b", worktreeRoot: "/b" }) });
    expect(game.send("PostToolUse", [1], { commit: "commit", scope: at("c2") })).toMatchObject({
      commits: 0,
    });
  });

  test("13 one commit between the start and the end of a command", () => {
    const game = line();
    expect(run(game, "commit", at("c1"), at("c2"))).toMatchObject({ commits: 1, skipped: false });
    expect(game.session).toMatchObject({
      commit_count: 1,
      last_commit_repo: "/r",
      last_commit_head: "c2",
      commit_shas_since_prompt: { [lineage]: ["c2"] },
      repo_heads: { [lineage]: "c2", [worktree]: "c2" },
    });
    expect(game.session.open_commands).toBeUndefined();
  });

  test("14 an earlier command that cannot commit gives the baseline as well", () => {
    const game = line();
    game.send("PostToolUse", [], { scope: at("c1") });
    expect(game.send("PostToolUse", [], { commit: "commit", scope: at("c2") })).toMatchObject({ commits: 1 });
  });

  test("14 without a start of its own, only what no remote has is the command's", () => {
    const game = line();
    game.git.commit("c2", "c1", { published: true });
    game.send("PostToolUse", [], { scope: at("c1") });
    expect(game.send("PostToolUse", [], { commit: "commit", scope: at("c3") })).toMatchObject({ commits: 1 });
    expect(pending(game)).toEqual(["c3"]);
  });

  test("15 a commit that failed leaves HEAD and counts nothing", () => {
    const game = line();
    expect(run(game, "commit", at("c1"), at("c1"))).toMatchObject({ commits: 0 });
    expect(game.session.open_commands).toBeUndefined();
  });

  test("16 three commits of one command count as three, oldest first", () => {
    const game = line();
    expect(run(game, "commit", at("c1"), at("c4"))).toMatchObject({ commits: 3 });
    expect(pending(game)).toEqual(["c2", "c3", "c4"]);
    expect(game.session.commit_count).toBe(3);
  });

  test("what HEAD did without a command that can commit moves the baseline silently", () => {
    const game = line();
    game.send("PostToolUse", [], { scope: at("c1") });
    game.send("PostToolUse", [], { scope: at("c3") });
    expect(run(game, "commit", at("c3"), at("c4"))).toMatchObject({ commits: 1 });
  });

  test("23 a command in another repository counts there and is reported from there", () => {
    const game = line({ thresholds: { turn: 0, commits: 1, failedReviews: 0 } });
    const other = { trackedRoot: "/b", worktreeRoot: "/b" };
    game.send("PostToolUse", [], { scope: at("c1") });
    game.send("PreToolUse", [], { commit: "commit", scope: at("c1", other) });
    const { trigger } = game.send("PostToolUse", [7], { commit: "commit", scope: at("c2", other) });
    expect(trigger).toMatchObject({ by: "commit", commits: 1, scope: { worktreeRoot: "/b" } });
    expect(pending(game)).toBeUndefined();
    expect(game.session.repo_heads?.[lineage]).toBe("c1");
  });

  test("26 a repository that is registered by its first commit counts that commit and fires", () => {
    const game = line({ thresholds: { turn: 0, commits: 1, failedReviews: 0 } });
    game.send("PreToolUse", undefined, { commit: "commit", scope: at("c1"), tracked: false });
    expect(game.send("PostToolUse", [1], { commit: "commit", scope: at("c2") }).trigger).toMatchObject({
      by: "commit",
      commits: 1,
    });
  });

  test("26 also where it is registered only after the command", () => {
    const game = line({ thresholds: { turn: 0, commits: 1, failedReviews: 0 } });
    game.send("PreToolUse", undefined, { commit: "commit", scope: at("c1"), tracked: false });
    game.send("PostToolUse", undefined, { commit: "commit", scope: at("c2"), tracked: false });
    expect(game.send("PostToolUse", [1], { scope: at("c2") }).trigger).toMatchObject({ by: "commit" });
  });
});

describe("D19 whose commits they are", () => {
  const old = { published: true, atMs: longAgoMs };

  test("a command that commits and pushes made its commits, although a remote has them now", () => {
    const game = line();
    game.git.commit("c2", "c1", { published: true });
    expect(run(game, "commit", at("c1"), at("c2"))).toMatchObject({ commits: 1 });
  });

  test("what a command that commits fetched from others is not its own", () => {
    const game = line();
    game.git.commit("c2", "c1", old);
    expect(run(game, "commit", at("c1"), at("c3"))).toMatchObject({ commits: 1 });
  });

  test("an alias that commits and pushes made its commits, and those that it fetched it did not", () => {
    const game = line();
    game.git.commit("c2", "c1", old);
    game.git.commit("c3", "c2", { published: true });
    expect(run(game, "unknown", at("c1"), at("c3"))).toMatchObject({ commits: 1 });
    expect(pending(game)).toEqual(["c3"]);
  });

  for (const verb of ["merge", "pull", "rebase"]) {
    test(`${verb}: of a line that only grew, what no remote has counts`, () => {
      const game = line();
      game.git.commit("c2", "c1", { published: true });
      expect(run(game, verb, at("c1"), at("c3"))).toMatchObject({ commits: 1 });
      expect(pending(game)).toEqual(["c3"]);
    });
  }

  test("a new branch has the commits that were made on it, not those it was begun from", () => {
    const game = line();
    game.git.commit("c2", "c1", { atMs: longAgoMs });
    game.send("PreToolUse", [], { commit: "commit", scope: at("c1") });
    game.send("PostToolUse", [], { commit: "commit", scope: at("c3", { branch: "feature" }) });
    expect(pending(game, "/r\0feature")).toEqual(["c3"]);
    expect(pending(game)).toBeUndefined();
  });

  test("a branch that the command came to and found as it had been has none", () => {
    const game = line();
    game.git.commit("c2", "c1", { atMs: longAgoMs });
    game.send("PreToolUse", [], { commit: "commit", scope: at("c1") });
    const feature = at("c2", { branch: "feature" });
    expect(game.send("PostToolUse", [], { commit: "commit", scope: feature })).toMatchObject({ commits: 0 });
  });

  test("nor has another line that it detached HEAD on", () => {
    const game = line();
    game.git.commit("c2", "c1", { atMs: longAgoMs });
    game.send("PreToolUse", [], { commit: "commit", scope: at("c1") });
    const detached = at("c3", { branch: "" });
    expect(game.send("PostToolUse", [], { commit: "commit", scope: detached })).toMatchObject({ commits: 1 });
    expect(pending(game, worktree)).toEqual(["c3"]);
  });

  test("nor has a branch with older commits that it attached HEAD to", () => {
    const game = line();
    game.git.commit("c2", "c1", { atMs: longAgoMs });
    const detached = at("c1", { branch: "" });
    game.send("PreToolUse", [], { commit: "commit", scope: detached });
    const feature = at("c3", { branch: "feature" });
    expect(game.send("PostToolUse", [], { commit: "commit", scope: feature })).toMatchObject({ commits: 1 });
  });

  test("the copies that a rebase made of a branch first seen now are no new commits", () => {
    const game = line();
    game.send("PreToolUse", [], { commit: "rebase", scope: at("c1") });
    const feature = at("c3", { branch: "feature" });
    expect(game.send("PostToolUse", [], { commit: "rebase", scope: feature })).toMatchObject({ commits: 0 });
    expect(run(game, "commit", feature, at("c4", { branch: "feature" }))).toMatchObject({ commits: 1 });
  });

  test("a branch that others rewrote since the session saw it is not the command's doing", () => {
    const game = line();
    game.git.commit("f1", "c1");
    game.git.commit("f2", "c1", { atMs: longAgoMs });
    game.send("PostToolUse", [], { scope: at("f1", { branch: "feature" }) });
    game.send("PreToolUse", [], { commit: "commit", scope: at("c1") });
    const feature = at("f2", { branch: "feature" });
    expect(game.send("PostToolUse", [], { commit: "commit", scope: feature })).toMatchObject({ commits: 0 });
  });
});

describe("counting over keys", () => {
  const known = (session: Partial<Session>): Session => ({ count: 0, ...session });

  test("24 numbers of an older release add to the commits that are known by name", () => {
    const game = line();
    game.sessions.set("claude:s1", known({ commit_counts_since_prompt: { [lineage]: 2 } }));
    expect(run(game, "commit", at("c1"), at("c2"))).toMatchObject({ commits: 3 });
    expect(game.session.commit_counts_since_prompt).toEqual({ [lineage]: 2 });
  });

  test("25 a commit that two keys know counts once", () => {
    const game = line();
    game.sessions.set(
      "claude:s1",
      known({
        worktree_lineage_keys: { [worktree]: "/r\0detached\0/r\0c1" },
        repo_heads: { [worktree]: "c2" },
        commit_shas_since_prompt: { [worktree]: ["c2", "c3"], [lineage]: ["c3"] },
      }),
    );
    expect(game.send("PostToolUse", [], { scope: at("c3") })).toMatchObject({ commits: 2 });
  });

  test("a commit that is pending already is not counted again, nor in the session's life", () => {
    const game = line();
    run(game, "commit", at("c1"), at("c3"));
    run(game, "rebase", at("c3"), at("c2"));
    run(game, "merge", at("c2"), at("c3"));
    run(game, "rebase", at("c3"), at("c1"));
    expect(run(game, "merge", at("c1"), at("c3"))).toMatchObject({ commits: 2 });
  });

  test("of a thousand commits and more the newest are remembered", () => {
    const game = line();
    for (let n = 0; n < 1100; n++) game.git.commit(`x${n}`, n === 0 ? "c1" : `x${n - 1}`);
    expect(run(game, "commit", at("c1"), at("x1099"))).toMatchObject({ commits: 1000 });
    expect(pending(game)?.at(-1)).toBe("x1099");
  });
});
