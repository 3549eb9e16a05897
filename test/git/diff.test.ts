import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyTree } from "../../src/git/commit.ts";
import { commitDiff, rangeDiff } from "../../src/git/diff.ts";
import { git, testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

describe("a commit's diff", () => {
  test("holds the change, its size and its files", async () => {
    using repo = testRepo();
    const sha = repo.commit("second", { "src/a b.ts": "one\ntwo\n", "ü.txt": "x\n" });
    const diff = await commitDiff(repo.path, sha);
    expect(diff.text).toContain("+++ b/src/a b.ts\t\n@@ -0,0 +1,2 @@\n+one\n+two\n");
    expect(diff.text).toContain("+++ b/ü.txt\n");
    expect({ ...diff, text: "", bytes: 0 }).toEqual({
      text: "",
      bytes: 0,
      files: [
        { path: "src/a b.ts", added: 2, removed: 0, binary: false },
        { path: "ü.txt", added: 1, removed: 0, binary: false },
      ],
      excludedFiles: [],
      isMerge: false,
    });
    expect(diff.bytes).toBe(Buffer.byteLength(diff.text));
  });

  test("P08 of a root commit is against the empty tree, in SHA-256 repositories too", async () => {
    using repo = testRepo();
    const diff = await commitDiff(repo.path, repo.git("rev-parse", "HEAD"));
    expect(diff.files).toEqual([{ path: "README.md", added: 1, removed: 0, binary: false }]);
    expect(await emptyTree(repo.path)).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    using side = tempDir({ "a.ts": "x\n" });
    git(side.path, "init", "-q", "--object-format=sha256");
    git(side.path, "add", "-A");
    git(side.path, "commit", "-q", "-m", "x");
    expect((await commitDiff(side.path, "HEAD")).text).toEndWith("@@ -0,0 +1 @@\n+x\n");
  });

  test("follows renames and marks binary files", async () => {
    using repo = testRepo();
    repo.commit("text", { "old.ts": "1\n2\n3\n4\n5\n6\n" });
    repo.git("mv", "old.ts", "new.ts");
    writeFileSync(join(repo.path, "b.bin"), new Uint8Array([0, 1, 2]));
    const diff = await commitDiff(repo.path, repo.commit("rename"));
    expect(diff.files).toEqual([
      { path: "b.bin", added: 0, removed: 0, binary: true },
      { path: "new.ts", from: "old.ts", added: 0, removed: 0, binary: false },
    ]);
    expect(diff.text).toContain("Binary files /dev/null and b/b.bin differ");
  });

  test("P09 leaves out lock files and the user's patterns, and says which", async () => {
    using repo = testRepo();
    const sha = repo.commit("deps", {
      "bun.lock": "{}\n",
      "sub/Cargo.lock": "x\n",
      ".cache/x": "x\n",
      "gen/a.ts": "x\n",
      "lib/gen/b.ts": "x\n",
      "docs/api.md": "x\n",
      "src/docs/api.md": "x\n",
      "src/real.ts": "x\n",
    });
    const diff = await commitDiff(repo.path, sha, { exclude: ["gen", "/docs", "../x", "", "src/none/"] });
    expect(diff.files.map(({ path }) => path)).toEqual(["src/docs/api.md", "src/real.ts"]);
    expect(diff.excludedFiles.toSorted()).toEqual(
      [".cache/x", "bun.lock", "docs/api.md", "gen/a.ts", "lib/gen/b.ts", "sub/Cargo.lock"].toSorted(),
    );
    const onlyLocks = await commitDiff(repo.path, repo.commit("locks", { "bun.lock": "{2}\n" }));
    expect([onlyLocks.text, onlyLocks.files, onlyLocks.excludedFiles]).toEqual(["", [], ["bun.lock"]]);
  });

  test("P09 of an empty commit has no files", async () => {
    using repo = testRepo();
    const diff = await commitDiff(repo.path, repo.commit("nothing"));
    expect([diff.text, diff.files, diff.excludedFiles]).toEqual(["", [], []]);
  });

  test("is the same from a sub-directory", async () => {
    using repo = testRepo();
    const sha = repo.commit("second", { "src/a.ts": "x\n", "go.sum": "x\n" });
    expect(await commitDiff(join(repo.path, "src"), sha)).toEqual(await commitDiff(repo.path, sha));
  });

  test("ignores the user's taste in diffs", async () => {
    using repo = testRepo();
    const sha = repo.commit("second", { "a.ts": "x\n" });
    const before = await commitDiff(repo.path, sha);
    for (const [key, value] of [
      ["diff.noprefix", "true"],
      ["color.ui", "always"],
      ["diff.context", "0"],
    ] as const)
      repo.git("config", key, value);
    expect(await commitDiff(repo.path, sha)).toEqual(before);
  });

  test("is cut at a character and says so", async () => {
    using repo = testRepo();
    const sha = repo.commit("big", { big: "ü".repeat(5000) });
    const diff = await commitDiff(repo.path, sha, { maxBytes: 1001 });
    expect(diff.truncated).toBe(true);
    expect(diff.bytes).toBeLessThanOrEqual(1001);
    expect(diff.text).not.toContain("\ufffd");
    expect(diff.files).toHaveLength(1);
  });
});

describe("a merge", () => {
  const diverged = () => {
    const repo = testRepo();
    repo.git("checkout", "-q", "-b", "side");
    repo.commit("side", { "side.txt": "side\n", "both.txt": "side\n" });
    repo.git("checkout", "-q", "main");
    return repo;
  };

  test("P09 without conflicts is clean, and its diff is against the first parent", async () => {
    using repo = diverged();
    repo.commit("main", { "main.txt": "main\n" });
    repo.git("merge", "-q", "--no-edit", "side");
    const diff = await commitDiff(repo.path, repo.git("rev-parse", "HEAD"));
    expect(diff).toMatchObject({ isMerge: true, hasConflictHunks: false });
    expect(diff.files.map(({ path }) => path)).toEqual(["both.txt", "side.txt"]);
  });

  test("with a resolved conflict is not clean", async () => {
    using repo = diverged();
    repo.commit("main", { "both.txt": "main\n" });
    expect(() => repo.git("merge", "-q", "--no-edit", "side")).toThrow();
    const diff = await commitDiff(repo.path, repo.commit("merge", { "both.txt": "mixed\n" }));
    expect(diff).toMatchObject({ isMerge: true, hasConflictHunks: true });
  });
});

test("a range's diff is what lies between its ends", async () => {
  using repo = testRepo();
  const base = repo.git("rev-parse", "HEAD");
  repo.commit("one", { "a.ts": "1\n" });
  const head = repo.commit("two", { "a.ts": "2\n" });
  const diff = await rangeDiff(repo.path, base, head);
  expect(diff.text).toContain("+2\n");
  expect(diff.text).not.toContain("+1\n");
  await expect(rangeDiff(repo.path, "--output=x", head)).rejects.toMatchObject({ code: "E_BAD_REF" });
});
