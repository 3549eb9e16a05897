import { describe, expect, test } from "bun:test";
import type { Place } from "../../src/reminder/facts.ts";
import { lineage, scope, worktree } from "./game.ts";
import { at, line } from "./history.ts";

// D18: the event that tells a command's end may be lost, come early or come out of order.

const minute = (n: number) => ({ now: new Date(Date.UTC(2026, 0, 1, 0, n)) });
const thresholds = { turn: 0, commits: 1, failedReviews: 0 };

const call = (toolUseId: string, background = false) => ({
  commit: { verb: "commit", background, toolUseId },
});

describe("a command whose end was not told", () => {
  test("is remembered with where it started", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], { ...call("t1"), ...minute(0) });
    expect(game.session.open_commands).toEqual([
      {
        worktree: "/r",
        tracked_root: "/r",
        branch: "main",
        head: "c1",
        verb: "commit",
        at: "2026-01-01T00:00:00.000Z",
        tool_use_id: "t1",
      },
    ]);
  });

  test("is settled by the next Stop, which also fires for it", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    expect(game.send("Stop", [5], { scope: at("c3") }).trigger).toMatchObject({ by: "commit", commits: 2 });
    expect(game.session.open_commands).toBeUndefined();
  });

  test("is settled by the start and by the end of the next command, which does not count it again", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    game.send("PreToolUse", [], { ...call("t2"), scope: at("c2") });
    expect(game.session.open_commands).toMatchObject([{ tool_use_id: "t2", head: "c2" }]);
    expect(game.send("PostToolUse", [], { ...call("t2"), scope: at("c3") })).toMatchObject({ commits: 2 });
    expect(game.session.commit_count).toBe(2);
  });

  test("is settled by a Stop in a turn that was blocked, which says nothing", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    const { trigger, skipped } = game.send("Stop", [5], { scope: at("c2"), stopHookActive: true });
    expect({ trigger, skipped }).toEqual({ trigger: undefined, skipped: true });
    expect(game.session.commit_shas_since_prompt).toEqual({ [lineage]: ["c2"] });
    expect(game.session.count).toBe(0);
    expect(game.send("Stop", [5], { scope: at("c2") }).trigger).toMatchObject({ by: "commit" });
  });

  test("is settled by a Stop of a sub-agent, by a prompt, and by a command that fails", () => {
    for (const event of ["Stop", "UserPromptSubmit", "PostToolUseFailure"] as const) {
      const game = line({ thresholds: { ...thresholds, commits: 0 } });
      game.send("PreToolUse", [], call("t1"));
      game.send(event, [], { scope: at("c2"), fromSubagent: event === "Stop" });
      expect(game.session.commit_shas_since_prompt, event).toEqual({ [lineage]: ["c2"] });
    }
  });

  test("is settled in its own working tree, wherever the event is", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    const there: Place = { scope: at("c3"), tracked: true, openFailed: [] };
    game.git.places.set("/r", there);
    for (const place of [at("c1", { trackedRoot: "/b", worktreeRoot: "/b" }), null]) {
      game.send("Stop", [], { scope: place });
      expect(game.session.commit_shas_since_prompt).toEqual({ [lineage]: ["c2", "c3"] });
      expect(game.session.open_commands).toBeUndefined();
    }
    expect(game.send("PostToolUse", [5], { scope: at("c3") }).trigger).toMatchObject({ commits: 2 });
  });

  test("waits while its working tree cannot be looked at", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    game.send("Stop", [], { scope: null });
    expect(game.session.open_commands).toHaveLength(1);
    expect(game.send("PostToolUse", [], { scope: at("c2") })).toMatchObject({ commits: 1 });
  });

  test("waits while HEAD stands where it stood, as long as nothing tells its end", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    game.send("PostToolUse", []);
    game.send("Stop", []);
    expect(game.send("Stop", [5], { scope: at("c2") }).trigger).toMatchObject({ by: "commit", commits: 1 });
  });

  test("is over after an hour: what HEAD does then is someone else's doing", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], { ...call("t1"), ...minute(0) });
    game.send("PostToolUse", [], minute(59));
    expect(game.session.open_commands).toHaveLength(1);
    expect(game.send("Stop", [5], { scope: at("c4"), ...minute(60) })).toMatchObject({ commits: 0 });
    expect(game.session.open_commands).toBeUndefined();
    expect(game.session.commit_count).toBeUndefined();
  });

  test("but one that is seen to end after an hour made its commits", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], { ...call("t1"), ...minute(0) });
    game.git.commit("c2", "c1", { published: true });
    expect(game.send("PostToolUse", [], { ...call("t1"), scope: at("c2"), ...minute(90) })).toMatchObject({
      commits: 1,
    });
  });

  test("no more than 32 are remembered, the newest", () => {
    const game = line({ thresholds });
    for (let n = 1; n <= 40; n++) game.send("PreToolUse", [], call(`t${n}`));
    expect(game.session.open_commands).toHaveLength(32);
    expect(game.session.open_commands?.at(-1)?.tool_use_id).toBe("t40");
  });
});

