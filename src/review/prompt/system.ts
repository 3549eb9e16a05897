import { singleLine } from "../../lib/text.ts";
import { tokenLine } from "./boundary.ts";
import { joinParts } from "./fit.ts";
import type { PromptInput } from "./input.ts";
import { checklistText } from "./system/checklist.ts";
import { conductText } from "./system/conduct.ts";
import { floorText, outputText } from "./system/output.ts";
import { roleText } from "./system/role.ts";

/** The part that never gives way: the rules of the review. */
export function systemText(input: PromptInput, token: string): string {
  const repo = singleLine(input.repoName).replace(/[`"]/g, "").slice(0, 100);
  return joinParts([
    tokenLine(token),
    roleText(input),
    `Repository: "${repo}". Date: ${input.date.toISOString().slice(0, 10)} (UTC).`,
    checklistText(input.reviewType),
    conductText(input.agentFamily, token),
    outputText(input),
    floorText(input),
  ]);
}
