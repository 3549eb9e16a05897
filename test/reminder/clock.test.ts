import { describe, expect, test } from "bun:test";
import { worktree } from "./game.ts";
import { at, line, pending } from "./history.ts";

const year = (n: number) => ({ now: new Date(Date.UTC(n, 0, 1)) });

describe("G14 a clock that was years ahead and is set back", () => {
  test("leaves no command open for all those years", () => {
    const game = line();
    game.send("PreToolUse", [], { commit: "commit", scope: at("c1"), ...year(2036) });
    game.send("PostToolUse", [], { scope: at("c1"), ...year(2026) });
    expect(game.session.open_commands).toBeUndefined();
    game.send("PostToolUse", [], { scope: at("c2"), ...year(2026) });
    expect(pending(game)).toBeUndefined();
  });

  test("does not keep a turn that comes again blocked", () => {
    const turns = { activeFlag: "silences", lifetimeMs: 1_800_000 } as const;
    const game = line({
      turns,
      turnId: "same prompt",
      thresholds: { turn: 0, commits: 0, failedReviews: 1 },
    });
    expect(game.send("Stop", [1], year(2036)).trigger).toBeDefined();
    game.fixSessions.delete(worktree);
    expect(game.send("Stop", [1, 2], year(2036)).trigger).toBeUndefined();
    expect(game.send("Stop", [1, 2], year(2026)).trigger).toMatchObject({ ids: [2] });
  });

  test("says again when a session was seen last", () => {
    const game = line();
    game.send("PostToolUse", [], year(2036));
    game.send("PostToolUse", [], year(2026));
    expect(game.session.last_seen_at).toStartWith("2026");
  });
});
