import { expect, test } from "bun:test";
import { evidenceLines } from "../../src/lib/evidence-text.ts";
import type { Evidence } from "../../src/store/schema.ts";

const lines = (more: Partial<Evidence> = {}) =>
  evidenceLines({
    checkout: "/repo",
    files_in_diff: 2,
    files_sent: 2,
    diff_bytes: 10,
    delivery: "inline",
    chunks: 1,
    excluded_files: [],
    ...more,
  });
const files = (paths: string[]) => paths.map((path) => ({ path, kind: "binary" as const }));

test("one line says how much of the diff was sent, how, and of which commit", () => {
  expect(lines({ reviewed_sha: "a".repeat(40) })).toEqual(["Sent inline: 2 of 2 files · commit aaaaaaa"]);
  expect(lines({ files_in_diff: 1, files_sent: 1 })).toEqual(["Sent inline: 1 of 1 file"]);
  expect(lines({ delivery: "chunked", chunks: 3 })).toEqual(["Sent in 3 parts: 2 of 2 files"]);
  expect(lines({ delivery: "file", nonce_ok: true })).toEqual(["Sent as a file, proved read: 2 of 2 files"]);
  expect(lines({ delivery: "file" })).toEqual(["Sent as a file: 2 of 2 files"]);
});

test("a review without the sandbox of its reviewer says so", () => {
  expect(lines({ without_sandbox: true })).toEqual([
    "Sent inline: 2 of 2 files",
    "Reviewed without the sandbox of the reviewer's program, as configured",
  ]);
});

test("a review of which nothing is known claims nothing", () => {
  expect(evidenceLines(undefined)).toEqual([]);
});

test("what the reviewer could not see is counted and named beside the verdict", () => {
  expect(lines({ files_sent: 1, unshown_files: files(["a\nb.png"]) })).toEqual([
    "Sent inline: 1 of 2 files · 1 not seen",
    "Not seen by the reviewer: a b.png (binary)",
  ]);
  expect(lines({ unshown_files: files(["1", "2", "3", "4", "5", "6", "7"]) })[1]).toEndWith(
    "5 (binary) and 2 more",
  );
  expect(lines({ excluded_files: ["bun.lock"] })).toEqual(["Sent inline: 2 of 2 files · 1 excluded"]);
  expect(lines({ excluded_files: ["a", "b", "c\n"] })).toEqual([
    "Sent inline: 2 of 2 files · 3 excluded",
    "Left out by configuration, most of the change: a, b, c",
  ]);
});
