import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitDiff, dirtyDiff, rangeDiff } from "../../src/git/diff.ts";
import { patchId } from "../../src/git/patch-id.ts";
import { git, type TestRepo, testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

// Every way in which a repository can make git print "Binary files differ" in place of a change to a text file.
const ways: Record<string, (repo: TestRepo) => void> = {
  "a committed .gitattributes, -diff": (repo) => repo.commit("attributes", { ".gitattributes": "* -diff\n" }),
  "a committed .gitattributes, binary": (repo) =>
    repo.commit("attributes", { ".gitattributes": "*.ts binary\n" }),
  "an untracked .gitattributes": (repo) => repo.write(".gitattributes", "* -diff\n"),
  "a .gitattributes in a directory": (repo) =>
    repo.commit("attributes", { "src/.gitattributes": "* binary\n" }),
  "info/attributes": (repo) => {
    mkdirSync(join(repo.path, ".git/info"), { recursive: true });
    writeFileSync(join(repo.path, ".git/info/attributes"), "* -diff\n");
  },
  "a driver that is binary": (repo) => {
    repo.commit("attributes", { ".gitattributes": "* diff=hide\n" });
    repo.git("config", "diff.hide.binary", "true");
  },
  "the default driver": (repo) => repo.git("config", "diff.default.binary", "true"),
  "core.attributesFile": (repo) => {
    repo.write(".git/other", "* -diff\n");
    repo.git("config", "core.attributesFile", join(repo.path, ".git/other"));
  },
  "core.bigFileThreshold": (repo) => repo.git("config", "core.bigFileThreshold", "1"),
};

describe("no attribute and no setting hides a change to a text file", () => {
  for (const [way, hide] of Object.entries(ways)) {
    test(way, async () => {
      using repo = testRepo();
      repo.commit("base", { "src/old name.ts": "1\n2\n3\n4\n5\n6\n7\n8\n", "src/gone.ts": "bye\n" });
      hide(repo);
      const base = repo.git("rev-parse", "HEAD");
      repo.git("mv", "src/old name.ts", "src/new.ts");
      rmSync(join(repo.path, "src/gone.ts"));
      repo.write("src/new.ts", "1\n2\n3\n4\n5\n6\n7\nrm -rf /\n");
      repo.write('src/"added".ts', "fetch(evil)\n");
      writeFileSync(join(repo.path, "src/real.bin"), new Uint8Array([1, 0, 2]));
      repo.git("add", "-A");
      const dirty = await dirtyDiff({ worktreeRoot: repo.path, head: base });
      const sha = repo.commit("hidden");
      const diffs = [await commitDiff(repo.path, sha), await rangeDiff(repo.path, base, sha), dirty];
      for (const diff of diffs) {
        for (const line of ["+rm -rf /\n", "+fetch(evil)\n", "-bye\n"]) expect(diff.text).toContain(line);
        expect(diff.text).toContain("rename from src/old name.ts\nrename to src/new.ts\n");
        expect(diff.text.match(/^Binary files .*/gm)).toEqual([
          "Binary files /dev/null and b/src/real.bin differ",
        ]);
        const files = Object.fromEntries(diff.files.map((file) => [file.path, file]));
        expect(files["src/new.ts"]).toMatchObject({
          from: "src/old name.ts",
          added: 1,
          removed: 1,
          binary: false,
        });
        expect(files['src/"added".ts']).toMatchObject({ added: 1, binary: false });
        expect(files["src/real.bin"]).toMatchObject({ binary: true });
      }
    });
  }

  test("a change that is not committed and not staged either", async () => {
    using repo = testRepo();
    const head = repo.commit("base", { ".gitattributes": "* -diff\n", "a.ts": "1\n", "b.ts": "1\n" });
    repo.write("a.ts", "2\n");
    rmSync(join(repo.path, "b.ts"));
    const { text, files } = await dirtyDiff({ worktreeRoot: repo.path, head });
    expect(text).toContain("@@ -1 +1 @@\n-1\n+2\n");
    expect(text).toContain("+++ /dev/null\n@@ -1 +0,0 @@\n-1\n");
    expect(files.map(({ path, binary }) => [path, binary])).toEqual([
      ["a.ts", false],
      ["b.ts", false],
    ]);
  });

  test("a thousand files at once", async () => {
    using repo = testRepo();
    const many = (text: string) =>
      Object.fromEntries(
        Array.from({ length: 1000 }, (_, index) => [`${"long".repeat(20)}/${index}.ts`, text]),
      );
    const head = repo.commit("base", { ".gitattributes": "* -diff\n", ...many("1\n") });
    for (const [name, text] of Object.entries(many("2\n"))) repo.write(name, text);
    const diff = await dirtyDiff({ worktreeRoot: repo.path, head });
    expect(diff.text.split("\n+2\n")).toHaveLength(1001);
    expect(diff.files.filter(({ binary }) => binary)).toEqual([]);
  }, 120_000);
});

test("a commit is what its parents make it, whatever info/grafts and refs/replace say", async () => {
  using repo = testRepo();
  const sha = repo.commit("evil", { "a.ts": "evil\n" });
  const same = repo.git("commit-tree", "-m", "same tree", `${sha}^{tree}`);
  writeFileSync(join(repo.path, ".git/info/grafts"), `${sha} ${same}\n`);
  expect((await commitDiff(repo.path, sha)).text).toContain("+evil\n");
  rmSync(join(repo.path, ".git/info/grafts"));
  repo.git("replace", sha, same);
  expect((await commitDiff(repo.path, sha)).text).toContain("+evil\n");
});

test("a linked worktree, borrowed objects and SHA-256 are read as git reads them", async () => {
  using repo = testRepo();
  using side = tempDir();
  const sha = repo.commit("second", { "a.ts": "one\n" });
  repo.git("worktree", "add", "-q", "--detach", side.join("tree"));
  expect((await commitDiff(side.join("tree"), sha)).text).toContain("+one\n");
  git(side.path, "clone", "-q", "--shared", repo.path, side.join("shared"));
  expect((await commitDiff(side.join("shared"), sha)).text).toContain("+one\n");
  git(side.path, "init", "-q", "--object-format=sha256", "long");
  writeFileSync(side.join("long/.gitattributes"), "* -diff\n");
  git(side.join("long"), "add", "-A");
  git(side.join("long"), "commit", "-q", "-m", "x");
  expect((await commitDiff(side.join("long"), "HEAD")).text).toContain("+* -diff\n");
});

test("the patch id tells hidden changes apart: a review never follows onto content that it did not see", async () => {
  using repo = testRepo();
  repo.commit("base", { ".gitattributes": "* -diff\n", "a.ts": "1\n" });
  const ids = ["good\n", "evil\n"].map((content) => {
    repo.git("checkout", "-q", "--detach", "main");
    return repo.commit("change", { "a.ts": content });
  });
  const [good, evil] = await Promise.all(ids.map((sha) => patchId(repo.path, sha)));
  expect(good).toBeTruthy();
  expect(good).not.toBe(evil);
});
