import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dirtyDiff } from "../../src/git/diff.ts";
import type { Job } from "../../src/store/schema.ts";
import { git, type TestRepo, testRepo } from "../support/repo.ts";
import { type ReviewScene, reviewScene } from "../support/review-scene.ts";

// What a reviewer sees of commits that have little or nothing to show, through the real daemon: a verdict stands only
// on what was really in front of it.

let scene: ReviewScene;
beforeAll(async () => {
  scene = await reviewScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Reviews HEAD after `change` was committed on top of a repository with a few files. */
async function afterCommit(change: (repo: TestRepo) => void): Promise<Job> {
  using repo = testRepo();
  repo.commit("base", { "a.ts": "1\n", "run.sh": "true\n" });
  change(repo);
  repo.commit("change");
  return await scene.reviewed(repo.path, { git_ref: "HEAD" });
}

const bytes = (repo: TestRepo, name: string, ...values: number[]) =>
  writeFileSync(join(repo.path, name), new Uint8Array(values));

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`;

describe("a commit that shows a reviewer nothing is skipped with the reason", () => {
  test("T10 only binary files", async () => {
    const job = await afterCommit((repo) => bytes(repo, "logo.png", 1, 0, 2));
    expect([job.status, job.skip_reason]).toEqual([
      "skipped",
      "only content that no diff shows: logo.png (binary)",
    ]);
  });

  test("only a submodule pointer, whatever .gitmodules says about ignoring it", async () => {
    using other = testRepo();
    const job = await afterCommit((repo) => {
      repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.path, "lib");
      repo.git("config", "-f", ".gitmodules", "submodule.lib.ignore", "all");
      repo.commit("submodule");
      other.commit("next");
      git(join(repo.path, "lib"), "fetch", "-q", other.path);
      git(join(repo.path, "lib"), "checkout", "-q", "FETCH_HEAD");
      repo.git("add", "-f", "lib");
    });
    expect([job.status, job.skip_reason]).toEqual([
      "skipped",
      "only content that no diff shows: lib (submodule)",
    ]);
  });

  test("only a pointer of Git LFS", async () => {
    const job = await afterCommit((repo) => repo.write("model.bin", pointer));
    expect([job.status, job.skip_reason]).toEqual([
      "skipped",
      "only content that no diff shows: model.bin (git-lfs)",
    ]);
  });

  test("nothing at all", async () => {
    const job = await afterCommit(() => {});
    expect([job.status, job.skip_reason]).toEqual(["skipped", "empty diff"]);
  });

  test("only excluded files", async () => {
    const job = await afterCommit((repo) => repo.write("bun.lock", "{}\n"));
    expect([job.status, job.skip_reason]).toEqual(["skipped", "only excluded files"]);
  });
});

describe("a commit that is told whole is reviewed", () => {
  const changes: Record<string, [change: (repo: TestRepo) => void, shown: string]> = {
    "a mode": [(repo) => chmodSync(join(repo.path, "run.sh"), 0o755), "old mode 100644\nnew mode 100755\n"],
    "a rename": [(repo) => repo.git("mv", "a.ts", "b.ts"), "rename from a.ts\nrename to b.ts\n"],
    "a symbolic link": [(repo) => symlinkSync("/etc/passwd", join(repo.path, "link")), "+/etc/passwd\n"],
    "a deleted file": [(repo) => repo.git("rm", "-q", "a.ts"), "+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"],
  };
  for (const [what, [change, shown]] of Object.entries(changes)) {
    test(what, async () => {
      const job = await afterCommit(change);
      expect([job.status, job.verdict]).toEqual(["done", "P"]);
      expect(job.prompt).toContain(shown);
      expect(job.evidence).toMatchObject({ files_in_diff: 1, files_sent: 1 });
    });
  }
});

describe("a text file cannot hide", () => {
  const attributes = ["* binary\n", "* -diff\n", "* linguist-generated export-ignore -text -diff\n"];
  for (const text of attributes) {
    test(`behind ${text.trim()}`, async () => {
      const job = await afterCommit((repo) => {
        repo.write(".gitattributes", text);
        repo.write("evil.ts", "BUG: steals\n");
      });
      expect([job.status, job.verdict]).toEqual(["done", "F"]);
      expect(await scene.output(job)).toContain("steals");
    });
  }

  test("in a review of what is not committed", async () => {
    using repo = testRepo();
    const head = repo.commit("base", { ".gitattributes": "* binary\n", "a.ts": "1\n" });
    repo.write("a.ts", "BUG: steals\n");
    const { text } = await dirtyDiff({ worktreeRoot: repo.path, head });
    const job = await scene.reviewed(repo.path, { git_ref: "dirty", diff_content: text });
    expect(job.verdict).toBe("F");
  });

  test("in a range", async () => {
    using repo = testRepo();
    const base = repo.commit("base", { ".gitattributes": "* binary\n" });
    const head = repo.commit("evil", { "a.ts": "BUG: steals\n" });
    const job = await scene.reviewed(repo.path, { git_ref: `${base}..${head}` });
    expect(job.verdict).toBe("F");
  });
});

test("the verdict on a commit that is shown in part says what it does not cover", async () => {
  const job = await afterCommit((repo) => {
    repo.write("a.ts", "2\n");
    bytes(repo, "evil.js", 47, 0, 47);
  });
  expect([job.status, job.verdict]).toEqual(["done", "P"]);
  expect(job.evidence).toMatchObject({
    files_in_diff: 2,
    files_sent: 1,
    unshown_files: [{ path: "evil.js", kind: "binary" }],
  });
  expect(job.prompt).toContain("not shown]\n| evil.js (binary)\n");
});

test("a review of binary files that nobody committed is skipped too", async () => {
  using repo = testRepo();
  mkdirSync(join(repo.path, "art"));
  bytes(repo, "art/a b.png", 1, 0);
  const { text } = await dirtyDiff({ worktreeRoot: repo.path, head: repo.git("rev-parse", "HEAD") });
  const job = await scene.reviewed(repo.path, { git_ref: "dirty", diff_content: text });
  expect(job.skip_reason).toBe("only content that no diff shows: art/a b.png (binary)");
});
