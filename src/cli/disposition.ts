import { RoborevError, UsageError } from "../lib/errors.ts";
import type { DispositionState } from "../store/schema.ts";
import { wholeNumber } from "./arguments.ts";
import type { Pair } from "./command.ts";

export const states = ["fixed", "refuted", "deferred"] as const satisfies DispositionState[];

/** What `--finding K` with one of the three words asks for. */
export interface Asked {
  findings: number[];
  state: DispositionState;
}

const numbersHint = "roborev show lists the findings with their numbers.";

/** At most one of the words, and none without a finding. */
export const exclusiveStates: readonly Pair[] = [
  { names: ["fixed", "refuted"] },
  { names: ["fixed", "deferred"] },
  { names: ["refuted", "deferred"] },
];
export const statesNeedFinding: readonly Pair[] = states.map((state) => ({
  names: [state, "finding"],
  hint: numbersHint,
}));

/** Undefined: the comment is on the review as a whole. */
export function askedDisposition(
  args: { finding: string | undefined } & Record<DispositionState, boolean>,
): Asked | undefined {
  const state = states.find((name) => args[name]);
  if (args.finding === undefined) return undefined;
  if (state === undefined) {
    throw new UsageError("--finding needs --fixed, --refuted or --deferred", {
      hint: "Without --finding the comment is on the whole review.",
    });
  }
  const numbers = args.finding.split(",").map((word) => wholeNumber(word.trim(), "--finding", { min: 1 }));
  return { findings: [...new Set(numbers)], state };
}

/** `Finding 2 of job 42 is refuted`, as the daemon confirms it. */
export function disposedText(job: number, { findings, state }: Asked): string {
  const numbers = findings.toSorted((a, b) => a - b);
  const last = numbers.pop();
  if (numbers.length === 0) return `Finding ${last} of job ${job} is ${state}`;
  return `Findings ${numbers.join(", ")} and ${last} of job ${job} are ${state}`;
}

/** A daemon of before this command kept the text as an ordinary comment. */
export const notUnderstood = (job: number): RoborevError =>
  new RoborevError(`the daemon is older than this command and made it a comment on job ${job} as a whole`, {
    code: "E_DAEMON_OLD",
    hint: "Bring it up to date with: roborev daemon restart",
  });
