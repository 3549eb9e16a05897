import type { Severity } from "../store/schema.ts";
import { parseDiff } from "./prompt/diff-file.ts";
import { diffFilePath } from "./prompt/diff-path.ts";
import type { ReviewPrompt } from "./prompt/input.ts";
import { changeEvidence } from "./verdict/evidence-names.ts";
import { combineVerdicts, readVerdict, type VerdictResult } from "./verdict/verdict.ts";

/** The verdict on a change from the answers to its prompts. Each must show that it looked at what it was given. */
export function judge(
  { covers, unshown }: Pick<ReviewPrompt, "covers" | "unshown">,
  answers: string[],
  floor?: Severity,
): VerdictResult {
  const hidden = new Set(unshown.map(({ path }) => path));
  return combineVerdicts(
    covers.map((text, index) => {
      const files = parseDiff(text).map((file) => ({ path: diffFilePath(file) }));
      const evidence = changeEvidence({ text, files: files.filter(({ path }) => !hidden.has(path)) });
      return readVerdict(answers[index] ?? "", { ...evidence, ...(floor === undefined ? {} : { floor }) });
    }),
  );
}
