import { quotedLabel } from "../../../lib/text.ts";
import { boundaryToken, diffBlock, fenceFor, tokenLine } from "../boundary.ts";
import { fitParts, fixedPart, joinParts, type Part } from "../fit.ts";
import { askedNumbers, type FixEntry, textsOf } from "./entry.ts";
import type { FixPromptInput } from "./fix-prompt.ts";
import { renewing, stageText } from "./instructions.ts";
import {
  attemptsPart,
  dataRule,
  developersPart,
  findingsText,
  floorRule,
  headed,
  reviewPart,
  settledText,
  subjectText,
} from "./sections.ts";

/** What the prompt of a background fix is made of beside the review. `fix_guidelines` are none of it. */
export interface BackgroundPromptInput extends Pick<FixPromptInput, "floor" | "maxBytes" | "nonce"> {
  /** What the user who asked for it says besides. */
  wish?: string;
}

const tree =
  "You are in a worktree of a repository that was made for you, at the commit that the fix is to start from.";

/** The prompt for an agent whose change becomes a patch. Trimmed as `buildFixPrompt` does it. */
export function buildBackgroundPrompt(entry: FixEntry, input: BackgroundPromptInput): string {
  const token = boundaryToken(input.nonce, textsOf(entry));
  const review = headed("## The review", reviewPart(token, entry));
  const about = aboutParts(token, entry);
  const parts = [
    fixedPart(`${tokenLine(token)}

# Deal with the findings of a code review

${tree}
A review of ${nameOf(entry)} (job ${entry.jobId}) found what stands below. Deal with it.`),
    ...findingsParts(token, entry, input),
    review,
    ...about,
    wishPart(input.wish),
    fixedPart(stageText(askedNumbers(entry, input.floor))),
  ];
  const texts = fitParts(parts, [review, ...about], input.maxBytes);
  return joinParts(texts ?? parts.map((part) => part.shrink(0)));
}

/**
 * The prompt for an agent that does anew what a patch did that does not apply any more. Undefined where the patch, of
 * which half would be read as the whole, is too large.
 */
export function buildRebasePrompt(
  entry: FixEntry,
  input: BackgroundPromptInput & { patch: string },
): string | undefined {
  const { patch, floor } = input;
  const token = boundaryToken(input.nonce, [...textsOf(entry), patch]);
  const about = aboutParts(token, entry);
  const parts = [
    fixedPart(`${tokenLine(token)}

# Bring a patch to the code as it is now

${tree}
A patch dealt with findings of a review of ${nameOf(entry)} (job ${entry.jobId}).
The code has changed since, and it does not apply any more. Reproduce what it was meant to do on the code that you find
here.`),
    ...findingsParts(token, entry, input),
    ...about,
    fixedPart(`## The patch

${diffBlock(token, patch, fenceFor(patch))}`),
    wishPart(input.wish),
    fixedPart(stageText(askedNumbers(entry, floor), renewing)),
  ];
  const texts = fitParts(parts, about, input.maxBytes);
  return texts && joinParts(texts);
}

function nameOf(entry: FixEntry): string {
  const label = entry.subject === undefined ? "" : quotedLabel(entry.subject);
  return `${subjectText(entry)}${label && `, ${label}`}`;
}

const findingsParts = (token: string, entry: FixEntry, { floor }: BackgroundPromptInput): Part[] => [
  fixedPart(dataRule(token)),
  fixedPart(entry.kind === "task" ? "" : floorRule(floor)),
  fixedPart(`## Findings\n\n${findingsText(token, entry, floor)}`),
  fixedPart(settledText(token, entry, "## Settled findings")),
];

const aboutParts = (token: string, entry: FixEntry): Part[] => [
  attemptsPart(token, entry, "## What was done so far"),
  developersPart(token, entry, "## What developers said"),
];

/** The user's own words, as they are. */
const wishPart = (wish = ""): Part =>
  fixedPart(wish.trim() === "" ? "" : `## What the user asks besides\n\n${wish.trim()}`);
