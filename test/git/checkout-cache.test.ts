import { expect, test } from "bun:test";
import { chownSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Checkout, findCheckout } from "../../src/git/checkout.ts";
import { createCheckoutReader } from "../../src/git/checkout-cache.ts";
import { readCheckout } from "../../src/git/head-reader.ts";
import { git, type TestRepo, testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { shapes } from "./shapes.ts";

/** Believes every time stamp at once, so that each look is answered from memory if anything allows it. */
const eager = () => createCheckoutReader(() => Date.now() + 3_600_000);

for (const [name, shape] of Object.entries(shapes)) {
  test(`from ${name} the memory says what the reader says, again and again`, () => {
    using repo = testRepo(shape.empty ? { empty: true } : {});
    using side = tempDir();
    const directory = shape.prepare(repo, side.join);
    const read = eager();
    const truth = readCheckout(directory);
    for (let look = 0; look < 3; look++) expect(read(directory)).toEqual(truth);
  });
}

test("an unchanged checkout is the same object, whatever happens to its files", () => {
  using repo = testRepo();
  const read = eager();
  const first = read(repo.path);
  repo.write("new.ts", "1\n");
  repo.git("add", "-A");
  repo.git("status");
  expect(read(repo.path)).toBe(first as Checkout);
  expect(read(repo.path)).toBe(first as Checkout);
});

test("a checkout whose files are younger than a tick of the clock is read again", () => {
  using repo = testRepo();
  const read = createCheckoutReader(() => Date.now() - 1_000);
  expect(read(repo.path)).not.toBe(read(repo.path) as Checkout);
});

const changes: Record<string, (repo: TestRepo, side: (name: string) => string) => void> = {
  "a commit": (repo) => void repo.commit("second"),
  "an amended commit": (repo) => repo.git("commit", "-q", "--amend", "--allow-empty", "-m", "other"),
  "a new branch": (repo) => repo.git("checkout", "-q", "-b", "side"),
  "a detached HEAD": (repo) => repo.git("checkout", "-q", "--detach"),
  "packed refs": (repo) => repo.git("pack-refs", "--all"),
  "a commit behind packed refs": (repo) => {
    repo.git("pack-refs", "--all");
    repo.commit("second");
    repo.git("pack-refs", "--all");
  },
  "a branch that is gone": (repo) => repo.git("update-ref", "-d", "refs/heads/main"),
  "a branch that became a link to another": (repo) => {
    repo.git("branch", "other");
    repo.git("symbolic-ref", "refs/heads/main", "refs/heads/other");
  },
  "another format version": (repo) => repo.git("config", "core.repositoryFormatVersion", "7"),
  "a repository declared bare": (repo) => repo.git("config", "core.bare", "true"),
  "a commondir": (repo, side) => {
    git(repo.path, "clone", "-q", repo.path, side("other"));
    writeFileSync(join(repo.path, ".git/commondir"), `${side("other")}/.git\n`);
  },
  "objects that are gone": (repo) => rmSync(join(repo.path, ".git/objects"), { recursive: true }),
  "a repository that is gone": (repo) => rmSync(join(repo.path, ".git"), { recursive: true }),
  "a replaced repository": (repo) => {
    rmSync(join(repo.path, ".git"), { recursive: true });
    repo.git("init", "-q");
    repo.commit("again");
  },
  "a .git that became a link": (repo, side) => {
    renameSync(join(repo.path, ".git"), side("elsewhere"));
    symlinkSync(side("elsewhere"), join(repo.path, ".git"));
  },
  "a HEAD that became a link": (repo, side) => {
    renameSync(join(repo.path, ".git/HEAD"), side("HEAD"));
    symlinkSync(side("HEAD"), join(repo.path, ".git/HEAD"));
  },
  "a repository within it": (repo) => git(join(repo.path, "a"), "init", "-q"),
  "a repository right there": (repo) => git(join(repo.path, "a/b"), "init", "-q"),
  "a bare repository around it": (repo) => {
    mkdirSync(join(repo.path, "a/objects"));
    writeFileSync(join(repo.path, "a/HEAD"), "ref: refs/heads/main\n");
  },
  "a directory that is gone": (repo) => rmSync(join(repo.path, "a"), { recursive: true }),
  "a directory that became a link": (repo, side) => {
    git(repo.path, "clone", "-q", repo.path, side("other"));
    rmSync(join(repo.path, "a"), { recursive: true });
    mkdirSync(join(side("other"), "b"));
    symlinkSync(side("other"), join(repo.path, "a"));
  },
  "a checkout that moved and left a link": (repo, side) => {
    renameSync(repo.path, side("moved"));
    symlinkSync(side("moved"), repo.path);
  },
};

for (const [name, change] of Object.entries(changes)) {
  test(`${name} is seen at the very next look, from the top and from below`, () => {
    using repo = testRepo({ subdirectory: "repo" });
    using side = tempDir();
    const below = join(repo.path, "a/b");
    mkdirSync(below, { recursive: true });
    const read = eager();
    for (let look = 0; look < 2; look++) for (const directory of [repo.path, below]) read(directory);
    change(repo, side.join);
    for (let look = 0; look < 2; look++) {
      expect(read(below)).toEqual(readCheckout(below));
      expect(read(repo.path)).toEqual(readCheckout(repo.path));
    }
  });
}

test("a branch file that was written in place is seen although its size, inode and modification time are as before", () => {
  using repo = testRepo();
  const file = join(repo.path, ".git/refs/heads/main");
  const other = repo.git("commit-tree", "HEAD^{tree}", "-m", "other");
  const backdate = () => utimesSync(file, new Date(1_000_000), new Date(1_000_000));
  backdate();
  const read = eager();
  expect(read(repo.path)).toBe(read(repo.path) as Checkout);
  writeFileSync(file, `${other}\n`);
  backdate();
  expect(read(repo.path)).toMatchObject({ head: other });
});

test("a checkout whose parent moved and left a link is seen where it is now", () => {
  using repo = testRepo({ subdirectory: "parent/repo" });
  const parent = join(repo.path, "..");
  const read = eager();
  expect(read(repo.path)).toMatchObject({ worktreeRoot: repo.path });
  renameSync(parent, `${parent}-moved`);
  symlinkSync(`${parent}-moved`, parent);
  expect(read(repo.path)).toMatchObject({ worktreeRoot: join(`${parent}-moved`, "repo") });
});

test("objects behind a link are seen to be gone although nothing changed in the repository", () => {
  using repo = testRepo();
  using side = tempDir();
  const objects = join(repo.path, ".git/objects");
  renameSync(objects, side.join("objects"));
  symlinkSync(side.join("objects"), objects);
  const read = eager();
  expect(read(repo.path)).toMatchObject({ worktreeRoot: repo.path });
  renameSync(side.join("objects"), side.join("elsewhere"));
  expect(read(repo.path)).toEqual(readCheckout(repo.path));
});

test.skipIf(process.geteuid?.() !== 0)(
  "a checkout that was given to another user is git's to judge at once",
  () => {
    using repo = testRepo();
    const read = eager();
    for (const path of [repo.path, join(repo.path, ".git")]) {
      expect(read(repo.path)).toMatchObject({ worktreeRoot: repo.path });
      chownSync(path, 65_534, 65_534);
      expect(read(repo.path)).toBe("ask-git");
      chownSync(path, 0, 0);
    }
  },
);

test("a linked worktree is remembered; its commits, its move and its removal are seen", async () => {
  using repo = testRepo();
  using side = tempDir();
  const [tree, moved] = [side.join("tree"), side.join("moved")];
  repo.git("worktree", "add", "-q", "-b", "side", tree);
  const read = eager();
  const first = read(tree);
  expect(first).toEqual(await findCheckout(tree));
  expect(read(tree)).toBe(first as Checkout);
  git(tree, "commit", "-q", "--allow-empty", "-m", "second");
  expect(read(tree)).toEqual(await findCheckout(tree));
  expect(read(tree)).not.toEqual(first);
  repo.git("worktree", "move", tree, moved);
  expect(read(tree)).toBeUndefined();
  expect(read(moved)).toEqual(await findCheckout(moved));
  repo.git("worktree", "remove", moved);
  expect(read(moved)).toBeUndefined();
});

test("the memory is bounded: the checkout that was learnt first is forgotten", () => {
  using repo = testRepo();
  const read = eager();
  const first = read(repo.path);
  for (let index = 0; index < 512; index++) {
    mkdirSync(join(repo.path, "d", String(index)), { recursive: true });
    read(join(repo.path, "d", String(index)));
  }
  const again = read(repo.path);
  expect(again).toEqual(first);
  expect(again).not.toBe(first as Checkout);
});
