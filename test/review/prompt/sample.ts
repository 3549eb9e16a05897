import type { PromptInput, PromptTooLarge, ReviewPrompt } from "../../../src/review/prompt/input.ts";
import { buildReviewPrompt } from "../../../src/review/prompt/review-prompt.ts";

export const sampleDiff = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ export function a() {
 const one = 1;
-const two = 3;
+const two = 2;
 end();
`;

/** A commit with one small change; `changes` replaces fields. */
export function sampleInput(changes: Partial<PromptInput> = {}): PromptInput {
  return {
    kind: "commit",
    reviewType: "default",
    agentFamily: "codex",
    repoName: "sample",
    commits: [
      { sha: "0123456789abcdef", author: "Ada", subject: "Correct two", body: "It was three.\n\nRefs #1" },
    ],
    diff: {
      text: sampleDiff,
      files: [{ path: "src/a.ts", added: 1, removed: 1, binary: false }],
      excludedFiles: [],
      isMerge: false,
    },
    previousReviews: [],
    attempts: [],
    date: new Date("2026-01-02T23:59:00Z"),
    nonce: "n0nce",
    ...changes,
  };
}

export function built(changes: Partial<PromptInput> = {}): ReviewPrompt {
  const result = buildReviewPrompt(sampleInput(changes));
  if ("tooLarge" in result) throw new Error(result.reason);
  return result;
}

/** The only prompt of a change that fits into one. */
export function onlyPrompt(changes: Partial<PromptInput> = {}): string {
  const { prompts } = built(changes);
  if (prompts.length !== 1 || prompts[0] === undefined) throw new Error(`${prompts.length} prompts`);
  return prompts[0];
}

export const isTooLarge = (result: ReviewPrompt | PromptTooLarge): result is PromptTooLarge =>
  "tooLarge" in result;

/** Everything that can give way, with a word of its own to find it by. */
export const fullHistory: Partial<PromptInput> = {
  guidelines: "GUIDELINES: no abbreviations.",
  additionalContext: "CONTEXT: part of the migration.",
  previousReviews: [
    { sha: "aaaaaaaaaaaa", comments: [] },
    {
      sha: "bbbbbbbbbbbb",
      verdict: "F",
      output: "PREVIOUS: High: the lock is never released.",
      findings: [
        {
          ...{
            number: 1,
            severity: "high",
            location: "src/lock.ts:7",
            problem: "the lock is never released.",
          },
          disposition: { state: "fixed", by: "roborev-fix", at: "2026-01-01T00:00:00.000Z" },
        },
        {
          ...{ number: 2, severity: "medium", problem: "the wait has no end." },
          disposition: {
            ...{ state: "refuted", by: "Ada", at: "2026-01-01T00:00:00.000Z" },
            message: "The caller has a time-out:\nsee src/caller.ts:3.",
          },
        },
        { number: 3, severity: "low", problem: "UNDECIDED" },
      ],
      earlierFindings: [
        {
          ...{ number: 2, severity: "low", location: "src/lock.ts:1", problem: "a lock per file." },
          disposition: {
            ...{ state: "refuted", by: "Ada", at: "2026-01-01T00:00:00.000Z" },
            message: "One process, few files.",
          },
        },
      ],
      comments: [
        { responder: "roborev-fix", response: "Released it in the finally block." },
        { responder: "Ada", response: "The second finding is a false positive." },
      ],
    },
  ],
  inRangeReviews: [
    {
      ...{
        sha: "cccccccccccc",
        agent: "codex",
        verdict: "P",
        output: "INRANGE: No issues found.",
        comments: [],
      },
      findings: [
        {
          ...{ number: 1, severity: "low", location: "src/a.ts:2", problem: "two is a magic number." },
          disposition: {
            ...{ state: "deferred", by: "Grace", at: "2026-01-01T00:00:00.000Z" },
            message: "With the constants, in issue 12.",
          },
        },
      ],
    },
  ],
  attempts: [
    { agent: "codex", output: "ATTEMPT 4", created_at: "2026-01-02T04:00:00.000Z" },
    { agent: "codex", output: "ATTEMPT 3", created_at: "2026-01-02T03:00:00.000Z" },
    {
      ...{ agent: "codex", output: "ATTEMPT 2", created_at: "2026-01-02T02:00:00.000Z" },
      findings: [
        {
          ...{ number: 1, severity: "high", location: "src/a.ts:2", problem: "two is three." },
          disposition: {
            ...{ state: "refuted", by: "Ada", at: "2026-01-02T03:00:00.000Z" },
            message: "It is two.",
          },
        },
      ],
    },
    { agent: "codex", output: "ATTEMPT 1", created_at: "2026-01-02T01:00:00.000Z" },
  ],
};

export const rangeCommits = [
  { sha: "1111111aaaa", author: "Ada", subject: "Add two", body: "" },
  { sha: "2222222bbbb", author: "Grace", subject: "Correct two", body: "It was three." },
];

/** One file of `lines` added lines of about a hundred bytes. */
function largeFile(path: string, lines: number): string {
  const body = Array.from({ length: lines }, (_, n) => `+${path} ${n} ${"größe ".repeat(12)}\n`).join("");
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${body}`;
}

/** Files of `lines` added lines each, of about a hundred bytes. */
export function largeDiff(files: number, lines: number): PromptInput["diff"] {
  const paths = Array.from({ length: files }, (_, n) => `src/f${n}.ts`);
  return {
    text: paths.map((path) => largeFile(path, lines)).join(""),
    files: paths.map((path) => ({ path, added: lines, removed: 0, binary: false })),
    excludedFiles: [],
    isMerge: false,
  };
}
