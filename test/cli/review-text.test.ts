import { expect, test } from "bun:test";
import { createOutput } from "../../src/cli/output.ts";
import { reviewerText, reviewHeader, usageText, withoutDataBlock } from "../../src/cli/review-text.ts";
import type { ReviewResponse } from "../../src/daemon/api/responses.ts";

const block = '\n\n```json\n{"schema_version": 2, "verdict": "fail"}\n```\n';

test("the data block at the end of a review is not shown, anything like it is", () => {
  expect(withoutDataBlock(`Findings.${block}`)).toBe("Findings.");
  for (const text of [
    `Findings.\n\n\`\`\`json\n{"a": 1}\n\`\`\``,
    `Findings.\n\n\`\`\`json\n{broken\n\`\`\``,
    `Findings.${block}\nMore words.`,
    block.trim(),
    "",
  ]) {
    expect(withoutDataBlock(text)).toBe(text.trimEnd());
  }
  expect(withoutDataBlock(block).trim()).toBe(block.trim());
});

test("token use is short, and without a price where none is known", () => {
  expect(usageText({ input: 999, cached: 0, output: 5 })).toBe("999 ctx · 5 out");
  expect(usageText({ input: 100_000, cached: 18_000, output: 28_800, cost_usd: 0.4211 })).toBe(
    "118.0k ctx · 28.8k out · ~$0.42",
  );
});

test("a reviewer's hostile name stays on its line", () => {
  expect(reviewerText("a\nb\x1b[1m")).toBe("a b [1m");
});

test("what the reviewer could not see is said beside the verdict", () => {
  const files = (paths: string[]) => paths.map((path) => ({ path, kind: "binary" as const }));
  const header = (paths: string[], excluded: string[] = []) =>
    reviewHeader(
      {
        agent: "codex",
        closed: false,
        job: {
          id: 1,
          git_ref: "dirty",
          verdict: "P",
          evidence: { unshown_files: files(paths), files_in_diff: 2, excluded_files: excluded },
        },
      } as ReviewResponse,
      createOutput({
        stdout: { write() {}, isTerminal: false },
        stderr: { write() {}, isTerminal: false },
        env: {},
        verbose: false,
      }),
    ).join("\n");
  expect(header(["a\nb.png"])).toContain("\nNot seen by the reviewer: a b.png (binary)");
  expect(header(["1", "2", "3", "4", "5", "6", "7"])).toEndWith("5 (binary) and 2 more");
  expect(header([], ["bun.lock"])).not.toMatch(/Not seen|Left out/);
  expect(header([], ["a", "b", "c\n"])).toEndWith("\nLeft out by configuration, most of the change: a, b, c");
});
