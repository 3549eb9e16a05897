import { describe, expect, test } from "bun:test";
import { chmodSync, rmSync } from "node:fs";
import { installGitHooks } from "../../../src/git/hooks/install.ts";
import { git } from "../../support/repo.ts";
import { gitOutput, hookedRepo } from "./hooked-repo.ts";

// What the installed hooks do when git runs them. The program in place of roborev prints, and exits with 3.

test("a commit runs the program and neither prints nor fails because of it", async () => {
  using place = await hookedRepo();
  await installGitHooks(place.checkout, { binary: place.binary });
  const commit = gitOutput(place.repo.path, "commit", "-q", "--allow-empty", "-m", "x");
  expect(commit).toEqual({ exitCode: 0, printed: "" });
  expect(place.runs()).toEqual([`post-commit|${place.repo.path}|`]);
});

test("an amend hands the pairs of commits on", async () => {
  using place = await hookedRepo();
  await installGitHooks(place.checkout, { binary: place.binary });
  const old = place.repo.git("rev-parse", "HEAD");
  const amend = gitOutput(place.repo.path, "commit", "-q", "--amend", "--allow-empty", "-m", "other");
  expect(amend).toEqual({ exitCode: 0, printed: "" });
  const pairs = `${old} ${place.repo.git("rev-parse", "HEAD")},`;
  expect(place.runs().toSorted()).toEqual([
    `post-commit|${place.repo.path}|`,
    `remap --quiet|${place.repo.path}|${pairs}`,
  ]);
});

test("H02 a foreign hook that ends in exit 1 has ours right behind its shebang, and keeps its output and status", async () => {
  using place = await hookedRepo();
  place.writeHook("post-commit", "#!/bin/sh\necho theirs >&2\nexit 1\n");
  await installGitHooks(place.checkout, { binary: place.binary });
  const commit = gitOutput(place.repo.path, "commit", "-q", "--allow-empty", "-m", "x");
  expect(commit.printed).toBe("theirs\n");
  expect(place.runs()).toHaveLength(1);
  expect(place.readHook("post-commit")).toStartWith("#!/bin/sh\n# roborev post-commit hook v");
  // Git does not ask for the status of this hook; whoever runs it otherwise does.
  const run = Bun.spawnSync([place.hook("post-commit")], { cwd: place.repo.path, stderr: "pipe" });
  expect([run.exitCode, run.stderr.toString()]).toEqual([1, "theirs\n"]);
  expect(place.runs()).toHaveLength(2);
});

for (const head of ["#!/bin/sh -eu", "#!/usr/bin/env bash", "#!/bin/bash -eu", "#!/bin/dash"]) {
  test(`under ${head} the foreign part sees its own variables, status and the whole input`, async () => {
    using place = await hookedRepo();
    const rest = `ROBOREV=mine\nwhile read -r old new; do echo "$old-$new" >&2; done\necho "$ROBOREV $?" >&2\n`;
    place.writeHook("post-commit", `${head}\nROBOREV=mine\nexport ROBOREV\necho "$ROBOREV $?" >&2\n`);
    place.writeHook("post-rewrite", `${head}\n${rest}`);
    await installGitHooks(place.checkout, { binary: place.binary });
    const old = place.repo.git("rev-parse", "HEAD");
    const amend = gitOutput(place.repo.path, "commit", "-q", "--amend", "--allow-empty", "-m", "other");
    const now = place.repo.git("rev-parse", "HEAD");
    expect(amend.printed).toBe(`mine 0\n${old}-${now}\nmine 0\n`);
    expect(place.runs()).toHaveLength(2);
  });
}

test("H14 no pre-push hook is installed; post-rewrite, the one with an input, passes it on unchanged, however long", async () => {
  using place = await hookedRepo();
  place.writeHook("post-rewrite", "#!/bin/sh\ncat\n");
  place.writeHook("pre-push", "#!/bin/sh\ncat\n");
  await installGitHooks(place.checkout, { binary: place.binary });
  expect(place.readHook("pre-push")).toBe("#!/bin/sh\ncat\n");
  const pairs = `${`${"a".repeat(40)} ${"b".repeat(40)}\n`.repeat(2000)}`;
  const run = Bun.spawnSync([place.hook("post-rewrite"), "rebase"], { stdin: Buffer.from(pairs) });
  expect(run.stdout.toString()).toBe(pairs);
  expect(place.runs()[0]?.split("|")[2]).toBe(pairs.replaceAll("\n", ","));
});

describe("H08 a program that is gone", () => {
  test("is looked for on PATH", async () => {
    using place = await hookedRepo();
    await installGitHooks(place.checkout, { binary: place.side.join("gone/roborev") });
    const env = { ...process.env, PATH: `${place.side.join("bin")}:${process.env.PATH}` };
    const run = Bun.spawnSync([place.hook("post-commit")], { cwd: place.repo.path, env });
    expect([run.exitCode, run.stdout.length, place.runs().length]).toEqual([0, 0, 1]);
  });

  test("and is nowhere else ends silently with 0", async () => {
    using place = await hookedRepo();
    await installGitHooks(place.checkout, { binary: place.side.join("gone/roborev") });
    const env = { ...process.env, PATH: "/usr/bin:/bin" };
    for (const hook of ["post-commit", "post-rewrite"]) {
      const stdin = Buffer.from("a b\n");
      const run = Bun.spawnSync([place.hook(hook)], { cwd: place.repo.path, env, stdin });
      expect([hook, run.exitCode, run.stdout.toString(), run.stderr.toString()]).toEqual([hook, 0, "", ""]);
    }
    expect(place.runs()).toEqual([]);
  });

  test("or cannot be started does not fail the commit", async () => {
    using place = await hookedRepo();
    await Bun.write(place.binary, "\x7fELF garbage");
    chmodSync(place.binary, 0o755);
    await installGitHooks(place.checkout, { binary: place.binary });
    const commit = gitOutput(place.repo.path, "commit", "-q", "--allow-empty", "-m", "x");
    expect(commit).toEqual({ exitCode: 0, printed: "" });
  });
});

test("H09 a path of blanks, quotes, dollars, backticks and backslashes is run as it is", async () => {
  using place = await hookedRepo("a b/$(touch x)`\"'\\ü/robo rev");
  await installGitHooks(place.checkout, { binary: place.binary });
  place.repo.commit("x");
  expect(place.runs()).toHaveLength(1);
});

test("H11 a commit in a linked worktree runs the hook there", async () => {
  using place = await hookedRepo();
  await installGitHooks(place.checkout, { binary: place.binary });
  place.repo.git("worktree", "add", "-q", "-b", "side", place.side.join("tree"));
  rmSync(place.side.join("runs"), { force: true });
  git(place.side.join("tree"), "commit", "-q", "--allow-empty", "-m", "x");
  expect(place.runs()).toEqual([`post-commit|${place.side.join("tree")}|`]);
});
