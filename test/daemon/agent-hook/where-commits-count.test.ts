import { describe, expect, test } from "bun:test";
import { chownSync } from "node:fs";
import { testRepo } from "../../support/repo.ts";
import { codingAgent, shell } from "./coding-agent.ts";
import { type Scene, scene } from "./scene.ts";

const counting = (s: Scene) => codingAgent(s, { commitThreshold: 9, failedReviewThreshold: 0 });
const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;

describe("a command that goes to another branch", () => {
  test("and commits there counts there", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.run(commit("on-main"));
    expect(
      (await agent.run(`git checkout -q -b feature && ${commit("a")} && ${commit("b")}`)).commit_count,
    ).toBe(2);
    expect((await agent.run("git checkout -q main")).commit_count).toBe(1);
    expect((await agent.run(`git checkout -q feature && ${commit("c")}`)).commit_count).toBe(3);
    expect((await agent.state()).commit_count).toBe(4);
  });

  test("has not made what had been there before", async () => {
    await using s = await scene();
    const agent = counting(s);
    const old = "GIT_COMMITTER_DATE=@1700000000";
    shell(
      s.repo.path,
      `git checkout -q -b feature && ${old} ${commit("old")} && ${old} ${commit("older")} && git checkout -q main`,
    );
    expect((await agent.run(`git checkout -q feature && ${commit("new")}`)).commit_count).toBe(1);
  });

  test("and fails to commit counts nothing", async () => {
    await using s = await scene();
    const agent = counting(s);
    const answer = await agent.run("git checkout -q -b feature && git commit -q -m nothing", {
      failed: true,
    });
    expect(answer.commit_count).toBeUndefined();
    expect((await agent.run(commit("a"))).commit_count).toBe(1);
  });

  test("leaves the commits that wait on the branch that it left", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.run(commit("a"));
    expect((await agent.run("git checkout -q -b feature")).commit_count).toBeUndefined();
    expect((await agent.run("git checkout -q main")).commit_count).toBe(1);
  });
});

describe("a linked working tree", () => {
  test("has commits of its own, wherever the session is when it makes them", async () => {
    await using s = await scene();
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", "-b", "feature", tree);
    const agent = counting(s);
    await agent.run(commit("main"));
    expect((await agent.run(commit("a"), { cwd: tree })).commit_count).toBe(1);
    expect((await agent.run(`git -C ${tree} commit -q --allow-empty -m b`)).commit_count).toBe(2);
    expect((await agent.run(`cd ${tree} && ${commit("c")}`)).commit_count).toBe(3);
    expect((await agent.run("ls")).commit_count).toBe(1);
  });

  test("of a bare repository is one as well", async () => {
    await using s = await scene();
    const [bare, tree] = [s.dir.join("bare.git"), s.dir.join("tree")];
    shell(s.dir.path, `git clone -q --bare ${s.repo.path} ${bare} && git -C ${bare} worktree add -q ${tree}`);
    const id = await s.register(tree);
    s.fail(1, "tree", { repoId: id });
    const agent = codingAgent(s, { commitThreshold: 1, cwd: tree });
    expect(await agent.run(commit("a"))).toMatchObject({ triggered_by: "commit", commit_count: 1 });
    expect(Object.keys((await agent.state()).repo_heads ?? {}).sort()).toEqual(
      [`${bare}\0tree`, `${bare}\0worktree\0${tree}`].sort(),
    );
  });
});

describe("another repository", () => {
  test("23 that `-C` names has the commit, and the reminder names it", async () => {
    await using s = await scene();
    using other = testRepo({ subdirectory: "api" });
    s.fail(1, "main", { repoId: await s.register(other.path) });
    const agent = codingAgent(s, { commitThreshold: 1 });
    const told = await agent.run(`git -C ${other.path} commit -q --allow-empty -m a`);
    expect(told).toMatchObject({ triggered_by: "commit", commit_count: 1 });
    expect(told.reason).toContain('1 commit reached in "api".');
    expect(await agent.state()).toMatchObject({ last_commit_repo: other.path });
    expect((await agent.state()).repo_heads?.[`${s.repo.path}\0main`]).toBeUndefined();
  });

  test("D20 the payload's directory, the tool's own, then the steps of a commit; what is none is ignored", async () => {
    await using s = await scene();
    s.repo.write("packages/api/a.txt", "a");
    const at = async (event: object) => {
      await s.daemon.post("/api/agent-hook/reset", { all: true });
      await s.event({ hook_event_name: "PostToolUse", tool_name: "Bash", channel: "context", ...event });
      return Object.keys(await s.sessions()).length === 1;
    };
    const nowhere = s.dir.path;
    const steps = (...directories: string[]) => ({ commit: { verb: "commit", directories } });
    expect(await at({ cwd: `${s.repo.path}/packages` })).toBe(true);
    expect(await at({ cwd: nowhere })).toBe(false);
    expect(await at({ cwd: nowhere, tool_directory: s.repo.path })).toBe(true);
    expect(await at({ cwd: s.repo.path, tool_directory: nowhere })).toBe(false);
    expect(await at({ cwd: s.repo.path, tool_directory: "packages", ...steps("api") })).toBe(true);
    expect(await at({ cwd: nowhere, ...steps(s.repo.path) })).toBe(true);
    expect(await at({ cwd: nowhere, ...steps(`${s.repo.path}/packages`, "api", "gone") })).toBe(true);
    expect(await at({ cwd: nowhere, tool_directory: s.repo.path, ...steps(nowhere) })).toBe(false);
    expect(await at({ cwd: s.repo.path, ...steps("/gone/away") })).toBe(true);
    expect(await at({ cwd: undefined })).toBe(false);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  "a repository that git refuses to work in is skipped, and the reason stands in the status",
  async () => {
    await using s = await scene();
    using foreign = testRepo();
    for (const path of [foreign.path, `${foreign.path}/.git`]) chownSync(path, 12_345, 12_345);
    expect(await counting(s).stop({ cwd: foreign.path })).toMatchObject({ skipped: true, triggered: false });
    expect(await s.sessions()).toEqual({});
    expect(s.daemon.errors.recent()).toMatchObject([
      { message: expect.stringContaining("dubious ownership") },
    ]);
  },
);
