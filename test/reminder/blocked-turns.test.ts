import { describe, expect, test } from "bun:test";
import { harnesses } from "../../src/harness/registry.ts";
import { type Change, play, scope } from "./game.ts";

// D16: at most one block a turn, in the terms of each harness, as measured.

interface Turn {
  /** What the n-th Stop of turn t says. */
  stop(t: number, n: number): Change;
  /** What tells of the turn's end, where that is another event. */
  end?: Change;
}

const noAnswer = { channel: undefined, endsTurn: false } as never as Change;
const flag = (n: number) => ({ stopHookActive: n > 1 });
const turns: Record<string, Turn> = {
  claude: { stop: (t, n) => ({ ...flag(n), turnId: `p${t}` }) },
  "claude (2.0)": { stop: (_, n) => flag(n) },
  codex: { stop: (t, n) => ({ ...flag(n), turnId: `t${t}` }) },
  copilot: { stop: (_, n) => flag(n) },
  // Registered with a follow-up switched on: the Stop of that can carry none.
  cursor: {
    stop: (t, n) => ({ turnId: `g${t}`, ...(n > 1 ? noAnswer : {}) }),
  },
  droid: { stop: (_, n) => flag(n) },
  gemini: { stop: (t, n) => ({ turnId: `hash${t}`, stopHookActive: n === 3 }) },
  "gemini (0.26)": { stop: (t) => ({ turnId: `hash${t}`, stopHookActive: false }) },
  hermes: { stop: () => ({ endsTurn: false }), end: { channel: undefined, endsTurn: true } as never },
  qwen: { stop: (t, n) => ({ ...flag(n), turnId: `p${t}` }) },
  "qwen (before 0.23.4)": { stop: () => ({ stopHookActive: true }) },
  grok: { stop: (t, n) => ({ ...flag(n), turnId: `p${t}` }) },
};

const rulesOf = (name: string) => {
  const harness = harnesses.find((one) => one.name === name.split(" ")[0]);
  if (harness === undefined) throw new Error(`no harness ${name}`);
  return { agent: harness.name, turns: harness.turns };
};

test("every harness is among them", () => {
  const named = Object.keys(turns).map((name) => name.split(" ")[0]);
  expect(harnesses.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
});

for (const [name, { stop, end }] of Object.entries(turns)) {
  const thresholds = { turn: 1, commits: 0, failedReviews: 1 };
  const begin = () => play({ ...rulesOf(name), thresholds });

  /** One turn, until it is let go: what each of its Stops was told. */
  function turn(game: ReturnType<typeof play>, t: number, failedBy: (n: number) => number[]) {
    const told: (string | undefined)[] = [];
    do told.push(game.send("Stop", failedBy(told.length + 1), stop(t, told.length + 1)).trigger?.by);
    while (told.at(-1) !== undefined && told.length < 10);
    if (end) game.send("Stop", failedBy(told.length), end);
    return told;
  }

  test(`${name}: one block in each turn, however much fails meanwhile`, () => {
    const game = begin();
    for (let t = 1; t <= 4; t++) {
      expect(turn(game, t, (n) => [100 * t + n])).toEqual(["failed_reviews", undefined]);
      game.fixSessions.clear();
    }
    expect(game.sessions.get(`${rulesOf(name).agent}:s1`)?.count).toBe(4);
  });

  test(`${name}: nor does a close-out come twice in one`, () => {
    const game = begin();
    game.send("PostToolUse", [1]);
    for (let t = 1; t <= 3; t++) expect(turn(game, t, () => [1])).toEqual(["fix_session", undefined]);
    expect(turn(game, 4, () => [1])).toEqual([undefined]);
  });
}

describe("D16", () => {
  test("an active Stop is silent although another hook blocked the turn", () => {
    const game = play();
    expect(game.send("Stop", [1, 2, 3, 4], { turnId: "t1", stopHookActive: true })).toMatchObject({
      skipped: true,
    });
    expect(game.sessions.size).toBe(0);
  });

  test("Qwen: another hook's block does not silence the turn", () => {
    const game = play(rulesOf("qwen"));
    expect(game.send("Stop", [1, 2, 3, 4], { turnId: "p1", stopHookActive: true }).trigger).toBeDefined();
  });

  test("Gemini: the flag is never what opens a turn", () => {
    const game = play(rulesOf("gemini"));
    const stop = (change: Change) => game.send("Stop", [1, 2, 3, 4], { turnId: "hash", ...change });
    expect(stop({}).trigger).toBeDefined();
    game.fixSessions.clear();
    for (const stopHookActive of [true, false, false, true, false])
      expect(game.send("Stop", [5, 6, 7, 8], { turnId: "hash", stopHookActive })).toMatchObject({
        skipped: true,
      });
  });

  test("a reminder that waited uses up the turn's block as well", () => {
    const game = play({ thresholds: { turn: 0, commits: 0, failedReviews: 1 } });
    game.send("PostToolUse", [1], { channel: undefined } as never);
    game.git.places.set("/r", { scope, tracked: true, openFailed: [1] });
    expect(game.send("Stop", [1], { turnId: "t1" }).trigger?.queued).toBeDefined();
    expect(game.send("Stop", [1, 2], { turnId: "t1" })).toMatchObject({ skipped: true });
  });

  test("what a Stop in a blocked turn finds is told after a tool all the same", () => {
    const game = play();
    game.send("Stop", [1, 2, 3, 4], { turnId: "t1" });
    expect(game.send("PostToolUse", [1, 2, 3, 4, 5, 6, 7, 8], { turnId: "t1" }).trigger?.ids).toEqual([
      8, 7, 6, 5,
    ]);
  });
});

describe("D22 Hermes", () => {
  const hermes = { ...rulesOf("hermes"), thresholds: { turn: 2, commits: 1, failedReviews: 3 } };
  const verify: Change = { endsTurn: false };
  const end = { endsTurn: true, channel: undefined } as never as Change;

  test("only the end of the turn counts it, neither the look before it nor the prompt", () => {
    const game = play(hermes);
    game.send("UserPromptSubmit", []);
    game.send("Stop", [], verify);
    game.send("Stop", [], end);
    expect(game.sessions.get("hermes:s1")?.count).toBe(1);
  });

  test("a prompt tells failed reviews, then commits, then turns", () => {
    const told = [
      { open: [1, 2, 3], commits: ["c2"], by: "failed_reviews" },
      { open: [1], commits: ["c2"], by: "commit" },
      { open: [1], commits: [], by: "stop" },
    ];
    for (const { open, commits, by } of told) {
      const game = play(hermes);
      for (let turn = 1; turn <= 2; turn++) game.send("Stop", [], end);
      game.sessions.set("hermes:s1", {
        ...game.sessions.get("hermes:s1")!,
        commit_shas_since_prompt: { "/r\0main": commits },
      });
      const { trigger, deliveries, newId } = game.send("UserPromptSubmit", open);
      expect(trigger?.by).toBe(by as never);
      expect(deliveries?.[newId]).toMatchObject({ event: "UserPromptSubmit", channel: "context" });
    }
  });

  test("what the prompt told is not told again before the turn ends, but asked to be finished", () => {
    const game = play(hermes);
    game.send("UserPromptSubmit", [1, 2, 3]);
    expect(game.send("Stop", [1, 2, 3], verify).trigger?.by).toBe("fix_session");
    game.git.settled.add(1).add(2).add(3);
    game.send("Stop", [], end);
    expect(game.send("UserPromptSubmit", []).trigger).toBeUndefined();
  });
});
