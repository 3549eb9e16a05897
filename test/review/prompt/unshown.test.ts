import { describe, expect, test } from "bun:test";
import { parseDiff } from "../../../src/review/prompt/diff-file.ts";
import { diffFilePath } from "../../../src/review/prompt/diff-path.ts";
import { namedUnshown, showsNothing, unshownFiles } from "../../../src/review/prompt/unshown.ts";
import { built, sampleDiff, sampleInput } from "./sample.ts";

const oid = (char: string) => `oid sha256:${char.repeat(64)}`;
const lfs = `diff --git a/big.psd b/big.psd
index 1111111..2222222 100644
--- a/big.psd
+++ b/big.psd
@@ -1,3 +1,3 @@
 version https://git-lfs.github.com/spec/v1
-${oid("a")}
-size 1
+${oid("b")}
+size 2
`;
const binary =
  "diff --git a/a b.png b/a b.png\nindex 1111111..2222222 100644\nBinary files a/a b.png and b/a b.png differ\n" +
  'diff --git "a/o\\303\\274\\n.png" "b/o\\303\\274\\n.png"\nnew file mode 100644\nBinary files /dev/null and "b/x" differ\n' +
  "diff --git a/old.png b/new.png\nsimilarity index 60%\nrename from old.png\nrename to new.png\nindex 1..2 100644\nBinary files a/old.png and b/new.png differ\n";
const submodule =
  "diff --git a/lib b/lib\nindex 1111111..2222222 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n" +
  "diff --git a/dep b/dep\nnew file mode 160000\nindex 0000000..2222222\n--- /dev/null\n+++ b/dep\n@@ -0,0 +1 @@\n+Subproject commit 2\n";

describe("what a diff does not show", () => {
  test("is named with its reason: binary files, submodules, Git LFS", () => {
    expect(unshownFiles(binary + submodule + lfs + sampleDiff)).toEqual([
      { path: "a b.png", kind: "binary" },
      { path: "oü\n.png", kind: "binary" },
      { path: "new.png", kind: "binary" },
      { path: "lib", kind: "submodule" },
      { path: "dep", kind: "submodule" },
      { path: "big.psd", kind: "git-lfs" },
    ]);
    for (const text of [binary, submodule, lfs, binary + lfs]) expect(showsNothing(text)).toBe(true);
    expect(showsNothing(binary + sampleDiff)).toBe(false);
    expect(showsNothing("")).toBe(false);
  });

  test("is not a deletion, a rename, a mode or an empty file: those are told whole", () => {
    const told = [
      "diff --git a/x.png b/x.png\ndeleted file mode 100644\nindex 1..0\nBinary files a/x.png and /dev/null differ\n",
      "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
      "diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n",
      "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n",
      "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
    ];
    for (const text of told) {
      expect(unshownFiles(text)).toEqual([]);
      expect(showsNothing(text)).toBe(false);
    }
  });

  test("is nothing that only looks like it: a line of content, a pointer with code behind it", () => {
    const content = sampleDiff.replace("+const two = 2;", "+Binary files a/x and b/x differ");
    expect(unshownFiles(content)).toEqual([]);
    const disguised = lfs
      .replace("@@ -1,3 +1,3 @@", "@@ -1,3 +1,4 @@")
      .replace("+size 2\n", "+size 2\n+evil()\n");
    expect(unshownFiles(disguised)).toEqual([]);
    const converted = lfs.replace(`-${oid("a")}`, "-text that is gone");
    expect(unshownFiles(converted)).toHaveLength(1);
    expect(showsNothing(converted)).toBe(false);
  });

  test("is named shortly and on one line for people", () => {
    expect(namedUnshown(unshownFiles(binary + submodule), 2)).toBe(
      "a b.png (binary), oü .png (binary) and 3 more",
    );
  });
});

test("the path of every kind of file part is found", () => {
  const paths = (text: string) => parseDiff(text).map(diffFilePath);
  expect(paths(sampleDiff)).toEqual(["src/a.ts"]);
  expect(paths(binary)).toEqual(["a b.png", "oü\n.png", "new.png"]);
  expect(
    paths("diff --git a/a b b/a b\nnew file mode 100644\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+x\n"),
  ).toEqual(["a b"]);
});

describe("a prompt for a change with parts that cannot be shown", () => {
  const diff = {
    ...sampleInput().diff,
    text: sampleDiff + binary,
    files: [
      { path: "src/a.ts", added: 1, removed: 1, binary: false },
      ...["a b.png", "oü\n.png", "new.png"].map((path) => ({ path, added: 0, removed: 0, binary: true })),
    ],
  };

  test("says which they are, as data, and counts only what it carries", () => {
    const { prompts, filesSent, unshown } = built({ diff });
    expect(prompts[0]).toContain("## Changes that the diff does not show");
    expect(prompts[0]).toContain(
      ": not shown]\n| a b.png (binary)\n| oü .png (binary)\n| new.png (binary)\n[end ",
    );
    expect(unshown).toHaveLength(3);
    expect(filesSent).toBe(1);
    expect(built().prompts[0]).not.toContain("does not show");
  });
});
