import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { dirtyDiff } from "../../src/git/diff.ts";
import { newFileDiff, quotePath } from "../../src/git/untracked.ts";
import { git, testRepo } from "../support/repo.ts";

const ofHead = (repo: { path: string; git(...args: string[]): string }) => ({
  worktreeRoot: repo.path,
  head: repo.git("rev-parse", "HEAD"),
});

test("P15 staged, unstaged and untracked changes are all there; ignored files are not", async () => {
  using repo = testRepo();
  repo.commit("base", { "staged.ts": "1\n", "unstaged.ts": "1\n", ".gitignore": "ignored\n" });
  repo.write("staged.ts", "2\n");
  repo.git("add", "staged.ts");
  repo.write("unstaged.ts", "2\n");
  repo.write("sub dir/ü new.ts", "a\nb");
  repo.write("ignored", "x\n");
  repo.write("bun.lock", "x\n");
  const diff = await dirtyDiff(ofHead(repo));
  expect(diff.files).toEqual([
    { path: "staged.ts", added: 1, removed: 1, binary: false },
    { path: "unstaged.ts", added: 1, removed: 1, binary: false },
    { path: "sub dir/ü new.ts", added: 2, removed: 0, binary: false },
  ]);
  expect(diff.text).toContain(
    "diff --git a/sub dir/ü new.ts b/sub dir/ü new.ts\nnew file mode 100644\n--- /dev/null\n" +
      "+++ b/sub dir/ü new.ts\t\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
  );
  expect(diff.excludedFiles).toEqual(["bun.lock"]);
});

test("P15 untracked binary files are named, symbolic links shown as what they are", async () => {
  using repo = testRepo();
  writeFileSync(join(repo.path, "b.bin"), new Uint8Array([1, 0, 2]));
  symlinkSync("/etc/passwd", join(repo.path, "link"));
  const diff = await dirtyDiff(ofHead(repo));
  expect(diff.text).toContain("Binary files /dev/null and b/b.bin differ\n");
  expect(diff.text).toContain(
    "new file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+/etc/passwd\n",
  );
  expect(diff.files).toEqual([
    { path: "b.bin", added: 0, removed: 0, binary: true },
    { path: "link", added: 1, removed: 0, binary: false },
  ]);
});

test("P15 without a commit everything is new", async () => {
  using repo = testRepo({ empty: true });
  repo.write("staged.ts", "1\n");
  repo.git("add", "staged.ts");
  repo.write("other.ts", "2\n");
  const diff = await dirtyDiff({ worktreeRoot: repo.path });
  expect(diff.files.map(({ path }) => path)).toEqual(["staged.ts", "other.ts"]);
});

test("a clean tree has no files, even where only times changed", async () => {
  using repo = testRepo();
  repo.write("README.md", "# test\n");
  const diff = await dirtyDiff(ofHead(repo));
  expect([diff.text, diff.files]).toEqual(["", []]);
});

test("a repository inside the work tree is not read", async () => {
  using repo = testRepo();
  mkdirSync(join(repo.path, "inner"));
  git(join(repo.path, "inner"), "init", "-q");
  repo.write("inner/secret", "x\n");
  expect((await dirtyDiff(ofHead(repo))).files).toEqual([]);
});

test("a diff beyond the limit is cut and still lists every file", async () => {
  using repo = testRepo();
  for (const name of ["a", "b", "c"]) repo.write(name, `${name.repeat(400)}\n`);
  const diff = await dirtyDiff(ofHead(repo), { maxBytes: 600 });
  expect(diff.truncated).toBe(true);
  expect(diff.bytes).toBeLessThanOrEqual(600);
  expect(diff.files).toHaveLength(3);
});

test("the diff of any new file is the one that git would print, its index line aside", async () => {
  using repo = testRepo();
  const name = fc.stringMatching(/^[a-zA-Zü "\\\n\t!$`'-]{1,12}$/).filter((text) => text.trim() !== "");
  const content = fc.array(fc.constantFrom("a", " ", "\n", "\r\n", "ü", "+", "@@", "\t"), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(name, content, fc.boolean(), async (file, pieces, executable) => {
      const path = join(repo.path, file);
      writeFileSync(path, pieces.join(""));
      if (executable) chmodSync(path, 0o755);
      const ours = await newFileDiff(repo.path, file);
      repo.git("add", "-N", "--", file);
      const run = Bun.spawnSync(["git", "-c", "core.quotePath=false", "diff", "--", file], {
        cwd: repo.path,
      });
      repo.git("rm", "-q", "--cached", "--", file);
      rmSync(path);
      expect(ours?.text).toBe(run.stdout.toString().replace(/^index .*\n/m, ""));
    }),
    { numRuns: 60 },
  );
});

test("paths that could break a line are quoted", () => {
  expect(quotePath('a/x\n+++ b/"y"\\\x01')).toBe('"a/x\\n+++ b/\\"y\\"\\\\\\001"');
  expect(quotePath("a/ü b")).toBe("a/ü b");
});
