import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withReviewWorktree } from "../../src/review/workspace.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

const file = { fileName: ".roborev-0123456789ab.diff", text: "+größe\n" };

test("V06 a file beside the commit is there for the reviewer only, and gone with the worktree", async () => {
  using repo = testRepo();
  using dir = tempDir();
  const sha = repo.commit("ignores", { ".gitignore": "*.diff\n" });
  const place = { mainRoot: repo.path, directory: dir.join("worktrees"), name: "job-1", sha, file };
  const path = await withReviewWorktree(place, async (workspace) => {
    const inside = join(workspace.path, file.fileName);
    expect(readFileSync(inside, "utf8")).toBe(file.text);
    expect(statSync(inside).mode & 0o777).toBe(0o600);
    await workspace.verifyUntouched();
    return inside;
  });
  expect(existsSync(path)).toBe(false);
  expect(repo.git("status", "--porcelain", "--ignored")).toBe("");
});

test("D36 a reviewer that changes the file fails the check, ignored or not", async () => {
  using repo = testRepo();
  using dir = tempDir();
  for (const ignored of ["", "*.diff\n"]) {
    const sha = repo.commit("ignores", { ".gitignore": ignored });
    const place = { mainRoot: repo.path, directory: dir.join("worktrees"), name: "job-1", sha, file };
    const changed = withReviewWorktree(place, async (workspace) => {
      writeFileSync(join(workspace.path, file.fileName), "+nothing to see\n");
      await workspace.verifyUntouched();
    });
    expect(changed).rejects.toMatchObject({ code: "E_TREE_CHANGED" });
    await changed.catch(() => {});
  }
});

test("D36 a change that the index is told not to show fails the check", async () => {
  using repo = testRepo();
  using dir = tempDir();
  const sha = repo.commit("one", { "a.txt": "a\n" });
  for (const flag of ["--assume-unchanged", "--skip-worktree"]) {
    const place = { mainRoot: repo.path, directory: dir.join("worktrees"), name: "job-1", sha };
    const changed = withReviewWorktree(place, async ({ path, verifyUntouched }) => {
      execFileSync("git", ["update-index", flag, "a.txt"], { cwd: path });
      writeFileSync(join(path, "a.txt"), "b\n");
      await verifyUntouched();
    });
    expect(changed).rejects.toMatchObject({ code: "E_TREE_CHANGED" });
    await changed.catch(() => {});
  }
});

test("D10 a reviewer that plants what the user's git would start fails the check, and says where to look", async () => {
  using dir = tempDir();
  const planted: Record<string, (repo: ReturnType<typeof testRepo>, path: string) => void> = {
    "a hook": (repo) => {
      mkdirSync(join(repo.path, ".git/hooks"), { recursive: true });
      writeFileSync(join(repo.path, ".git/hooks/post-checkout"), "#!/bin/sh\n", { mode: 0o755 });
    },
    "a bit that makes a hook run": (repo) => chmodSync(join(repo.path, ".git/hooks/pre-commit"), 0o755),
    "a setting": (_, path) => execFileSync("git", ["config", "core.fsmonitor", "evil"], { cwd: path }),
    "an alias": (_, path) => execFileSync("git", ["config", "alias.st", "!evil"], { cwd: path }),
    "a driver": (_, path) => execFileSync("git", ["config", "filter.x.clean", "evil"], { cwd: path }),
    "an attribute": (repo) => writeFileSync(join(repo.path, ".git/info/attributes"), "* filter=lfs\n"),
    "an include": (_, path) => execFileSync("git", ["config", "include.path", "/tmp/evil"], { cwd: path }),
  };
  for (const [what, plant] of Object.entries(planted)) {
    using repo = testRepo();
    const sha = repo.commit("one", { "a.txt": "a\n" });
    mkdirSync(join(repo.path, ".git/hooks"), { recursive: true });
    mkdirSync(join(repo.path, ".git/info"), { recursive: true });
    writeFileSync(join(repo.path, ".git/hooks/pre-commit"), "#!/bin/sh\n", { mode: 0o644 });
    const place = { mainRoot: repo.path, directory: dir.join("worktrees"), name: "job-1", sha };
    const found = await withReviewWorktree(place, async (workspace) => {
      repo.git("config", "branch.main.remote", "origin"); // what a push of the user writes meanwhile
      repo.git("branch", "other");
      await workspace.verifyUntouched();
      plant(repo, workspace.path);
      return workspace.verifyRepository().catch((error) => error);
    });
    expect(found, what).toMatchObject({ code: "E_TREE_CHANGED" });
    expect(found.message, what).toContain(repo.path);
    expect(found.hint, what).toContain(".git/hooks");
  }
});

test("T10 a file of the commit is never written over", async () => {
  using repo = testRepo();
  using dir = tempDir();
  const sha = repo.commit("guessed", { [file.fileName]: "mine\n" });
  const place = { mainRoot: repo.path, directory: dir.join("worktrees"), name: "job-1", sha, file };
  const refused = withReviewWorktree(place, async () => "ran");
  expect(refused).rejects.toMatchObject({ code: "EEXIST" });
  await refused.catch(() => {});
  expect(existsSync(dir.join("worktrees/job-1"))).toBe(false);
});
