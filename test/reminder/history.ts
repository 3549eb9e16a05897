import type { Scope } from "../../src/reminder/lineage.ts";
import { type Change, lineage, play, scope } from "./game.ts";

export type Game = ReturnType<typeof play>;

/** The usual place with HEAD at this commit, and whatever else is different. */
export const at = (head: string, change: Partial<Scope> = {}): Scope => ({ ...scope, head, ...change });

/** Before any event of a game. */
export const longAgoMs = Date.parse("2025-01-01T00:00:00Z");

/** A game with commits c1 to c9 on top of each other: c1 is old and published, the others are made after every event. */
export function line(defaults: Change = {}): Game {
  const game = play(defaults);
  game.git.commit("c1", undefined, { published: true, atMs: longAgoMs });
  for (let n = 2; n <= 9; n++) game.git.commit(`c${n}`, `c${n - 1}`);
  return game;
}

/** A command that can commit, from its start to its end. */
export function run(game: Game, verb: string, from: Scope, to: Scope, openFailed: number[] = []) {
  game.send("PreToolUse", openFailed, { commit: verb, scope: from });
  return game.send("PostToolUse", openFailed, { commit: verb, scope: to });
}

/** Commits that wait for a reminder under a key. */
export const pending = (game: Game, key = lineage): string[] | undefined =>
  game.session.commit_shas_since_prompt?.[key];
