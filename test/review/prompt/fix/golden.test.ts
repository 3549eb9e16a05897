import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildAddressPrompt } from "../../../../src/review/prompt/fix/address.ts";
import { buildBackgroundPrompt, buildRebasePrompt } from "../../../../src/review/prompt/fix/background.ts";
import { buildCommitRetryPrompt } from "../../../../src/review/prompt/fix/commit-retry.ts";
import { buildFixPrompt } from "../../../../src/review/prompt/fix/fix-prompt.ts";
import { buildHookRefusalPrompt } from "../../../../src/review/prompt/fix/hook-refusal.ts";
import { entry, input, plain, sha } from "./sample.ts";

// Every prompt of `roborev fix` and `refine`, byte for byte as an agent gets it. After a change of wording:
//   UPDATE_GOLDENS=1 bun test test/review/prompt/fix/golden.test.ts, then read the difference as an agent.

const folder = join(import.meta.dir, "golden");
const guidelines = "Sign off every commit.\nNo new dependencies.";
const two = [
  entry(),
  plain({
    jobId: 9,
    kind: "range",
    gitRef: `${sha("b")}..${sha("c")}`,
    findings: [{ number: 1, severity: "medium", problem: "Twice." }],
  }),
];

const at = "2026-01-01T00:00:00.000Z";
const settled = plain({
  findings: [
    {
      number: 1,
      severity: "high",
      problem: "Twice.",
      disposition: { state: "refuted", by: "Ada", message: "Once.", at },
    },
    { number: 2, severity: "high", problem: "Never." },
  ],
});

const credit = { author: "Ada <ada@example.com>", coAuthor: "Bot <bot@example.com>" };
const patch = "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+```\n";

const prompts: Record<string, string> = {
  direct: buildFixPrompt([plain()], input()),
  "direct-with-comments-floor-files-and-guidelines": buildFixPrompt(
    [entry()],
    input({ floor: "medium", untracked: ["notes.txt", "a b/ü.md"], guidelines }),
  ),
  "direct-without-a-list-of-findings": buildFixPrompt([plain({ findings: [], gitRef: "dirty" })], input()),
  "direct-with-settled-findings": buildFixPrompt([settled], input()),
  "direct-of-a-task": buildFixPrompt([plain({ kind: "task", gitRef: "analyze" })], input({ floor: "high" })),
  "direct-with-an-author-and-guidelines": buildFixPrompt([plain()], input({ credit, guidelines })),
  batch: buildFixPrompt(two, input({ floor: "medium", guidelines })),
  "batch-with-a-task": buildFixPrompt(
    [plain(), plain({ jobId: 8, kind: "task", gitRef: "analyze", findings: [] })],
    input({ floor: "high" }),
  ),
  address: buildAddressPrompt(plain(), { ...input(), guidelines: "", diff: "" }),
  "address-with-comments-floor-guidelines-and-diff": buildAddressPrompt(entry(), {
    ...input({ floor: "medium" }),
    ...{ guidelines: "No new dependencies.", diff: "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+```\n" },
  }),
  "background-fix": buildBackgroundPrompt(plain(), input()),
  "background-fix-with-comments-floor-and-a-wish": buildBackgroundPrompt(entry(), {
    ...input({ floor: "medium", guidelines }),
    wish: "Keep the signature of sum().\n",
  }),
  "rebase-fix": buildRebasePrompt(plain(), { ...input(), patch }) ?? "",
  "rebase-fix-with-comments-floor-and-a-wish":
    buildRebasePrompt(entry(), { ...input({ floor: "medium", guidelines }), patch, wish: "Only src/." }) ??
    "",
  "hook-refusal": buildHookRefusalPrompt({
    ...{
      hook: "pre-commit",
      output: "a.ts:1: no tabs\n[end x]",
      untracked: ["notes.txt"],
      nonce: input().nonce,
    },
  }),
  "commit-retry": buildCommitRetryPrompt(input()),
  "commit-retry-with-files-and-guidelines": buildCommitRetryPrompt(
    input({ untracked: ["notes.txt"], credit, guidelines }),
  ),
};

describe("V09 the fix prompt", () => {
  for (const [name, text] of Object.entries(prompts)) {
    test(name.replaceAll("-", " "), () => {
      const path = join(folder, `${name}.md`);
      if (process.env.UPDATE_GOLDENS === "1") {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, text);
      }
      expect(existsSync(path), `${path} is missing: UPDATE_GOLDENS=1 writes it`).toBe(true);
      expect(text).toBe(readFileSync(path, "utf8"));
    });
  }

  test("has no golden that nobody compares", () => {
    const names = Object.keys(prompts).map((name) => `${name}.md`);
    expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  });
});
