import { expect, test } from "bun:test";
import { join } from "node:path";
import { findCheckout, resolveCheckout } from "../../src/git/checkout.ts";
import { git, testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

test("a checkout names its top, its git directory, its commit and its branch", async () => {
  using repo = testRepo();
  expect(await findCheckout(repo.path)).toEqual({
    worktreeRoot: repo.path,
    mainRoot: repo.path,
    gitDir: join(repo.path, ".git"),
    commonDir: join(repo.path, ".git"),
    head: repo.git("rev-parse", "HEAD"),
    branch: "main",
  });
});

test("a linked worktree is filed under the main checkout", async () => {
  using repo = testRepo();
  using side = tempDir();
  repo.git("worktree", "add", "-q", "--detach", side.join("tree"));
  const checkout = await resolveCheckout(side.join("tree"));
  expect(checkout).toMatchObject({ worktreeRoot: side.join("tree"), mainRoot: repo.path, branch: "" });
});

test("P14 a submodule and worktrees of a bare repository have distinct, stable main roots", async () => {
  using repo = testRepo();
  using side = tempDir();
  git(repo.path, "clone", "-q", "--bare", repo.path, side.join("bare.git"));
  for (const name of ["one", "two"]) {
    git(side.join("bare.git"), "worktree", "add", "-q", "-b", name, side.join(name));
    expect((await findCheckout(side.join(name)))?.mainRoot).toBe(side.join("bare.git"));
  }
  repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", side.join("bare.git"), "sub");
  expect((await findCheckout(join(repo.path, "sub")))?.mainRoot).toBe(join(repo.path, "sub"));
});

test("a branch that shares its name with a tag keeps its plain name", async () => {
  using repo = testRepo();
  repo.git("tag", "main");
  expect((await findCheckout(repo.path))?.branch).toBe("main");
});

test("P13 git variables of a hook that we run in do not change what is found", async () => {
  using repo = testRepo();
  using other = testRepo();
  process.env.GIT_DIR = join(other.path, ".git");
  process.env.GIT_INDEX_FILE = "/nonexistent/index";
  try {
    expect((await findCheckout(repo.path))?.worktreeRoot).toBe(repo.path);
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
  }
});

test("a relative path is no checkout: it would depend on where the daemon stands", async () => {
  expect(await resolveCheckout(".")).toBeUndefined();
  expect(await findCheckout(".")).toBeUndefined();
});
