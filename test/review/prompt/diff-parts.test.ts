import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { byteLength } from "../../../src/review/prompt/bytes.ts";
import { changedLines, diffFileText, parseDiff } from "../../../src/review/prompt/diff-file.ts";
import { continuation, diffParts } from "../../../src/review/prompt/diff-parts.ts";
import { git, testRepo } from "../../support/repo.ts";
import { tempDir } from "../../support/temp.ts";

const lineText = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.constantFrom("-- sql", "++ c", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ x"),
);
const hunkLine = fc.tuple(
  fc.constantFrom("+", "-", " "),
  lineText.map((text) => text.replace(/[\r\n]/g, "")),
);

interface Sample {
  text: string;
  files: number;
  changed: string[];
}

/** Valid unified diffs of any content. */
const diffs: fc.Arbitrary<Sample> = fc
  .array(fc.array(fc.array(hunkLine, { minLength: 1, maxLength: 30 }), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((files) => ({
    text: files.map((hunks, index) => fileText(`src/f${index}.ts`, hunks)).join(""),
    files: files.length,
    changed: files.flat(2).flatMap(([sign, text]) => (sign === " " ? [] : [text])),
  }));

function fileText(path: string, hunks: [string, string][][]): string {
  let old = 1;
  let fresh = 1;
  const body = hunks.map((lines) => {
    const oldCount = lines.filter(([sign]) => sign !== "+").length;
    const newCount = lines.filter(([sign]) => sign !== "-").length;
    const header = `@@ -${old},${oldCount} +${fresh},${newCount} @@ heading\n`;
    old += oldCount + 10;
    fresh += newCount + 10;
    return header + lines.map(([sign, text]) => `${sign}${text}\n`).join("");
  });
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${body.join("")}`;
}

describe("taking a diff apart", () => {
  test("loses nothing of any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          diffs.map((diff) => diff.text),
        ),
        (text) => {
          expect(parseDiff(text).map(diffFileText).join("")).toBe(text);
        },
      ),
    );
  });

  test("tells headers from content by the counts of the hunk", () => {
    fc.assert(
      fc.property(diffs, ({ text, files, changed }) => {
        expect(parseDiff(text)).toHaveLength(files);
        expect(changedLines(text)).toEqual(changed);
      }),
    );
  });
});

describe("a diff in parts", () => {
  test("is one part when it fits", () => {
    fc.assert(fc.property(diffs, ({ text }) => expect(diffParts(text, byteLength(text))).toEqual([text])));
  });

  test("holds every changed line exactly once, in order, within the limit, cutting no character", () => {
    fc.assert(
      fc.property(
        diffs,
        fc.integer({ min: 600, max: 9000 }),
        fc.boolean(),
        ({ text, changed }, maxBytes, tight) => {
          const parts = diffParts(text, maxBytes, tight ? 0 : undefined) ?? [];
          for (const part of parts) expect(byteLength(part)).toBeLessThanOrEqual(maxBytes);
          expect(joinedLines(...parts)).toEqual(changed);
          expect(parts.every((part) => part.isWellFormed())).toBe(true);
        },
      ),
    );
  });

  test("keeps files whole where they fit, and hunks where those fit", () => {
    const file = (path: string, lines: number) =>
      fileText(path, [Array.from({ length: lines }, () => ["+", "x".repeat(40)])]);
    const [a, b, c] = [file("a", 10), file("b", 10), file("c", 10)];
    expect(diffParts(a + b + c, byteLength(a + b))).toEqual([a + b, c]);
    const hunks = parseDiff(fileText("d", [[["+", "y".repeat(400)]], [["+", "z".repeat(400)]]]));
    const text = hunks.map(diffFileText).join("");
    const parts = diffParts(text, 600) ?? [];
    expect(parts).toHaveLength(2);
    expect(parts[1]).toStartWith("diff --git a/d b/d\n--- a/d\n+++ b/d\n@@ -");
  });

  test("fills the parts when there would be too many otherwise", () => {
    const hunk = Array.from({ length: 150 }, (): [string, string] => ["+", "x".repeat(39)]);
    const text = ["a", "b", "c", "d"].map((path) => fileText(path, [hunk])).join("");
    expect(diffParts(text, 12_000)).toHaveLength(4);
    const parts = diffParts(text, 12_000, 3) ?? [];
    expect(parts).toHaveLength(3);
    expect(joinedLines(...parts)).toEqual(changedLines(text));
    expect(parts[1]).toStartWith("diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -0,0 +");
  });

  test("cuts one huge line into pieces that read as one", () => {
    const line = "深🚀x".repeat(2000);
    const parts =
      diffParts(
        fileText("min.js", [
          [
            ["-", "old"],
            ["+", line],
            [" ", "end"],
          ],
        ]),
        4000,
      ) ?? [];
    expect(parts.length).toBeGreaterThan(4);
    expect(joinedLines(...parts)).toEqual(["old", line]);
    for (const part of parts.slice(1, -1)) expect(part).toEndWith(continuation);
  });

  test("splits text that is no diff, too", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (text) => {
        fc.pre(parseDiff(text).every((file) => file.hunks.length === 0));
        expect((diffParts(text, 50) ?? []).join("")).toBe(text);
      }),
    );
  });

  test("refuses when a file's header leaves no room", () => {
    const path = "p".repeat(400);
    expect(diffParts(fileText(path, [[["+", "x".repeat(3000)]]]), 1000)).toBeUndefined();
  });

  test("still applies: git accepts the parts one after the other", () => {
    using repo = testRepo();
    using dir = tempDir();
    const lines = Array.from({ length: 400 }, (_, n) => `line ${n} ${"·".repeat(n % 40)}`);
    repo.commit("base", { "a.txt": `${lines.join("\n")}\n`, "b.txt": "b\n" });
    const changed = lines.flatMap((line, n) =>
      n % 7 === 0 ? [] : n % 5 === 0 ? [line, `new ${n}`] : [`${line}!`],
    );
    repo.commit("change", { "a.txt": changed.join("\n"), "b.txt": "c\n" });
    const diff = `${git(repo.path, "diff", "HEAD~", "HEAD")}\n`;
    const parts = diffParts(diff, 2500) ?? [];
    expect(parts.length).toBeGreaterThan(5);
    repo.git("checkout", "-q", "HEAD~");
    for (const [index, part] of parts.entries()) {
      // Later parts count lines as in the whole diff, where the earlier ones are not applied yet: hence from the end.
      const file = dir.join(`${parts.length - index}.diff`);
      Bun.write(file, part);
    }
    for (const index of parts.keys()) repo.git("apply", "--unidiff-zero", dir.join(`${index + 1}.diff`));
    expect(repo.git("diff", "main")).toBe("");
  });
});

/** Changed lines of parts, with the pieces of a cut line put together again. */
function joinedLines(...parts: string[]): string[] {
  const lines: string[] = [];
  let open = false;
  for (const part of parts) {
    const texts = changedLines(part);
    const [first, ...rest] = texts;
    if (open && first !== undefined) lines[lines.length - 1] += first;
    else if (first !== undefined) lines.push(first);
    lines.push(...rest);
    open = part.endsWith(continuation);
  }
  return lines;
}
