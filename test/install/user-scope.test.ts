import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../src/harness/claude.ts";
import { droid } from "../../src/harness/droid.ts";
import { requireUserScope } from "../../src/install/user-scope.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

/** A home with a repository in it, and one beside it. */
function world(): TempDir {
  return tempDir({
    "home/.factory/settings.json": "{}",
    "home/repo/.git/HEAD": "",
    "home/repo/.factory/settings.json": "{}",
    "home/repo/sub/x": "",
    "worktree/.git": "gitdir: elsewhere",
    "plain/x": "",
  });
}

const message = "project-scoped Factory Droid hook config is not supported";

function check(
  dir: TempDir,
  path: string,
  more: { cwd?: string; env?: Record<string, string>; harness?: typeof droid } = {},
) {
  const env = { HOME: dir.join("home"), ...more.env };
  return () => requireUserScope(more.harness ?? droid, path, { env, cwd: dir.join(more.cwd ?? "plain") });
}

describe("scenario 113: Droid's hooks are the user's, never a project's", () => {
  test.each([
    [".factory/hooks.json", "home/repo"],
    [".factory/hooks.json", "plain"],
    ["../.factory/settings.json", "home/repo/sub"],
    [".FACTORY/Hooks.JSON", "plain"],
    ["sub/../.factory/hooks/hooks.json", "home/repo"],
  ])("%s in %s is refused", (path, cwd) => {
    using dir = world();
    expect(check(dir, path, { cwd })).toThrow(message);
    expect(check(dir, join(dir.join(cwd), path), { cwd })).toThrow(message);
  });

  test("so is any file below it at the root of a repository, whatever the working directory", () => {
    using dir = world();
    for (const file of [
      "home/repo/.factory/hooks.json",
      "worktree/.factory/hooks.json",
      "worktree/.factory/a/b.json",
    ]) {
      expect(check(dir, dir.join(file))).toThrow(message);
    }
  });

  test("the user's own is allowed, also in a home that is a repository or the working directory", () => {
    using dir = world();
    const path = dir.join("home/.factory/hooks.json");
    mkdirSync(dir.join("home/.git"));
    expect(check(dir, path)).not.toThrow();
    expect(check(dir, path, { cwd: "home" })).not.toThrow();
    expect(check(dir, path, { cwd: "home/repo" })).not.toThrow();
    expect(check(dir, ".factory/hooks.json", { cwd: "home" })).not.toThrow();
  });

  test("a directory that FACTORY_HOME_OVERRIDE names is the user's own as well", () => {
    using dir = world();
    const env = { FACTORY_HOME_OVERRIDE: dir.join("worktree") };
    expect(check(dir, dir.join("worktree/.factory/hooks.json"), { env })).not.toThrow();
    expect(check(dir, dir.join("home/repo/.factory/hooks.json"), { env })).toThrow(message);
  });

  test("links count for what they lead to: a directory or a file of a project is refused", () => {
    using dir = world();
    symlinkSync(dir.join("home/repo/.factory"), dir.join("home/linked"));
    symlinkSync(dir.join("home/repo/.factory/settings.json"), dir.join("home/.factory/hooks.json"));
    expect(check(dir, dir.join("home/linked/hooks.json"))).toThrow(message);
    expect(check(dir, dir.join("home/.factory/hooks.json"))).toThrow(message);
    symlinkSync(dir.join("home"), dir.join("house"));
    expect(check(dir, dir.join("house/.factory/settings.json"))).not.toThrow();
    expect(check(dir, dir.join("house/repo/.factory/settings.json"))).toThrow(message);
  });

  test("a file elsewhere is allowed, and other agents have no such rule", () => {
    using dir = world();
    expect(check(dir, dir.join("plain/hooks.json"))).not.toThrow();
    expect(check(dir, dir.join("home/repo/dotfiles/factory/hooks.json"))).not.toThrow();
    expect(check(dir, dir.join("home/repo/.factory/hooks.json"), { harness: claude })).not.toThrow();
  });
});
