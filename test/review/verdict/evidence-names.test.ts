import { describe, expect, test } from "bun:test";
import { namesChange } from "../../../src/review/verdict/evidence.ts";
import { changeEvidence } from "../../../src/review/verdict/evidence-names.ts";

const diff = `diff --git a/src/a.ts b/src/a.ts
index 111..222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,4 +1,4 @@ function contextOnly() {
 const unchanged = 1;
-const oldName = readAll();
--- a comment in SQL, removed
+const newName = read_all(x2);
+++ counter;
 end
`;

describe("what a change is made of", () => {
  test("identifiers come from changed lines only, and content that looks like a header is content", () => {
    const { names, changedLines } = changeEvidence({ text: diff, files: [{ path: "src/a.ts" }] });
    expect(changedLines).toBe(4);
    expect(names.files).toEqual(["src/a.ts"]);
    expect(names.identifiers).toContain("newName");
    expect(names.identifiers).toContain("readAll");
    expect(names.identifiers).toContain("counter");
    expect(names.identifiers).not.toContain("unchanged");
    expect(names.identifiers).not.toContain("contextOnly");
    expect(names.identifiers).not.toContain("index");
  });

  test("a change without text lines has none", () => {
    const binary = "diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n";
    expect(changeEvidence({ text: binary, files: [{ path: "x.png" }] })).toEqual({
      names: { files: ["x.png"], identifiers: [] },
      changedLines: 0,
      changedLength: 0,
    });
  });
});

describe("whether a text names a change", () => {
  const names = {
    files: ["src/a b.ts", "pkg/main.go", "Makefile", "update"],
    identifiers: ["größeMax", "x2", "found"],
  };

  test("paths, base names, and code-like identifiers do", () => {
    for (const text of [
      "see src/a b.ts",
      "pkg/main.go",
      "./pkg/main.go:12",
      "(main.go#L3)",
      "`main.go`.",
      "Makefile is fine",
      "`update` is fine",
      "größeMax ist gut",
    ]) {
      expect(namesChange(text, names), text).toBe(true);
    }
  });

  test("plain words and other names do not", () => {
    for (const text of [
      "",
      "No issues found.",
      "the update is fine",
      "main",
      "other.go",
      "xmain.go",
      "größe",
    ]) {
      expect(namesChange(text, names), text).toBe(false);
    }
  });
});
