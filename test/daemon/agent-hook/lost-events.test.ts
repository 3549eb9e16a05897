import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { rmSync } from "node:fs";
import { codingAgent, shell } from "./coding-agent.ts";
import { type Scene, scene } from "./scene.ts";

afterEach(() => {
  setSystemTime();
});

const counting = (s: Scene, more: { agent?: "claude" | "codex"; session?: string } = {}) =>
  codingAgent(s, { commitThreshold: 9, failedReviewThreshold: 0, ...more });
const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;

describe("D18 a commit whose end was lost", () => {
  test.each([
    ["the next shell command", (agent) => agent.run("ls")],
    ["the start of the next commit", (agent) => agent.before(commit("b"))],
    ["the end of the turn", (agent) => agent.stop()],
    ["the end of a turn that we sent the agent back into", (agent) => agent.stop({ stop_hook_active: true })],
    ["an event outside of git", (agent) => agent.stop({ cwd: "/" })],
  ] as [string, (agent: ReturnType<typeof counting>) => Promise<unknown>][])(
    "is counted at %s, once",
    async (_, next) => {
      await using s = await scene();
      const agent = counting(s);
      await agent.before(commit("a"));
      shell(s.repo.path, `${commit("a")} && ${commit("a2")}`);
      await next(agent);
      expect((await agent.state()).commit_count).toBe(2);
      await agent.run("ls");
      expect((await agent.state()).commit_count).toBe(2);
    },
  );

  test("of a command that failed after its commit is counted, as Claude Code tells nothing of its end", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.before(`${commit("a")} && false`);
    shell(s.repo.path, `${commit("a")} && false`, true);
    expect((await agent.run(commit("b"))).commit_count).toBe(2);
  });

  test("is counted in its own working tree, whichever one the session is in by then", async () => {
    await using s = await scene();
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", "-b", "feature", tree);
    const agent = counting(s);
    await agent.before(commit("a"), { cwd: tree });
    shell(tree, commit("a"));
    expect((await agent.stop()).commit_count).toBeUndefined();
    expect((await agent.run("ls", { cwd: tree })).commit_count).toBe(1);
  });

  test("in a working tree that is gone does not keep the session from anything", async () => {
    await using s = await scene();
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", "-b", "feature", tree);
    const agent = counting(s);
    await agent.before(commit("a"), { cwd: tree });
    rmSync(tree, { recursive: true });
    expect((await agent.run(commit("b"))).commit_count).toBe(1);
  });

  test("is not waited for longer than an hour", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.before(commit("a"), { background: true });
    await agent.after(commit("a"), { background: true });
    setSystemTime(new Date(Date.now() + 3_599_000));
    await agent.run("ls");
    expect((await agent.state()).open_commands).toHaveLength(1);
    setSystemTime(new Date(Date.now() + 1_000));
    await agent.run("ls");
    expect((await agent.state()).open_commands).toBeUndefined();
  });

  test("does not fire inside the turn that was sent back, but at the next chance", async () => {
    await using s = await scene();
    s.fail(1);
    const agent = codingAgent(s, { commitThreshold: 1, failedReviewThreshold: 0 });
    await agent.before(commit("a"));
    shell(s.repo.path, commit("a"));
    expect(await agent.stop({ stop_hook_active: true })).toMatchObject({ triggered: false, skipped: true });
    expect(await agent.stop()).toMatchObject({ triggered_by: "commit", commit_count: 1 });
  });
});

describe("D18 a command in the background", () => {
  test("may commit after its event: what it makes is counted at the next one", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.before(commit("a"), { background: true });
    expect((await agent.after(commit("a"), { background: true })).commit_count).toBeUndefined();
    await agent.run("ls");
    shell(s.repo.path, commit("a"));
    expect((await agent.run("ls")).commit_count).toBe(1);
    expect((await agent.state()).open_commands).toBeUndefined();
  });

  test("may have committed before its event", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.before(commit("a"), { background: true });
    shell(s.repo.path, commit("a"));
    expect((await agent.after(commit("a"), { background: true })).commit_count).toBe(1);
  });

  test("does not hide the commits that the session makes meanwhile, nor count them twice", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.before("sleep 1; git commit -qam later", { background: true, id: "bg" });
    await agent.after("sleep 1; git commit -qam later", { background: true, id: "bg" });
    expect((await agent.run(commit("a"), { id: "fg" })).commit_count).toBe(1);
    expect((await agent.run(commit("b"), { id: "fg2" })).commit_count).toBe(2);
    shell(s.repo.path, commit("later"));
    expect((await agent.stop()).commit_count).toBe(3);
    expect((await agent.state()).commit_count).toBe(3);
  });
});

describe("commands at the same time", () => {
  test("are told apart by the ids of their tool calls, and HEAD is counted once", async () => {
    await using s = await scene();
    const agent = counting(s);
    await agent.before(commit("a"), { id: "t1" });
    await agent.before(commit("b"), { id: "t2" });
    shell(s.repo.path, `${commit("a")} && ${commit("b")}`);
    await agent.after(commit("b"), { id: "t2" });
    expect((await agent.after(commit("a"), { id: "t1" })).commit_count).toBe(2);
    expect((await agent.state()).open_commands).toBeUndefined();
  });

  test("of two sessions in one working tree are counted by the one that ran the command", async () => {
    await using s = await scene();
    const [one, two] = [counting(s), counting(s, { session: "s2" })];
    await two.run("ls");
    expect((await one.run(commit("a"))).commit_count).toBe(1);
    expect((await two.run("ls")).commit_count).toBeUndefined();
    expect((await two.run(commit("b"))).commit_count).toBe(1);
  });
});
