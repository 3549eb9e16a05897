import type { Severity } from "../store/schema.ts";
import { parseDiff } from "./prompt/diff-file.ts";
import { diffFilePath } from "./prompt/diff-path.ts";
import type { ReviewPrompt } from "./prompt/input.ts";
import { changeEvidence } from "./verdict/evidence-names.ts";
import { combineVerdicts, readVerdict, type VerdictResult } from "./verdict/verdict.ts";

/**
 * The verdict on a change from the answers to its prompts. Each must show that it looked at what it was given; of a
 * diff in a file, that it was read to the end, whatever was found on the way.
 */
export function judge(
  { covers, unshown, snapshot }: Pick<ReviewPrompt, "covers" | "unshown" | "snapshot">,
  answers: string[],
  { floor, messages = [] }: { floor?: Severity /** Of the commits. */; messages?: string[] } = {},
): VerdictResult {
  const result = judgeParts({ covers, unshown }, answers, { floor, messages });
  const missing = (snapshot?.marks ?? []).filter((mark) => !answers.some((answer) => answer.includes(mark)));
  if (result.kind === "none" || missing.length === 0) return result;
  return {
    kind: "none",
    cause: "snapshot",
    reason: `the review does not show that the diff's file was read: ${missing.length} of ${snapshot?.marks.length} marks are missing`,
  };
}

function judgeParts(
  { covers, unshown }: Pick<ReviewPrompt, "covers" | "unshown">,
  answers: string[],
  { floor, messages }: { floor: Severity | undefined; messages: string[] },
): VerdictResult {
  const hidden = new Set(unshown.map(({ path }) => path));
  return combineVerdicts(
    covers.map((text, index) => {
      const files = parseDiff(text).map((file) => ({ path: diffFilePath(file) }));
      const evidence = changeEvidence({ text, files: files.filter(({ path }) => !hidden.has(path)) });
      return readVerdict(answers[index] ?? "", {
        ...evidence,
        ...(floor === undefined ? {} : { floor }),
        isOfChange: (said) => [withoutSigns(text), ...messages].some((written) => contains(written, said)),
      });
    }),
  );
}

const withoutSigns = (diff: string): string => diff.replace(/^[-+ ]/gm, "");
const contains = (text: string, part: string): boolean => withoutBlanks(text).includes(withoutBlanks(part));
const withoutBlanks = (text: string): string => text.replace(/\s+/g, "");
