import type { Severity } from "../../store/schema.ts";
import { askedNumbers, type FixEntry } from "../prompt/fix/entry.ts";
import { type Answer, readAnswers, wordsOn } from "./answer.ts";

/** What an agent's last message says of the findings of one review that were asked for. */
export interface Account {
  /** On findings that the review lists. */
  words: Answer[];
  /** It refutes every one, each with a reason. */
  refuted: boolean;
  /** It puts one off, with a reason. */
  deferred: boolean;
}

/** Reads the account of a review. `isOnly`: the agent was given no other. */
export function accountOf(
  text: string,
  entry: FixEntry,
  { floor, isOnly }: { floor: Severity | undefined; isOnly: boolean },
): Account {
  const numbers = askedNumbers(entry, floor);
  const all = wordsOn(readAnswers(text), { jobId: entry.jobId, isOnly });
  const asked = numbers.flatMap((number) => all.get(number) ?? []);
  return {
    words: asked.filter(({ finding }) => entry.findings.some(({ number }) => number === finding)),
    refuted: asked.length === numbers.length && asked.every(({ disposition }) => disposition === "refuted"),
    deferred: asked.some(({ disposition }) => disposition === "deferred"),
  };
}
