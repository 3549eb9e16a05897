import type { DispositionState } from "../../store/schema.ts";

/** What an agent says became of a finding. */
export interface Answer {
  /** Absent where it speaks of the one review that it was given. */
  jobId?: number;
  finding: number;
  disposition: DispositionState;
  /** "" where it gives none. */
  reason: string;
}

const line =
  /^(?:job\s+#?(\d{1,15})[\s,:;–—-]+)?finding\s+#?(\d{1,6})\s*[:–—-]\s*(fixed|refuted|deferred)\b\s*[:.,;–—-]*\s*(.*)$/i;

/** Whether a line accounts for a finding. */
export const isAnswer = (text: string): boolean => line.test(undressed(text));

/** The lines of an agent's last message that account for findings, in whatever Markdown they are dressed. */
export function readAnswers(text: string): Answer[] {
  const lines = text.split(/\r?\n/).map(undressed);
  return lines.flatMap((own, index) => {
    const [, job, finding, disposition, rest] = line.exec(own) ?? [];
    if (finding === undefined || disposition === undefined) return [];
    return [
      {
        ...(job === undefined ? {} : { jobId: Number(job) }),
        finding: Number(finding),
        disposition: disposition.toLowerCase() as DispositionState,
        reason: rest || below(lines, index),
      },
    ];
  });
}

/** Bullets, quotes, headings, numbers of a list and emphasis. */
const undressed = (text: string): string =>
  text
    .replace(/[*_`]/g, "")
    .replace(/^[\s>#•+-]*(?:\d+[.)]\s+)?/, "")
    .trim();

/** The line under one that gives no reason, unless that speaks of a finding itself. */
function below(lines: string[], index: number): string {
  const next = lines[index + 1] ?? "";
  return line.test(next) ? "" : next;
}

const leastLetters = 8;
const isReason = (text: string): boolean => (text.match(/\p{L}/gu)?.length ?? 0) >= leastLetters;

/** The last word on each finding of a job, where it is `fixed` or has a reason. `isOnly`: no other job was spoken of. */
export function wordsOn(
  answers: readonly Answer[],
  { jobId, isOnly }: { jobId: number; isOnly: boolean },
): ReadonlyMap<number, Answer> {
  const own = answers.filter((answer) => answer.jobId === jobId || (answer.jobId === undefined && isOnly));
  const last = new Map(own.map((answer) => [answer.finding, answer]));
  return new Map(
    [...last].filter(([, { disposition, reason }]) => disposition === "fixed" || isReason(reason)),
  );
}
