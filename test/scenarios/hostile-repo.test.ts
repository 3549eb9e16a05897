import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dirtyDiff } from "../../src/git/diff.ts";
import { patchId } from "../../src/git/patch-id.ts";
import { roborev } from "../support/binary.ts";
import { git, type TestRepo, testRepo } from "../support/repo.ts";
import { type ReviewScene, reviewScene } from "../support/review-scene.ts";
import { tempDir } from "../support/temp.ts";
import { setTraps } from "./traps.ts";

// G24, T11: a repository that nobody vetted, reviewed through the real daemon and command line. Nothing of it runs, and
// the reviews are right all the same.

let scene: ReviewScene;
beforeAll(async () => {
  scene = await reviewScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

/** A repository with a bug in its newest commit, one in the one before, and one that is not committed. */
function buggyRepo(): TestRepo {
  const repo = testRepo();
  repo.git("checkout", "-q", "-b", "feature");
  repo.commit("attributes", {
    ".gitattributes": "* filter=evil diff=evil merge=evil -text\n",
    ".lfsconfig": "[lfs]\n\turl = ext::touch\n\tcustomtransfer.evil.path = ./evil\n",
    ".gitmodules": '[submodule "lib"]\n\tpath = lib\n\turl = ext::touch\n\tupdate = !touch canary\n',
    ".roborev.toml": '[[hooks]]\nevent = "review.*"\ncommand = "touch canary"\n',
    "first.ts": "BUG: first\n",
  });
  repo.commit("second", { "a.ts": "BUG: second\n", "b.ts": "fine\n" });
  repo.write("b.ts", "BUG: uncommitted\n");
  repo.write("new file.ts", "BUG: untracked\n");
  return repo;
}

const problems = async (job: Parameters<ReviewScene["output"]>[0]) =>
  [...(await scene.output(job)).matchAll(/\*\*Problem\*\*: (.*)/g)].map((match) => match[1]);

describe("T11 a booby-trapped repository", () => {
  test("is reviewed in every way, and runs nothing", async () => {
    using repo = buggyRepo();
    using side = tempDir();
    const base = repo.git("rev-parse", "main");
    const head = repo.git("rev-parse", "HEAD");
    const traps = setTraps(repo, side.path);
    const env = { ROBOREV_DATA_DIR: scene.dataDir };
    const run = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await roborev(args, { cwd: repo.path, env });
      expect({ args, stderr, exitCode, tripped: traps.canaries() }).toMatchObject({ tripped: [] });
      return { exitCode, text: stdout + stderr };
    };
    const commit = await scene.reviewed(repo.path, { git_ref: head });
    expect([commit.verdict, await problems(commit)]).toEqual(["F", ["second"]]);
    const range = await scene.reviewed(repo.path, { git_ref: `${base}..${head}` });
    expect(await problems(range)).toEqual(["second", "first"]);
    const { text } = await dirtyDiff({ worktreeRoot: repo.path, head });
    const dirty = await scene.reviewed(repo.path, { git_ref: "dirty", diff_content: text });
    expect(await problems(dirty)).toEqual(["uncommitted", "untracked"]);
    await patchId(repo.path, head);

    expect((await run("review", "--dirty", "--wait")).text).toContain("uncommitted");
    expect((await run("review", "--branch", "--base", "main", "--wait")).text).toContain("first");
    expect((await run("review", "HEAD", "--wait")).exitCode).toBe(1);
    for (const command of [["list"], ["show"], ["status"], ["show", "HEAD~1"], ["post-commit"]])
      await run(...command);
    const event = { session_id: "s", cwd: repo.path, hook_event_name: "Stop", stop_hook_active: false };
    const hook = await roborev(["agent-hook", "run", "--agent", "claude"], {
      env,
      stdin: JSON.stringify(event),
    });
    expect(hook.exitCode).toBe(0);
    expect([traps.canaries(), existsSync(join(repo.path, "canary"))]).toEqual([[], false]);

    // Nothing of ours stays in it either.
    expect(git(repo.path, "worktree", "list", "--porcelain").split("\n\n")).toHaveLength(1);
    // The traps do work, once the first of them no longer stops git.
    for (const key of ["process", "required"]) repo.git("config", "--unset", `filter.evil.${key}`);
    for (const words of [
      "status",
      "diff",
      "diff HEAD~1",
      "log -1",
      `worktree add -f ${side.join("x")}`,
      "fetch origin",
    ])
      Bun.spawnSync(["git", ...words.split(" ")], { cwd: repo.path });
    expect(traps.canaries()).toEqual(
      expect.arrayContaining(["include-if-filter.evil.clean", "hook-post-checkout", "remote"]),
    );
    expect(traps.canaries().length).toBeGreaterThan(5);
  }, 120_000);

  test("a partial clone fetches nothing: what is missing is refused with its reason", async () => {
    using repo = buggyRepo();
    using side = tempDir();
    const blob = repo.git("rev-parse", "HEAD:a.ts");
    const traps = setTraps(repo, side.path);
    await Bun.file(join(repo.path, ".git/objects", blob.slice(0, 2), blob.slice(2))).delete();
    repo.write("a.ts", "changed, so that git cannot read the object from here\n");
    const answer = await scene.daemon.send("POST", "/api/enqueue", { repo_path: repo.path });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: "E_GIT",
        error: expect.stringMatching(/^git diff-tree in \S+: (fatal|error): .*unable to read/),
      },
    });
    expect(traps.canaries()).toEqual([]);
  }, 120_000);

  test("core.worktree cannot have somebody else's directory reviewed", async () => {
    using repo = buggyRepo();
    using private_ = tempDir({ id_rsa: "secret\n" });
    repo.git("config", "core.worktree", private_.path);
    const env = { ROBOREV_DATA_DIR: scene.dataDir };
    const { exitCode, stderr } = await roborev(["review", "--dirty"], { cwd: repo.path, env });
    expect([exitCode, stderr.split("\n")[0]]).toEqual([
      1,
      expect.stringContaining("is in a git repository, but in no working tree of it"),
    ]);
    const { status } = await scene.daemon.send("POST", "/api/enqueue", { repo_path: repo.path });
    expect(status).toBeGreaterThanOrEqual(400);
  });

  test("replaced objects and grafts do not decide what is reviewed", async () => {
    using repo = buggyRepo();
    const head = repo.git("rev-parse", "HEAD");
    const harmless = repo.git("commit-tree", "-m", "harmless", "-p", head, "HEAD^{tree}");
    repo.git("replace", head, harmless);
    writeFileSync(join(repo.path, ".git/info/grafts"), `${head} ${harmless}\n`);
    const job = await scene.reviewed(repo.path, { git_ref: head });
    expect(await problems(job)).toEqual(["second"]);
  });
});
