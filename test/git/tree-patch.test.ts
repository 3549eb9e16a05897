import { expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { applyPatch, rememberTree, revertPatch, treePatch } from "../../src/git/tree-patch.ts";
import { addReviewWorktree } from "../../src/git/worktree.ts";
import { git, type TestRepo, testRepo } from "../support/repo.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

/** A worktree of the repository at HEAD, remembered as it is. */
async function worktree(repo: TestRepo, dir: TempDir) {
  const path = dir.join("tree");
  const sha = repo.git("rev-parse", "HEAD");
  await addReviewWorktree({ mainRoot: repo.path, path, sha });
  return { path, base: await rememberTree(path, sha, dir.path) };
}

const options = (repo: TestRepo) => ({ cwd: repo.path, env: process.env, timeoutMs: 30_000 });

test("a patch carries commits, staged and other changes, binary files, modes, links and removals, byte for byte, and goes back", async () => {
  using repo = testRepo();
  using dir = tempDir();
  repo.commit("files", {
    ...{ ".gitignore": "*.log\n", "run.sh": "echo\n", "gone.txt": "gone\n", "crlf.txt": "a\r\nb\r\n" },
    ...{ "spaces at end.txt": "x  \n\ty\n" },
  });
  // What the user prefers for patches and diffs must not bend this one.
  for (const [key, value] of [
    ["apply.whitespace", "error"],
    ["diff.noprefix", "true"],
    ["diff.external", "false"],
    ["color.ui", "always"],
    ["core.autocrlf", "false"],
  ])
    repo.git("config", key as string, value as string);
  const { path, base } = await worktree(repo, dir);
  writeFileSync(`${path}/committed.txt`, "in a commit  \n");
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", "own");
  writeFileSync(
    `${path}/blob.bin`,
    Uint8Array.from({ length: 1000 }, (_, index) => index % 256),
  );
  git(path, "rm", "-q", "gone.txt");
  chmodSync(`${path}/run.sh`, 0o755);
  symlinkSync("run.sh", `${path}/link`);
  writeFileSync(`${path}/crlf.txt`, "a\r\nchanged \r\n");
  mkdirSync(`${path}/-odd dir`);
  writeFileSync(`${path}/-odd dir/\u00e4 "quoted".txt`, "no newline at end");
  writeFileSync(`${path}/left.log`, "ignored");
  const patch = await treePatch(base);
  if (patch === undefined) throw new Error("no patch");
  expect(repo.git("status", "--porcelain")).toBe("");
  await applyPatch(patch, options(repo));
  expect(repo.git("write-tree")).toBe(patch.tree);
  expect(repo.git("diff", "--no-ext-diff", "--name-only")).toBe("");
  for (const name of ["blob.bin", "crlf.txt", "committed.txt", '-odd dir/\u00e4 "quoted".txt'])
    expect(readFileSync(`${repo.path}/${name}`)).toEqual(readFileSync(`${path}/${name}`));
  expect(lstatSync(`${repo.path}/run.sh`).mode & 0o111).not.toBe(0);
  expect(await revertPatch(patch, options(repo))).toBe(true);
  expect(repo.git("status", "--porcelain")).toBe("");
});

test("a change that keeps size and time of a file is seen, and so is one that the worktree's own index hides", async () => {
  using repo = testRepo();
  using dir = tempDir();
  repo.commit("files", { "a.txt": "aaaa\n", "b.txt": "bbbb\n" });
  const { path, base } = await worktree(repo, dir);
  expect(await treePatch(base)).toBeUndefined();
  const { atime, mtime } = lstatSync(`${path}/a.txt`);
  writeFileSync(`${path}/a.txt`, "cccc\n");
  utimesSync(`${path}/a.txt`, atime, mtime);
  writeFileSync(`${path}/b.txt`, "dddd\n");
  git(path, "update-index", "--assume-unchanged", "b.txt");
  const text = new TextDecoder().decode((await treePatch(base))?.bytes);
  expect(text).toContain("+cccc");
  expect(text).toContain("+dddd");
});

test("what a sparse checkout leaves out is not taken for removed", async () => {
  using repo = testRepo();
  using dir = tempDir();
  repo.commit("files", { "in/a.txt": "a\n", "out/b.txt": "b\n" });
  repo.git("sparse-checkout", "set", "in");
  const { path, base } = await worktree(repo, dir);
  writeFileSync(`${path}/in/a.txt`, "changed\n");
  const patch = await treePatch(base);
  const names = repo.git("diff-tree", "-r", "--name-only", "HEAD", patch?.tree ?? "");
  expect(names).toBe("in/a.txt");
});

test("a patch that does not fit, or that somebody built upon, is neither applied nor taken back in part", async () => {
  using repo = testRepo();
  using dir = tempDir();
  const { path, base } = await worktree(repo, dir);
  writeFileSync(`${path}/README.md`, "changed\n");
  writeFileSync(`${path}/new.txt`, "new\n");
  const patch = await treePatch(base);
  if (patch === undefined) throw new Error("no patch");
  repo.write("new.txt", "mine\n");
  await expect(applyPatch(patch, options(repo))).rejects.toMatchObject({
    code: "E_APPLY",
    message: expect.stringContaining("new.txt: already exists in working directory"),
  });
  expect(repo.git("status", "--porcelain")).toBe("?? new.txt");
  Bun.spawnSync(["rm", `${repo.path}/new.txt`]);
  await applyPatch(patch, options(repo));
  repo.write("README.md", "changed\nand mine\n");
  expect(await revertPatch(patch, options(repo))).toBe(false);
  expect(readFileSync(`${repo.path}/README.md`, "utf8")).toBe("changed\nand mine\n");
  expect(readFileSync(`${repo.path}/new.txt`, "utf8")).toBe("new\n");
});

test("a patch is of the repository that the worktree was made from, wherever its .git leads by now", async () => {
  using repo = testRepo();
  using dir = tempDir();
  const { path, base } = await worktree(repo, dir);
  // A driver that the repository configures must not be started, however the worktree looks.
  repo.git("config", "filter.own.clean", `touch ${dir.join("ran")}; cat`);
  writeFileSync(`${path}/.gitattributes`, "* filter=own\n");
  rmSync(`${path}/.git`);
  git(path, "init", "-q");
  git(path, "add", ".");
  git(path, "commit", "-q", "-m", "begun anew");
  writeFileSync(`${path}/README.md`, "changed\n");
  const text = new TextDecoder().decode((await treePatch(base))?.bytes);
  expect(text).toContain("+changed");
  expect(existsSync(dir.join("ran"))).toBe(false);
  rmSync(`${path}/.git`, { recursive: true });
  expect(await treePatch(base)).toBeDefined();
});

test("a repository within the worktree is no part of a patch: that is said, unless it is a submodule", async () => {
  using repo = testRepo();
  using dir = tempDir();
  const { path, base } = await worktree(repo, dir);
  mkdirSync(`${path}/vendor/own`, { recursive: true });
  git(`${path}/vendor/own`, "init", "-q");
  git(`${path}/vendor/own`, "commit", "-q", "--allow-empty", "-m", "one");
  writeFileSync(`${path}/.gitmodules`, '[submodule "x"]\n\tpath = vendor\n');
  await expect(treePatch(base)).rejects.toMatchObject({
    code: "E_OWN_REPOSITORY",
    message: expect.stringContaining("vendor/own"),
  });
  writeFileSync(`${path}/.gitmodules`, '[submodule "x"]\n\tpath = vendor/own\n\turl = ./own\n');
  const text = new TextDecoder().decode((await treePatch(base))?.bytes);
  expect(text).toContain("new file mode 160000");
});
