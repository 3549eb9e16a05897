import { describe, expect, test } from "bun:test";
import { testRepo } from "../../support/repo.ts";
import { codingAgent } from "./coding-agent.ts";
import { type Scene, scene } from "./scene.ts";

const counting = (s: Scene, commitThreshold = 9) =>
  codingAgent(s, { commitThreshold, failedReviewThreshold: 0 });
const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;
const amend = "git commit -q --amend --allow-empty -m amended";

/** A scene whose HEAD is detached at its first commit. */
async function detached() {
  const s = await scene();
  s.repo.git("checkout", "-q", "--detach");
  const first = s.repo.git("rev-parse", "HEAD");
  const worktree = `${s.repo.path}\0worktree\0${s.repo.path}`;
  return { ...s, first, worktree, lineage: `${s.repo.path}\0detached\0${s.repo.path}\0${first}` };
}

describe("a detached line to which a branch is attached", () => {
  test("20 25 stays what it is for the session, and each commit counts once though two keys know it", async () => {
    await using s = await detached();
    const agent = counting(s);
    await agent.run(commit("a"));
    const a = s.repo.git("rev-parse", "HEAD");
    await agent.run("git checkout -q -B feature");
    expect((await agent.run(commit("b"))).commit_count).toBe(2);
    const b = s.repo.git("rev-parse", "HEAD");
    expect(await agent.state()).toMatchObject({
      commit_count: 2,
      worktree_lineage_keys: { [s.worktree]: s.lineage },
      commit_shas_since_prompt: { [s.worktree]: [a, b], [`${s.repo.path}\0feature`]: [b] },
    });
  });

  test("20 also where one command attaches it and commits", async () => {
    await using s = await detached();
    const agent = counting(s);
    await agent.run(commit("a"));
    expect((await agent.run(`git checkout -q -b feature && ${commit("b")}`)).commit_count).toBe(2);
    expect((await agent.state()).worktree_lineage_keys).toEqual({ [s.worktree]: s.lineage });
  });

  test("21 an amended commit after that still counts towards the threshold", async () => {
    await using s = await detached();
    const agent = counting(s, 2);
    await agent.run(commit("a"));
    await agent.run("git checkout -q -b feature");
    await agent.run(commit("b"));
    await agent.run(amend);
    s.fail(1, "feature");
    expect(await agent.run("true")).toMatchObject({ triggered_by: "commit", commit_count: 2 });
  });

  test("22 an amended commit after that does not bring back what the session was told", async () => {
    await using s = await detached();
    const agent = counting(s, 2);
    await agent.run(commit("a"));
    await agent.run("git checkout -q -b feature");
    s.fail(1, "feature");
    const told = await agent.run(commit("b"));
    expect(told).toMatchObject({ triggered_by: "commit", commit_count: 2 });
    await s.fixDone(told);
    await agent.run(commit("c"));
    expect(await agent.run(amend)).toMatchObject({ triggered: false });
    expect(await agent.run(commit("d"))).toMatchObject({ triggered: false, commit_count: 2 });
    const [fresh] = s.fail(1, "feature");
    expect((await agent.run("true")).reason).toContain(`Review job id: ${fresh}.`);
  });

  test("22 nor does one that follows right after it", async () => {
    await using s = await detached();
    const agent = codingAgent(s, { commitThreshold: 1, failedReviewThreshold: 1 });
    await agent.run(commit("a"));
    await agent.run("git checkout -q -b feature");
    s.fail(1, "feature");
    const told = await agent.run("true");
    expect(told).toMatchObject({ triggered: true });
    await s.fixDone(told);
    expect(await agent.run(amend)).toMatchObject({ triggered: false, commit_count: 1 });
  });
});

describe("failed reviews of another place are another reminder", () => {
  const told = { triggered: true, triggered_by: "failed_reviews" } as const;
  const quiet = { triggered: false } as const;

  test("35 a repository with fewer of them is told of its own", async () => {
    await using s = await scene();
    using other = testRepo();
    const agent = codingAgent(s, { failedReviewThreshold: 2 });
    s.fail(4);
    s.fail(2, "main", { repoId: await s.register(other.path), gitRef: other.git("rev-parse", "HEAD") });
    expect(await agent.run("ls")).toMatchObject({ ...told, failed_review_count: 4 });
    expect(await agent.run("ls", { cwd: other.path })).toMatchObject({ ...told, failed_review_count: 2 });
    expect(await agent.run("ls")).toMatchObject(quiet);
    expect(await agent.run("ls", { cwd: other.path })).toMatchObject(quiet);
  });

  test("35 so is a branch of the same repository", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { failedReviewThreshold: 2 });
    s.fail(4);
    const first = await agent.run("ls");
    expect(first).toMatchObject(told);
    await s.fixDone(first);
    s.repo.git("checkout", "-q", "-b", "feature");
    s.fail(2, "feature");
    expect(await agent.run("ls")).toMatchObject({ ...told, failed_review_count: 2 });
  });

  test("37 a HEAD that is detached after the branch was told is told as well", async () => {
    await using s = await scene();
    const agent = codingAgent(s);
    s.fail(4);
    const first = await agent.run("ls");
    expect(first).toMatchObject(told);
    await s.fixDone(first);
    const detach = await agent.run("git checkout -q --detach");
    expect(detach).toMatchObject(told);
    await s.fixDone(detach);
    expect(await agent.run("ls")).toMatchObject(quiet);
  });

  test("38 a checkout that does not go on from the detached line is a line of its own", async () => {
    await using s = await detached();
    const agent = codingAgent(s, { failedReviewThreshold: 1 });
    await agent.run(commit("a"));
    s.fail(1, "");
    const first = await agent.run("ls");
    expect(first).toMatchObject(told);
    await s.fixDone(first);
    s.repo.git("checkout", "-q", "--orphan", "unrelated");
    s.repo.git("commit", "-q", "--allow-empty", "-m", "unrelated");
    s.repo.git("checkout", "-q", "--detach");
    expect(await agent.run("ls")).toMatchObject(quiet);
    expect(Object.values((await agent.state()).worktree_lineage_keys ?? {})).toEqual([
      `${s.repo.path}\0detached\0${s.repo.path}\0${s.repo.git("rev-parse", "HEAD")}`,
    ]);
    s.fail(1, "");
    expect(await agent.run("ls")).toMatchObject(told);
  });

  test("39 40 two detached working trees are independent, at the same commit and beside each other", async () => {
    await using s = await detached();
    const [one, two] = [s.dir.join("one"), s.dir.join("two")];
    for (const tree of [one, two]) s.repo.git("worktree", "add", "-q", "--detach", tree);
    s.fail(4, "");
    const agent = codingAgent(s);
    expect(await agent.run("ls", { cwd: one })).toMatchObject(told);
    expect(await agent.run("ls", { cwd: two })).toMatchObject(told);
    expect(await agent.run("ls", { cwd: one })).toMatchObject(quiet);
    await agent.run(commit("sibling-1"), { cwd: one });
    await agent.run(commit("sibling-2"), { cwd: two });
    expect(await agent.run("ls", { cwd: one })).toMatchObject(quiet);
    const lineages = Object.values((await agent.state()).worktree_lineage_keys ?? {});
    expect(new Set(lineages).size).toBe(2);
    // Each has a commit of its own now, and its failed review.
    const ofTwo = { gitRef: s.repo.git("-C", two, "rev-parse", "HEAD") };
    s.fail(4, "", ofTwo);
    expect(await agent.run("ls", { cwd: one })).toMatchObject(quiet);
    expect(await agent.run("ls", { cwd: two })).toMatchObject(told);
  });
});
