import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { type Checkout, findCheckout } from "../../../src/git/checkout.ts";
import { hooksDirectory } from "../../../src/git/hooks/directory.ts";
import { installGitHooks } from "../../../src/git/hooks/install.ts";
import { uninstallGitHooks } from "../../../src/git/hooks/uninstall.ts";
import { hookedRepo } from "./hooked-repo.ts";

describe("H10 core.hooksPath", () => {
  test("unset leads to the hooks of the common git directory, from a linked worktree too", async () => {
    using place = await hookedRepo();
    place.repo.git("worktree", "add", "-q", "--detach", place.side.join("tree"));
    const linked = (await findCheckout(place.side.join("tree"))) as Checkout;
    const expected = { path: join(place.repo.path, ".git/hooks"), scope: "default" as const };
    expect(await hooksDirectory(linked)).toEqual(expected);
    expect(await hooksDirectory(place.checkout)).toEqual(expected);
  });

  test("absolute, or below ~, is used as it is and stays", async () => {
    using place = await hookedRepo();
    place.repo.git("config", "core.hooksPath", "~/my-hooks");
    expect(await hooksDirectory(place.checkout)).toMatchObject({
      path: join(process.env.HOME ?? "", "my-hooks"),
      scope: "local",
    });
    const config = () => readFileSync(join(place.checkout.commonDir, "config"), "utf8");
    const before = config();
    const home = process.env.HOME ?? "";
    await expect(installGitHooks(place.checkout, { binary: place.binary })).rejects.toMatchObject({
      message: `core.hooksPath is ${join(home, "my-hooks")}, which does not exist`,
      hint: expect.stringContaining("git config --local --unset core.hooksPath"),
    });
    expect(existsSync(join(home, "my-hooks"))).toBe(false);
    mkdirSync(join(home, "my-hooks"));
    await installGitHooks(place.checkout, { binary: place.binary });
    expect(config()).toBe(before);
    await uninstallGitHooks(place.checkout);
    rmdirSync(join(home, "my-hooks"));
  });

  test("relative and local becomes absolute, works from linked worktrees, and comes back to the byte", async () => {
    using place = await hookedRepo();
    const { repo, checkout, side, binary } = place;
    const config = join(checkout.commonDir, "config");
    await Bun.write(config, `${readFileSync(config, "utf8")}[CORE]\n  hooksPath=.githooks ; ours\n`);
    const before = readFileSync(config, "utf8");
    const [outcome] = await installGitHooks(checkout, { binary });
    expect(outcome?.path).toBe(join(repo.path, ".githooks/post-commit"));
    expect(outcome?.warnings[0]).toContain(".githooks");
    expect(repo.git("config", "core.hooksPath")).toBe(join(repo.path, ".githooks"));
    repo.git("worktree", "add", "-q", "-b", "side", side.join("tree"));
    const linked = (await findCheckout(side.join("tree"))) as Checkout;
    expect((await hooksDirectory(linked)).path).toBe(join(repo.path, ".githooks"));
    await uninstallGitHooks(linked);
    expect(readFileSync(config, "utf8")).toBe(before);
  });

  test("made absolute and then changed by someone is left to them; other edits of the file stay", async () => {
    using place = await hookedRepo();
    const { repo, checkout, binary } = place;
    repo.git("config", "core.hooksPath", ".githooks");
    await installGitHooks(checkout, { binary });
    repo.git("config", "user.email", "other@example.invalid");
    await uninstallGitHooks(checkout);
    expect(repo.git("config", "core.hooksPath")).toBe(".githooks");
    expect(repo.git("config", "user.email")).toBe("other@example.invalid");
    await installGitHooks(checkout, { binary });
    repo.git("config", "core.hooksPath", "elsewhere");
    await uninstallGitHooks(checkout);
    expect(repo.git("config", "core.hooksPath")).toBe("elsewhere");
  });

  test("set globally is used, never rewritten, and the user is told that it is shared", async () => {
    using place = await hookedRepo();
    const { repo, checkout, binary, side } = place;
    repo.git("config", "--global", "core.hooksPath", side.join("shared"));
    mkdirSync(side.join("shared"));
    try {
      const outcomes = await installGitHooks(checkout, { binary });
      expect(outcomes[0]).toMatchObject({
        path: side.join("shared/post-commit"),
        warnings: [expect.stringMatching(/all your repositories: .* sent to the reviewer's model$/)],
      });
      expect(outcomes[1]?.warnings).toEqual([]);
      repo.commit("x");
      expect(place.runs()).toHaveLength(1);
      await uninstallGitHooks(checkout);
      repo.git("config", "--global", "core.hooksPath", "relative-hooks");
      await installGitHooks(checkout, { binary });
      expect(repo.git("config", "--global", "core.hooksPath")).toBe("relative-hooks");
    } finally {
      repo.git("config", "--global", "--unset", "core.hooksPath");
    }
  });

  test("that switches hooks off is an error that says so", async () => {
    using place = await hookedRepo();
    place.repo.git("config", "core.hooksPath", "/dev/null");
    const install = installGitHooks(place.checkout, { binary: place.binary });
    await expect(install).rejects.toThrow(/switched off/);
  });
});

test("H12 automatic maintenance never modifies a tracked hook; an explicit install does and warns", async () => {
  using place = await hookedRepo();
  const { repo, checkout, binary } = place;
  repo.write(".githooks/post-commit", "#!/bin/sh\necho team\n");
  repo.git("add", "-A");
  repo.git("config", "core.hooksPath", ".githooks");
  const outcomes = await installGitHooks(checkout, { binary, automatic: true });
  expect(outcomes.map(({ result }) => result)).toEqual(["skipped", "skipped"]);
  expect(repo.git("diff", "--name-only")).toBe("");
  expect(repo.git("config", "core.hooksPath")).toBe(".githooks");
  const [postCommit, postRewrite] = await installGitHooks(checkout, { binary });
  expect(postCommit?.warnings.join()).toContain("tracked by git");
  expect(postRewrite?.warnings.join()).toContain("untracked");
});

test("H12 a hook that a manager generates is installed with a warning", async () => {
  using place = await hookedRepo();
  const { repo, checkout, binary } = place;
  mkdirSync(join(repo.path, ".husky/_"), { recursive: true });
  repo.write(".husky/_/.gitignore", "*\n");
  repo.git("config", "core.hooksPath", ".husky/_");
  const [, outcome] = await installGitHooks(checkout, { binary });
  expect(outcome).toMatchObject({ result: "installed", warnings: [expect.stringContaining("hook manager")] });
});
