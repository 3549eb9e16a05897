import { describe, expect, test } from "bun:test";
import { codingAgent, shell } from "./coding-agent.ts";
import { type Scene, scene } from "./scene.ts";

const counting = (s: Scene, commitThreshold = 9) =>
  codingAgent(s, { commitThreshold, failedReviewThreshold: 0 });
const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;
const head = (s: Scene) => s.repo.git("rev-parse", "HEAD");

/** Commits that wait for a reminder on a branch. */
const pending = async (agent: ReturnType<typeof counting>, s: Scene, branch = "main") =>
  (await agent.state()).commit_shas_since_prompt?.[`${s.repo.path}\0${branch}`];

describe("how many commits a command made", () => {
  test("12 none can be told where nothing was known before", async () => {
    await using s = await scene();
    s.fail(1);
    const agent = counting(s, 1);
    shell(s.repo.path, commit("unseen"));
    const answer = await agent.after(commit("unseen"));
    expect(answer).toMatchObject({ triggered: false });
    expect(answer.commit_count).toBeUndefined();
    expect((await agent.state()).commit_count).toBeUndefined();
  });

  test("13 the event before it says where HEAD stood", async () => {
    await using s = await scene();
    const agent = counting(s);
    expect(await agent.run(commit("one"))).toMatchObject({ commit_count: 1, triggered: false });
    expect(await agent.state()).toMatchObject({
      commit_count: 1,
      last_commit_repo: s.repo.path,
      last_commit_head: head(s),
    });
    expect(await pending(agent, s)).toEqual([head(s)]);
    expect((await agent.state()).open_commands).toBeUndefined();
  });

  test("14 any shell command says where HEAD stands, when the event before the commit is lost", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.run("ls");
    shell(s.repo.path, commit("one"));
    expect(await agent.after(commit("one"))).toMatchObject({ commit_count: 1 });
  });

  test("15 a commit that failed made none", async () => {
    await using s = await scene();
    const agent = counting(s);
    const answer = await agent.run("git commit -q -m nothing", { failed: true });
    expect(answer.commit_count).toBeUndefined();
    expect((await agent.state()).open_commands).toBeUndefined();
  });

  test("16 three commits in one command are three", async () => {
    await using s = await scene();
    expect(await counting(s).run(["a", "b", "c"].map(commit).join(" && "))).toMatchObject({
      commit_count: 3,
    });
  });

  test("17 an amended commit stays one", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.run(commit("a"));
    expect(await agent.run("git commit -q --amend --allow-empty -m better")).toMatchObject({
      commit_count: 1,
    });
    expect(await pending(agent, s)).toEqual([head(s)]);
  });

  test("18 amending the second keeps the first", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.run(commit("a"));
    const first = head(s);
    await agent.run(commit("b"));
    expect(await agent.run("git commit -q --amend --allow-empty -m b2")).toMatchObject({ commit_count: 2 });
    expect(await pending(agent, s)).toEqual([first, head(s)]);
  });

  test("19 a rebase takes away what it dropped and what it rewrote, and adds nothing", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.run(commit("a"));
    const first = head(s);
    for (const message of ["b", "c"]) await agent.run(commit(message));
    const drop = "GIT_SEQUENCE_EDITOR='sed -i 1d' git rebase -q -i --keep-empty HEAD~2";
    expect(await agent.run(drop)).toMatchObject({ commit_count: 1 });
    expect(s.repo.git("log", "--format=%s")).toBe("c\na\nfirst");
    expect(await pending(agent, s)).toEqual([first]);
  });

  test("§11.5 a rebase and a commit in one command leave the commit", async () => {
    await using s = await scene();
    const agent = counting(s);
    s.repo.git("checkout", "-q", "-b", "feature");
    for (const message of ["a", "b"]) await agent.run(commit(message));
    shell(s.repo.path, `git checkout -q main && ${commit("base")} && git checkout -q feature`);
    expect(await agent.run(`git rebase -q --keep-empty main && ${commit("c")}`)).toMatchObject({
      commit_count: 1,
    });
    expect(await pending(agent, s, "feature")).toEqual([head(s)]);
  });

  test("a step back is no commit, also of a command that commits", async () => {
    await using s = await scene();
    const agent = counting(s);
    for (const message of ["a", "b"]) await agent.run(commit(message));
    await agent.run(`${commit("c")} && git reset -q --hard HEAD~3`);
    expect(await pending(agent, s)).toBeUndefined();
    expect((await agent.state()).commit_count).toBe(2);
  });

  test("cherry-pick, revert, am and a local merge are commits", async () => {
    await using s = await scene();
    const agent = counting(s);
    s.repo.git("checkout", "-q", "-b", "other");
    for (const file of ["x", "y", "z"]) s.repo.commit(file, { [file]: file });
    s.repo.git("checkout", "-q", "main");
    expect(await agent.run("git cherry-pick other~2 >/dev/null")).toMatchObject({ commit_count: 1 });
    expect(await agent.run("git revert --no-edit HEAD >/dev/null")).toMatchObject({ commit_count: 2 });
    expect(await agent.run("git format-patch -1 --stdout other~1 | git am -q")).toMatchObject({
      commit_count: 3,
    });
    expect(await agent.run("git merge -q --no-edit other")).toMatchObject({ commit_count: 4 });
    expect(s.repo.git("log", "-1", "--format=%P").split(" ")).toHaveLength(2);
  });

  test("an alias that commits is counted by what HEAD says, one that does not is not", async () => {
    await using s = await scene();
    s.repo.git("config", "alias.ci", "commit");
    s.repo.git("config", "alias.st", "status");
    const agent = counting(s);
    expect(await agent.run("git ci -q --allow-empty -m a")).toMatchObject({ commit_count: 1 });
    expect(await agent.run("git st")).toMatchObject({ commit_count: 1 });
  });

  test("a commit of a command that names no git is behind the baseline, never counted later", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.run("ls");
    shell(s.repo.path, commit("released"));
    await agent.after("make release");
    expect((await agent.run(commit("mine"))).commit_count).toBe(1);
  });

  test("24 numbers that an older release left are added to the commits", async () => {
    await using s = await scene({
      state: (repo) => ({
        sessions: { "claude:s1": { count: 3, commit_counts_since_prompt: { [`${repo}\0main`]: 2 } } },
      }),
    });
    s.fail(1);
    const agent = counting(s, 3);
    expect(await agent.run(commit("third"))).toMatchObject({
      triggered_by: "commit",
      commit_count: 3,
      reason: expect.stringContaining("3 commits reached in"),
    });
    expect((await agent.state()).commit_counts_since_prompt).toBeUndefined();
  });

  test("26 a repository that is registered by its first commit has that commit counted", async () => {
    await using s = await scene({ register: false });
    const agent = counting(s, 1);
    await agent.before(commit("first"));
    shell(s.repo.path, commit("first"));
    await s.register();
    s.fail(1);
    expect(await agent.after(commit("first"))).toMatchObject({ triggered_by: "commit", commit_count: 1 });
  });

  test("27 what is not the shell tool leaves no session, whatever it is called with", async () => {
    await using s = await scene();
    const agent = counting(s);
    for (const hook_event_name of ["PreToolUse", "PostToolUse"]) {
      const tool = { tool_name: "Write", tool_input: { command: commit("x") } };
      expect(await agent.send({ hook_event_name, ...tool })).toMatchObject({ skipped: true });
    }
    expect(await s.sessions()).toEqual({});
  });
});
