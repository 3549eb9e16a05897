import fc from "fast-check";
import type { Thresholds } from "../../../src/reminder/input.ts";
import { kinds, type StopPhase } from "./conversation.ts";
import type { Step } from "./repository.ts";

export type CommandEnd = "after" | "failed" | "lost" | "background";

interface Command {
  s: number;
  w: number;
  steps: Step[];
  /** Its events name the tool call. */
  named: boolean;
  /** Its start was not seen. */
  unseen: boolean;
  /** Of a sub-agent. */
  sub: boolean;
}

/** `s` chooses the session, `w` the working tree. */
export type Action =
  | ({ do: "run"; how: CommandEnd } & Command)
  | ({ do: "begin" } & Command)
  /** The running command of a session gets on by some steps. */
  | { do: "work"; s: number; steps: number }
  | { do: "end"; s: number; how: CommandEnd }
  | { do: "stop"; s: number; w: number; phase: StopPhase; others: boolean }
  /** Whole turns in which nothing is done. */
  | { do: "turns"; s: number; w: number; count: number }
  | { do: "prompt"; s: number; w: number; wakeUp: boolean }
  /** An event outside of git. */
  | { do: "away"; s: number }
  /** The user works in a terminal. */
  | { do: "user"; w: number; steps: Step[] }
  | { do: "fail"; w: number; nthCommit?: number; count: number; branchless: boolean }
  | { do: "close" | "reopen"; nth: number; count: number }
  /** 0 hours: off. */
  | { do: "snooze"; w: number; hours: number }
  | { do: "wait"; seconds: number }
  | { do: "fix-done"; w: number }
  | { do: "reset"; s: number }
  | { do: "track"; w: number; is: boolean | "unknown" | "gone" }
  | { do: "configure"; thresholds: Thresholds };

export interface Game {
  /** Indices of `kinds`, one a session. */
  sessions: number[];
  thresholds: Thresholds;
  actions: Action[];
}

/** Those that cannot answer after a tool have the most to remember. */
const kind = fc.constantFrom(
  ...kinds.keys(),
  ...kinds.keys().filter((at) => kinds[at]?.afterTool === undefined),
);
const small = fc.nat(7);
const rarely = fc.nat(9).map((n) => n === 9);
/** The first ones are where most happens. */
const s = fc.constantFrom(0, 0, 0, 1, 1, 2);
const w = fc.constantFrom(0, 0, 0, 1, 2);
const is = <const T>(value: T) => fc.constant(value);

const op: fc.Arbitrary<Step["op"]> = fc.constantFrom<Step["op"][]>(
  ...(["commit", "commit", "commit", "amend", "nothing", "push", "switch"] as const),
  ...(["pick", "alias", "merge", "rebase", "pull", "create", "detach", "reset"] as const),
);
const steps = fc.array(fc.record({ op, n: small }), { maxLength: 4 });
const command = { s, w, steps, named: fc.boolean(), unseen: rarely, sub: rarely };
const how = fc.constantFrom<CommandEnd[]>("after", "after", "after", "after", "failed", "lost", "background");
const phase = fc.constantFrom<StopPhase[]>("whole", "whole", "check", "interrupted");
const thresholds: fc.Arbitrary<Thresholds> = fc.record({
  turn: fc.constantFrom(0, 1, 2, 5),
  commits: fc.constantFrom(0, 1, 2, 4),
  failedReviews: fc.constantFrom(0, 1, 2, 4),
});
const count = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.integer({ min: 45, max: 60 }) },
);
const seconds = fc.constantFrom(1, 90, 1900, 4000, 46_800);
const tracking = fc.constantFrom(true, true, true, false, "unknown" as const, "gone" as const);
const fail = { do: is("fail"), w, nthCommit: fc.nat(3), count, branchless: rarely };

/** How often each happens, in proportion to the others. */
const weighted: [number, fc.Arbitrary<Action>][] = [
  [12, fc.record({ do: is("run"), how, ...command })],
  [4, fc.record({ do: is("begin"), ...command })],
  [3, fc.record({ do: is("work"), s, steps: fc.integer({ min: 1, max: 2 }) })],
  [4, fc.record({ do: is("end"), s, how })],
  [14, fc.record({ do: is("stop"), s, w, phase, others: rarely })],
  [3, fc.record({ do: is("turns"), s, w, count: fc.integer({ min: 2, max: 6 }) })],
  [4, fc.record({ do: is("prompt"), s, w, wakeUp: rarely })],
  [1, fc.record({ do: is("away"), s })],
  [2, fc.record({ do: is("user"), w, steps })],
  [10, fc.record(fail, { requiredKeys: ["do", "w", "count", "branchless"] })],
  [2, fc.record({ do: fc.constantFrom("close" as const, "reopen" as const), nth: small, count: small })],
  [1, fc.record({ do: is("snooze"), w, hours: fc.constantFrom(0, 1, 8) })],
  [2, fc.record({ do: is("wait"), seconds })],
  [1, fc.record({ do: is("fix-done"), w })],
  [1, fc.record({ do: is("reset"), s })],
  [1, fc.record({ do: is("track"), w, is: tracking })],
  [1, fc.record({ do: is("configure"), thresholds })],
];

export const game: fc.Arbitrary<Game> = fc.record({
  sessions: fc.array(kind, { minLength: 3, maxLength: 3 }),
  thresholds,
  actions: fc.array(fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
    maxLength: 70,
    size: "max",
  }),
});
