import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
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
