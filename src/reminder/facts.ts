import type { Scope } from "./lineage.ts";

/** A working tree with everything about it that a reminder depends on. */
export interface Place {
  scope: Scope;
  /** Whether its repository is registered; `unknown` when the database could not say. */
  tracked: boolean | "unknown";
  /** Of the registered repository, as stored. */
  identity?: string;
  snoozedUntil?: Date;
  /** Ids of the open failed reviews of this checkout; undefined when they cannot be told. */
  openFailed: number[] | undefined;
}

/**
 * Which commits between two positions count, first parents only. `unpublished`: those that no remote-tracking ref
 * reaches. `made`: those that were made at `sinceMs` or later. `either`: what is one of the two.
 */
export type CommitRule = "unpublished" | "made" | "either";

/** What the policy has to know beyond the event: asked only where the state makes it matter. */
export type Question =
  | { ask: "ancestor"; worktree: string; ancestor: string; descendant: string }
  | { ask: "commits"; worktree: string; from: string; to: string; rule: CommitRule; sinceMs?: number }
  | { ask: "reachable"; worktree: string; shas: string[]; tip: string }
  /**
   * `branch`: the one whose snooze counts, in place of the one that is checked out. `identity`: the repository that is
   * meant; the reviews of another one are not looked up.
   */
  | { ask: "place"; worktree: string; branch?: string; identity?: string }
  | { ask: "settled"; ids: number[] }
  /** Whether the skill that a reminder names lies where the session's harness looks for it. */
  | { ask: "skill" };

/** `unknown`: it cannot be told, or the harness has no folder for skills. */
export type SkillFact = "present" | "outdated" | "missing" | "unknown";

interface Answers {
  ancestor: boolean;
  /** Oldest first. */
  commits: string[];
  /** Those of `shas` that `tip` reaches. */
  reachable: string[];
  /** Undefined: there is no such checkout now. */
  place: Place | undefined;
  /** Those of `ids` that are no open failed reviews any more. */
  settled: number[];
  skill: SkillFact;
}
export type Answer<Q extends Question> = Answers[Q["ask"]];

/** Answers a question, or throws `NeedsFact`: the decision is tried again once the fact is known. */
export type Ask = <Q extends Question>(question: Q) => Answer<Q>;

/** A decision cannot be made before this question has an answer. */
export class NeedsFact extends Error {
  constructor(readonly question: Question) {
    super(`undecided: ${question.ask}`);
  }
}

/** Answers from what was found out so far. Equal questions have equal keys. */
export function knownFacts(known: ReadonlyMap<string, unknown>): Ask {
  return <Q extends Question>(question: Q) => {
    const key = factKey(question);
    if (!known.has(key)) throw new NeedsFact(question);
    return known.get(key) as Answer<Q>;
  };
}

export const factKey = (question: Question): string => JSON.stringify(question);
