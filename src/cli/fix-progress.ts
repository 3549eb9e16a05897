import type { FixProgress, FixResult } from "../review/fix/services.ts";
import type { Context } from "./command.ts";
import { reviewText, rule } from "./review-text.ts";

/**
 * What a person at the terminal sees of a fix: results on standard output, all that leads to them on standard error.
 * Quiet, only what should be known in any case.
 */
export function fixProgress({ out, flags }: Pick<Context, "out" | "flags">, quiet: boolean): FixProgress {
  const note = (text: string) => (quiet ? undefined : out.note(text));
  return {
    say: note,
    warn: (line) => out.note(line),
    review: (review) => note(`${rule}\n${reviewText(review, out)}\n${rule}`),
    agent(name) {
      note(`${name} is at work. Ctrl-C ends it.`);
      return out.waiting(`${name} is at work`);
    },
    output: (text) => (text === "" ? undefined : note(text.replace(/\n$/, ""))),
    result(result) {
      if (flags.json) return;
      if (!quiet) out.print(resultLine(result));
      else if (!result.closed) out.note(resultLine(result));
    },
  };
}

/** `Job 3: Fixed by codex in 1a2b3c4.` */
export const resultLine = ({ job_id, message }: FixResult): string => `Job ${job_id}: ${message}.`;
