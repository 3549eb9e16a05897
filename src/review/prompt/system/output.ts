import type { Severity } from "../../../store/schema.ts";
import { thresholdMarker } from "../../verdict/plain.ts";
import { reachesFloor, severities } from "../../verdict/severity.ts";
import type { PromptInput } from "../input.ts";

type Target = Pick<PromptInput, "reviewType" | "minSeverity">;

/** What the answer looks like, down to the block that the verdict is read from. */
export function outputText(target: Target): string {
  const levels = usedLevels(target);
  return `## Severities

${levels.map((level) => `- ${level}: ${definition(level, target.reviewType)}`).join("\n")}

## Output

With findings: the heading \`## Review Findings\`, then for each finding

- **Severity**: ${levels.join(" | ")}
- **Location**: path:line, as narrow as possible
- **Problem**: what goes wrong, when, and the concrete harm
- **Fix**: what to do

with a line \`---\` between two findings, most severe first; then \`## Summary\` with one to three sentences.
Report each root cause once, with its other places named in the same finding.

Without findings: start with the exact words \`No issues found.\`, then a one-line summary.

The summary always names changed files or symbols that you examined. A pass that names none is rejected.

If you could not read the change, in whole or in part, do not guess and never pass it: the answer is the line
\`UNABLE TO REVIEW: <reason>\` with your reason, and the block below says \`unable_to_review\`.

Before you answer, test each finding: Is it in this change? Did you check the code that would refute it? Would its
author act on it? Drop those that fail.

End with a block like this, valid JSON in a \`\`\`json fence, and nothing behind it:

{"schema_version": 2, "summary": "…", "verdict": "fail",
 "findings": [{"severity": "${levels[1]}", "problem": "…", "fix": "…", "location": "path:line"}]}

\`verdict\` is pass, fail or unable_to_review. \`findings\` repeats all findings of the text and is [] without any.
With any finding the verdict is \`fail\`.`;
}

/** What a severity floor asks for; "" without one. */
export function floorText(target: Target): string {
  const floor = target.minSeverity;
  if (floor === undefined || floor === "low") return "";
  const counted = usedLevels(target).filter((level) => reachesFloor(level, floor));
  return `## Severity floor

Report only findings of severity ${counted.join(" or ")}; leave out everything below, and do not raise a severity to get
over the floor. If findings remain only below it, the text of the answer is exactly
\`${thresholdMarker}\`
and nothing else, followed by the JSON block with verdict pass, no findings, and a summary that names what you examined.`;
}

function usedLevels({ reviewType, minSeverity }: Target): readonly Severity[] {
  return reviewType === "security" || minSeverity === "critical" ? severities : severities.slice(1);
}

function definition(level: Severity, reviewType: PromptInput["reviewType"]): string {
  return (reviewType === "default" ? code : reviewType === "security" ? security : design)[level];
}

const code: Record<Severity, string> = {
  critical: "data loss, a breach or an outage in normal use; must not stay for a day.",
  high: "loss of data, a security breach, a crash or wrong results.",
  medium: "works in general, but fails or degrades under conditions that will occur.",
  low: "minor; worth mending, harms little.",
};

const security: Record<Severity, string> = {
  critical: "exploitable from outside without special access; full compromise or mass exposure of data.",
  high: "exploitable with common access or few conditions; serious loss of confidentiality, integrity or availability.",
  medium: "exploitable under unusual conditions, or with limited effect.",
  low: "defence in depth with a concrete, small gain.",
};

const design: Record<Severity, string> = {
  critical: "the design cannot work, or would destroy data or trust if built.",
  high: "following the documents leads to the wrong result, or cannot be done as written.",
  medium: "a gap or ambiguity that will cost rework.",
  low: "minor; worth saying more clearly.",
};
