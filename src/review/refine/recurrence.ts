import type { Finding, ReviewFinding } from "../../store/schema.ts";

/** What comes back so often after it was addressed is not going to go away. */
const maxReturns = 2;

/** A finding that was addressed. */
interface Addressed {
  finding: Finding;
  /** Position of the commit after which it was addressed. */
  at: number;
  returns: number;
  /** Jobs that raised it, oldest first. */
  jobs: number[];
}

/** A review that raises findings, and which commit it saw last. */
export interface Raised {
  jobId: number;
  findings: readonly ReviewFinding[];
  /** Position of the last commit that it is about. */
  seen: number;
}

/** A finding that came back too often. */
export interface Recurrence {
  /** As it was raised last. */
  finding: ReviewFinding;
  jobs: number[];
}

/** Notices findings that come back after they were addressed. Positions are those of commits, the oldest first. */
export class RecurrenceWatch {
  readonly #addressed: Addressed[] = [];

  /** Hears of a review before it is addressed; what it raises again and again, if anything. */
  raise({ jobId, findings, seen }: Raised): Recurrence | undefined {
    for (const finding of findings) {
      const earlier = this.#find(finding);
      // A review of what was there before says nothing about what was done then.
      if (earlier === undefined || earlier.jobs.includes(jobId) || seen < earlier.at) continue;
      earlier.returns++;
      earlier.jobs.push(jobId);
      if (earlier.returns >= maxReturns) return { finding, jobs: earlier.jobs };
    }
    return undefined;
  }

  /** Hears that a review was addressed; `at`: position of the newest commit now. */
  address({ jobId, findings, at }: Omit<Raised, "seen"> & { at: number }): void {
    for (const finding of findings) {
      const earlier = this.#find(finding);
      if (earlier !== undefined) earlier.at = at;
      else this.#addressed.push({ finding, at, returns: 0, jobs: [jobId] });
    }
  }

  #find(finding: Finding): Addressed | undefined {
    return this.#addressed.find((addressed) => isSameFinding(addressed.finding, finding));
  }
}

const leastOverlap = 0.6;

/** Whether two findings say the same of the same file. Lines move and words vary; the file and most words stay. */
export function isSameFinding(a: Finding, b: Finding): boolean {
  if (fileOf(a) !== fileOf(b)) return false;
  const [first, second] = [wordsOf(a.problem), wordsOf(b.problem)];
  if (first.size === 0 || second.size === 0) return first.size === second.size;
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared / (first.size + second.size - shared) >= leastOverlap;
}

/** `src/a.ts` of `./src/a.ts:12-14`, in whatever quotes. */
const fileOf = ({ location = "" }: Finding): string =>
  location
    .replace(/[`"'*]/g, "")
    .trim()
    .replace(/^\.\//, "")
    .replace(/[:#(,\s].*$/s, "")
    .toLowerCase();

/** The words of a problem without numbers, which tell of lines. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{N}_]*/gu) ?? []);
