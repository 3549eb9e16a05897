import type { CommitCredit } from "../../../config/commit-credit.ts";
import { shortRef } from "../../../lib/job-text.ts";
import { quotedLabel, singleLine } from "../../../lib/text.ts";
import type { Severity } from "../../../store/schema.ts";
import { boundaryToken, tokenLine } from "../boundary.ts";
import { byteLength } from "../bytes.ts";
import { fitParts, fixedPart, joinParts, type Part } from "../fit.ts";
import { askedNumbers, type FixEntry, textsOf } from "./entry.ts";
import { batchAnswer, creditText, directAnswer, workText } from "./instructions.ts";
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
  untouchableText,
  withGuidelines,
} from "./sections.ts";

/** What a fix prompt is made of beside its reviews. */
export interface FixPromptInput {
  /** Findings below it are left alone. */
  floor?: Severity;
  /** Whose name commits are to carry. */
  credit?: CommitCredit;
  /** The user's `fix_guidelines`. */
  guidelines?: string;
  /** Files of the user that git does not track. */
  untracked: readonly string[];
  maxBytes: number;
  /** Random and unguessable. */
  nonce: string;
}

/**
 * The prompt for one review, or for several at once. Within `maxBytes` where that can be done by leaving out what the
 * findings do not need; they themselves are always whole.
 */
export function buildFixPrompt(entries: readonly FixEntry[], input: FixPromptInput): string {
  const token = boundaryToken(input.nonce, [...entries.flatMap(textsOf), ...input.untracked]);
  const [only] = entries;
  const { parts, trimOrder } =
    entries.length === 1 && only !== undefined
      ? directParts(token, only, input)
      : batchParts(token, entries, input);
  const room = input.maxBytes - (byteLength(withGuidelines("", input.guidelines)) + 2);
  const texts = fitParts(parts, trimOrder, room) ?? parts.map((part) => part.shrink(0));
  return withGuidelines(joinParts(texts), input.guidelines);
}

/** Whether these reviews go into one prompt in whole. */
export function fitsOnePrompt(entries: readonly FixEntry[], input: FixPromptInput): boolean {
  return (
    byteLength(buildFixPrompt(entries, { ...input, maxBytes: Number.MAX_SAFE_INTEGER })) <= input.maxBytes
  );
}

interface Layout {
  parts: Part[];
  /** What gives way, the first first. */
  trimOrder: Part[];
}

function directParts(token: string, entry: FixEntry, input: FixPromptInput): Layout {
  const review = headed("## The review", reviewPart(token, entry));
  const attempts = attemptsPart(token, entry, "## What was done so far");
  const developers = developersPart(token, entry, "## What developers said");
  const label = entry.subject === undefined ? "" : quotedLabel(entry.subject);
  const parts = [
    fixedPart(`${tokenLine(token)}

# Deal with the findings of a code review

You are in the working tree of a repository. A review of ${subjectText(entry)}${label && `, ${label},`} found what stands below (job ${entry.jobId}).
Deal with it.`),
    fixedPart(dataRule(token)),
    fixedPart(entry.kind === "task" ? "" : floorRule(input.floor)),
    fixedPart(`## Findings\n\n${findingsText(token, entry, input.floor)}`),
    fixedPart(settledText(token, entry, "## Settled findings")),
    review,
    attempts,
    developers,
    fixedPart(untouchableText(token, input.untracked)),
    fixedPart(workText(directAnswer(askedNumbers(entry, input.floor)))),
    fixedPart(creditText(input.credit)),
  ];
  return { parts, trimOrder: [review, attempts, developers] };
}

function batchParts(token: string, entries: readonly FixEntry[], input: FixPromptInput): Layout {
  // With a free-form answer among them there are no severities that hold for all.
  const floor = entries.some(({ kind }) => kind === "task") ? undefined : input.floor;
  const reviews = entries.map((entry, index) => {
    const review = headed("### Text", reviewPart(token, entry));
    const attempts = attemptsPart(token, entry, "### What was done so far");
    const developers = developersPart(token, entry, "### What developers said");
    const label = entry.subject === undefined ? "" : ` ${quotedLabel(entry.subject)}`;
    const heading = `## Review ${index + 1} (Job ${entry.jobId} — ${shortRef(singleLine(entry.gitRef))})${label}`;
    return {
      parts: [
        fixedPart(`${heading}\n\n${findingsText(token, entry, floor)}`),
        fixedPart(settledText(token, entry, "### Settled findings")),
        review,
        attempts,
        developers,
      ],
      trimmed: { review, attempts, developers },
    };
  });
  const parts = [
    fixedPart(`${tokenLine(token)}

# Deal with the findings of ${entries.length} code reviews

You are in the working tree of a repository. Reviews of earlier changes found what stands below. Deal with all of it
together: findings of different reviews may have one cause, and a later commit may have mended an earlier finding.`),
    fixedPart(dataRule(token)),
    fixedPart(floorRule(floor)),
    ...reviews.flatMap((review) => review.parts),
    fixedPart(untouchableText(token, input.untracked)),
    fixedPart(workText(batchAnswer)),
    fixedPart(creditText(input.credit)),
  ];
  const each = (name: "review" | "attempts" | "developers") => reviews.map(({ trimmed }) => trimmed[name]);
  return { parts, trimOrder: [...each("review"), ...each("attempts"), ...each("developers")] };
}
