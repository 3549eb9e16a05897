import { expect, test } from "bun:test";
import { recogniseReviewer } from "../../../../src/review/agents/render/recognise.ts";
import { createRenderer } from "../../../../src/review/agents/render/renderer.ts";
import { fixture } from "../fixture.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const rendered = (name: string | undefined, text: string) => {
  const renderer = createRenderer(name);
  return renderer.feed(bytes(text)) + renderer.end();
};
const programs = ["codex", "claude-code", "copilot", "cursor", "droid", "gemini", "grok", "opencode", "qwen"];

test.each(programs)("a log of %s is shown as its own renderer shows it", (name) => {
  const log = fixture(`${name}-review.jsonl`);
  const found = recogniseReviewer(bytes(log));
  expect(found).toBeDefined();
  expect(rendered(found, log)).toBe(rendered(name, log));
  // With the program's warnings around it, and cut off anywhere behind its first words.
  const noisy = `warning: a new version\nwarning: again\n${log.slice(0, log.lastIndexOf('{"') - 9)}`;
  expect(rendered(recogniseReviewer(bytes(noisy)), noisy)).toBe(rendered(name, noisy));
});

test.each([...programs.filter((name) => name !== "cursor")])(
  "a log of a %s that failed is recognised too",
  (name) => {
    const log = fixture(`${name}-quota.jsonl`);
    expect(rendered(recogniseReviewer(bytes(log)), log)).toBe(rendered(name, log));
  },
);

test("plain text, JSON of nobody and a cut-off line are nobody's", () => {
  for (const log of ["", "No issues found.\n", '{"a":1}\n', '{"type":"thread.started"'])
    expect(recogniseReviewer(bytes(log))).toBeUndefined();
});
