import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { droid } from "./droid.ts";
import { gemini } from "./gemini.ts";
import { grok } from "./grok.ts";
import { hermes } from "./hermes.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import type { Reviewer } from "./reviewer.ts";
import { test } from "./test.ts";

/** All reviewers, those that may be chosen automatically first and in that order. */
const reviewers: readonly Reviewer[] = [
  ...[codex, claudeCode, gemini, copilot, opencode, cursor, droid, qwen, grok, hermes],
  test,
];

/** A reviewer by its name or an alias, whatever the case. */
export function findReviewer(nameOrAlias: string): Reviewer | undefined {
  const name = nameOrAlias.trim().toLowerCase();
  return reviewers.find((reviewer) => reviewer.name === name || reviewer.aliases.includes(name));
}

export function reviewerNames(): string[] {
  return reviewers.map((reviewer) => reviewer.name);
}

/** Reviewers that may run without anyone having named one, in order of preference. */
export function automaticReviewers(): Reviewer[] {
  return reviewers.filter((reviewer) => !reviewer.builtIn);
}