describe("the end of a command", () => {
  test("closes it where HEAD did not move", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    game.send("PostToolUse", [], call("t1"));
    expect(game.session.open_commands).toBeUndefined();
    expect(game.send("PostToolUse", [], { scope: at("c2") })).toMatchObject({ commits: 0 });
  });

  test("does not close it there when the command went to the background", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    game.send("PostToolUse", [], call("t1", true));
    expect(game.session.open_commands).toHaveLength(1);
    expect(game.send("Stop", [5], { scope: at("c2") }).trigger).toMatchObject({ by: "commit", commits: 1 });
  });

  test("closes it where HEAD moved, also one in the background", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    game.send("PostToolUse", [], { ...call("t1", true), scope: at("c2") });
    expect(game.session.open_commands).toBeUndefined();
  });

  test("is told from that of another command by its id, in whatever order they end", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    game.send("PreToolUse", [], call("t2"));
    expect(game.send("PostToolUse", [], { ...call("t2"), scope: at("c3") })).toMatchObject({ commits: 2 });
    expect(game.session.open_commands).toMatchObject([{ tool_use_id: "t1", head: "c3" }]);
    expect(game.send("PostToolUse", [], { ...call("t1"), scope: at("c4") })).toMatchObject({ commits: 3 });
    expect(game.session.open_commands).toBeUndefined();
  });

  test("is told by the event of a command that failed as well", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    game.send("PostToolUseFailure", [], call("t1"));
    expect(game.session.open_commands).toBeUndefined();
  });

  test("with another id closes nothing; where one of the two names none, it closes the oldest that fits", () => {
    const game = line({ thresholds });
    const open = () => game.session.open_commands?.map(({ tool_use_id: id }) => id);
    for (const id of ["t1", "t2"]) game.send("PreToolUse", [], call(id));
    game.send("PostToolUse", [], call("t3"));
    expect(open()).toEqual(["t1", "t2"]);
    game.send("PostToolUse", [], { commit: "commit" });
    expect(open()).toEqual(["t2"]);
    game.send("PreToolUse", [], { commit: "commit" });
    game.send("PostToolUse", [], call("t3"));
    expect(open()).toEqual(["t2"]);
    game.send("PostToolUse", [], { commit: "commit", scope: at("c1", { worktreeRoot: "/w" }) });
    game.git.places.set("/r", { scope, tracked: true, openFailed: [] });
    expect(open()).toEqual(["t2"]);
  });

  test("without ids, two that overlap count each commit once", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], { commit: "commit" });
    game.send("PreToolUse", [], { commit: "commit" });
    expect(game.session.open_commands).toHaveLength(2);
    game.send("PostToolUse", [], { commit: "commit", scope: at("c2") });
    expect(game.send("PostToolUse", [], { commit: "commit", scope: at("c3") })).toMatchObject({ commits: 2 });
    expect(game.session.open_commands).toBeUndefined();
  });

  test("closes it although it ended in another working tree than it began in", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], call("t1"));
    const w = at("c2", { worktreeRoot: "/w", branch: "w" });
    game.git.places.set("/r", { scope: at("c1"), tracked: true, openFailed: [] });
    game.send("PostToolUse", [], { ...call("t1"), scope: w });
    expect(game.session.open_commands).toBeUndefined();
    expect(game.session.repo_heads?.["/r\0worktree\0/w"]).toBe("c2");
    expect(game.send("PostToolUse", [], { scope: at("c3") })).toMatchObject({ commits: 0 });
  });

  test("in another working tree counts there from what was known of it", () => {
    const game = line({ thresholds });
    const w = { worktreeRoot: "/w", branch: "w" };
    game.send("PostToolUse", [], { scope: at("c1", w) });
    game.send("PreToolUse", [], call("t1"));
    game.git.places.set("/r", { scope: at("c1"), tracked: true, openFailed: [] });
    expect(game.send("PostToolUse", [], { ...call("t1"), scope: at("c2", w) })).toMatchObject({ commits: 1 });
  });

  test("by a verb of its own decides what HEAD means after a rewrite", () => {
    const game = line({ thresholds });
    game.git.commit("x", "c1", { published: true });
    game.send("PreToolUse", [], { commit: "rebase", scope: at("c3") });
    expect(game.send("Stop", [5], { scope: at("x") })).toMatchObject({ commits: 0 });
    game.send("PreToolUse", [], { commit: "commit", scope: at("c3") });
    expect(game.send("Stop", [5], { scope: at("x") }).trigger).toMatchObject({ commits: 1 });
  });
});

test("an untracked repository's command is remembered too", () => {
  const game = line({ thresholds });
  game.send("PreToolUse", undefined, { ...call("t1"), tracked: false });
  expect(game.session.open_commands).toHaveLength(1);
  expect(game.session.repo_heads).toEqual({ [worktree]: "c1", [lineage]: "c1" });
});
