import { describe, expect, test } from "bun:test";
import { lineage, worktree } from "./game.ts";
import { at, line, pending, run } from "./history.ts";

describe("rewritten commits", () => {
  test("17 an amend keeps one pending", () => {
    const game = line();
    game.git.commit("c2'", "c1");
    run(game, "commit", at("c1"), at("c2"));
    expect(run(game, "commit", at("c2"), at("c2'"))).toMatchObject({ commits: 1 });
    expect(pending(game)).toEqual(["c2'"]);
  });

  test("18 an amend of the second keeps the first and the amended one", () => {
    const game = line();
    game.git.commit("c3'", "c2");
    run(game, "commit", at("c1"), at("c2"));
    run(game, "commit", at("c2"), at("c3"));
    expect(run(game, "commit", at("c3"), at("c3'"))).toMatchObject({ commits: 2 });
    expect(pending(game)).toEqual(["c2", "c3'"]);
  });

  test("19 a rebase that drops a pending commit removes it", () => {
    const game = line();
    run(game, "commit", at("c1"), at("c3"));
    expect(run(game, "rebase", at("c3"), at("c2"))).toMatchObject({ commits: 1 });
    expect(pending(game)).toEqual(["c2"]);
  });

  test("a rebase onto something new leaves nothing pending and adds nothing", () => {
    const game = line();
    game.git.commit("n1", "c1", { published: true });
    game.git.commit("c2'", "n1");
    run(game, "commit", at("c1"), at("c2"));
    expect(run(game, "rebase", at("c2"), at("c2'"))).toMatchObject({ commits: 0 });
    expect(run(game, "commit", at("c2'"), at("c2'"))).toMatchObject({ commits: 0 });
  });

  for (const verb of ["commit", "cherry-pick", "revert", "am", "merge"]) {
    test(`D19 after a rewrite by ${verb} HEAD counts`, () => {
      const game = line();
      game.git.commit("x", "c1", { published: true });
      expect(run(game, verb, at("c2"), at("x"))).toMatchObject({ commits: 1 });
    });
  }

  test("D19 after a rewrite by a command that is not understood, HEAD counts while no remote has it", () => {
    const game = line();
    game.git.commit("x", "c1", { published: true, atMs: 0 });
    game.git.commit("y", "c1", { atMs: 0 });
    expect(run(game, "unknown", at("c2"), at("x"))).toMatchObject({ commits: 0 });
    expect(run(game, "unknown", at("x"), at("y"))).toMatchObject({ commits: 1 });
  });

  test("D19 a HEAD that only went back was made by no command", () => {
    const game = line();
    game.send("PreToolUse", [], { commit: "commit", scope: at("c2") });
    // The commit failed, its end was lost, and the next command was a reset.
    expect(game.send("PostToolUse", [], { scope: at("c1") })).toMatchObject({ commits: 0 });
    run(game, "commit", at("c1"), at("c3"));
    expect(run(game, "commit", at("c3"), at("c2"))).toMatchObject({ commits: 1 });
    expect(game.session.commit_count).toBe(2);
  });

  test("a rewrite drops the numbers of an older release, which name no commit", () => {
    const game = line();
    game.git.commit("c2'", "c1");
    game.sessions.set("claude:s1", { count: 0, commit_counts_since_prompt: { [lineage]: 4 } });
    expect(run(game, "commit", at("c1"), at("c2"))).toMatchObject({ commits: 5 });
    expect(run(game, "commit", at("c2"), at("c2'"))).toMatchObject({ commits: 1 });
  });
});

describe("a branch attached to a detached line", () => {
  const detached = (head: string) => at(head, { branch: "" });
  const attached = (head: string) => at(head, { branch: "f" });
  const started = "/r\0detached\0/r\0c1";
  const thresholds = { turn: 0, commits: 2, failedReviews: 0 };

  test("20 a commit before and one after are two, in the lineage of the detached line", () => {
    const game = line({ thresholds });
    run(game, "commit", detached("c1"), detached("c2"));
    game.send("PostToolUse", [], { scope: attached("c2") });
    expect(run(game, "commit", attached("c2"), attached("c3"))).toMatchObject({ commits: 2 });
    expect(game.session.worktree_lineage_keys?.[worktree]).toBe(started);
    expect(game.session.commit_shas_since_prompt).toEqual({ [worktree]: ["c2", "c3"], "/r\0f": ["c3"] });
  });

  test("21 an amend after attaching still fires at two commits", () => {
    const game = line({ thresholds });
    game.git.commit("c3'", "c2");
    run(game, "commit", detached("c1"), detached("c2"));
    run(game, "commit", attached("c2"), attached("c3"));
    run(game, "commit", attached("c3"), attached("c3'"));
    expect(game.send("PostToolUse", [9], { scope: attached("c3'") }).trigger).toMatchObject({
      by: "commit",
      commits: 2,
    });
    expect(game.session.commit_shas_since_prompt).toBeUndefined();
  });

  test("22 an amend after attaching does not repeat a review that was named before", () => {
    const game = line({ thresholds });
    game.git.commit("c4'", "c3");
    run(game, "commit", detached("c1"), detached("c3"));
    expect(game.send("PostToolUse", [9], { scope: detached("c3") }).trigger).toMatchObject({ ids: [9] });
    run(game, "commit", attached("c3"), attached("c4"));
    game.send("PreToolUse", [9], { commit: "commit", scope: attached("c4") });
    expect(game.send("PostToolUse", [9], { commit: "commit", scope: attached("c4'") })).toMatchObject({
      actionable: 0,
      commits: 1,
    });
    expect(game.session.worktree_lineage_keys?.[worktree]).toBe(started);
  });

  test("22 an amend where the branch stayed attached is the same work, also with nothing pending", () => {
    const game = line({ thresholds });
    game.git.commit("c3'", "c2");
    run(game, "commit", detached("c1"), detached("c3"));
    game.send("PostToolUse", [9], { scope: detached("c3") });
    const started = game.session.worktree_lineage_keys?.[worktree];
    run(game, "commit", attached("c3"), attached("c3'"));
    expect(game.session.worktree_lineage_keys?.[worktree]).toBe(started);
  });

  test("an amend of a detached line with nothing attached starts a lineage of its own", () => {
    const game = line();
    game.git.commit("c2'", "c1");
    run(game, "commit", detached("c1"), detached("c2"));
    run(game, "commit", detached("c2"), detached("c2'"));
    expect(game.session.worktree_lineage_keys?.[worktree]).toBe("/r\0detached\0/r\0c2'");
    expect(pending(game, worktree)).toEqual(["c2'"]);
  });
});
