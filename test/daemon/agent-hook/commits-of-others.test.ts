import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { git } from "../../support/repo.ts";
import { codingAgent, shell } from "./coding-agent.ts";
import { type Scene, scene } from "./scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const counting = (s: Scene) => codingAgent(s, { commitThreshold: 9, failedReviewThreshold: 0 });
const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;

/** The scene's repository with a remote, to which a colleague pushes. */
async function shared() {
  const s = await scene();
  const [remote, desk] = [s.dir.join("remote.git"), s.dir.join("colleague")];
  git(s.dir.path, "clone", "-q", "--bare", s.repo.path, remote);
  git(s.dir.path, "clone", "-q", remote, desk);
  s.repo.git("remote", "add", "origin", remote);
  s.repo.git("fetch", "-q");
  s.repo.git("branch", "-q", "--set-upstream-to=origin/main");
  await s.register(); // its identity is another one since it has a remote
  const colleague = {
    /** Commits, made a while ago, that the remote has now. */
    push(count: number, branch = "main") {
      const made = Array.from(
        { length: count },
        (_, n) => `echo ${n} > theirs-${branch}-${n} && git add . && ${commit("theirs")}`,
      );
      shell(
        desk,
        `export GIT_COMMITTER_DATE=@1700000000; git checkout -q -B ${branch}; ${made.join(" && ")}`,
      );
      git(desk, "push", "-q", "origin", branch);
    },
  };
  return { ...s, colleague, remote };
}

describe("what comes from elsewhere is not the session's own", () => {
  test("D19 a pull that fast-forwards counts nothing", async () => {
    await using s = await shared();
    const agent = counting(s);
    s.colleague.push(3);
    expect((await agent.run("git pull -q")).commit_count).toBeUndefined();
    expect(s.repo.git("rev-list", "--count", "HEAD")).toBe("4");
    expect((await agent.run(commit("mine"))).commit_count).toBe(1);
  });

  test("D19 a pull that merges counts the merge alone, and keeps what was waiting", async () => {
    await using s = await shared();
    const agent = counting(s);
    await agent.run(commit("mine"));
    s.colleague.push(3);
    expect((await agent.run("git pull -q --no-rebase --no-edit")).commit_count).toBe(2);
    expect(s.repo.git("log", "-1", "--format=%P").split(" ")).toHaveLength(2);
  });

  test("D19 a pull that rebases adds nothing", async () => {
    await using s = await shared();
    const agent = counting(s);
    await agent.run(commit("mine"));
    s.colleague.push(2);
    await agent.run("git pull -q --rebase");
    expect(s.repo.git("log", "--format=%s")).toBe("mine\ntheirs\ntheirs\nfirst");
    expect((await agent.state()).commit_count).toBe(1);
  });

  test("W11 a commit and a pull in one command are one commit, or two with the merge", async () => {
    await using s = await shared();
    const agent = counting(s);
    s.colleague.push(3);
    expect((await agent.run(`git pull -q && ${commit("one")}`)).commit_count).toBe(1);
    s.colleague.push(3);
    const both = `${commit("two")} && git pull -q --no-rebase --no-edit`;
    expect((await agent.run(both)).commit_count).toBe(3);
  });

  test("D19 a merge of what a remote has counts the merge alone; forward to it, nothing", async () => {
    await using s = await shared();
    const agent = counting(s);
    s.colleague.push(3, "theirs");
    s.repo.git("fetch", "-q");
    expect((await agent.run("git merge -q --no-edit --no-ff origin/theirs")).commit_count).toBe(1);
    s.colleague.push(2);
    s.repo.git("fetch", "-q");
    s.repo.git("checkout", "-q", "-b", "fresh", "HEAD~1");
    await agent.run("ls");
    expect((await agent.run("git merge -q --ff-only origin/main")).commit_count).toBeUndefined();
  });

  test("D19 a local branch that is merged forward counts what no remote has", async () => {
    await using s = await shared();
    const agent = counting(s);
    shell(
      s.repo.path,
      `git checkout -q -b local && ${commit("a")} && ${commit("b")} && git checkout -q main`,
    );
    expect((await agent.run("git merge -q --ff-only local")).commit_count).toBe(2);
  });

  test("D19 a commit counts although the same command pushes it", async () => {
    await using s = await shared();
    const agent = counting(s);
    expect((await agent.run(`${commit("a")} && ${commit("b")} && git push -q`)).commit_count).toBe(2);
    expect(s.repo.git("rev-parse", "origin/main")).toBe(s.repo.git("rev-parse", "HEAD"));
    const amend = "git commit -q --amend --allow-empty -m b2 && git push -q -f";
    expect((await agent.run(amend)).commit_count).toBe(2);
  });

  test("D19 a rebase onto what a remote has is none of the session's commits", async () => {
    await using s = await shared();
    const agent = counting(s);
    s.colleague.push(3);
    s.repo.git("fetch", "-q");
    expect((await agent.run("git rebase -q origin/main")).commit_count).toBeUndefined();
    expect((await agent.state()).commit_count).toBeUndefined();
  });

  test("D19 what a command that is no commit moved HEAD over is never made up for", async () => {
    await using s = await shared();
    const agent = counting(s);
    await agent.run("ls");
    shell(s.repo.path, `git checkout -q -b local && ${commit("a")} && git checkout -q main`);
    await agent.run("git reset -q --hard local");
    expect((await agent.run(commit("mine"))).commit_count).toBe(1);
  });
});

describe("a rebase that stops", () => {
  async function conflict() {
    const s = await scene();
    s.repo.git("checkout", "-q", "-b", "feature");
    const agent = counting(s);
    await agent.run(`echo mine > f && git add f && ${commit("mine")}`);
    const kept = s.repo.git("rev-parse", "HEAD");
    shell(s.repo.path, `git checkout -q main && echo theirs > f && git add f && ${commit("theirs")}`);
    s.repo.git("checkout", "-q", "feature");
    return { ...s, agent, kept };
  }

  test("counts no copy of a commit that it rewrote (D19), and the next commit counts", async () => {
    await using s = await conflict();
    await s.agent.run("git rebase -q main", { failed: true });
    expect(s.repo.git("rev-parse", "--abbrev-ref", "HEAD")).toBe("HEAD");
    await s.agent.run("echo both > f && git add f");
    const onward = await s.agent.run("GIT_EDITOR=true git rebase --continue >/dev/null 2>&1");
    expect(s.repo.git("branch", "--show-current")).toBe("feature");
    expect(onward.commit_count).toBeUndefined();
    expect((await s.agent.run(commit("next"))).commit_count).toBe(1);
  });

  test("and is given up leaves what was waiting", async () => {
    await using s = await conflict();
    await s.agent.run("git rebase -q main", { failed: true });
    await s.agent.run("git rebase --abort");
    expect((await s.agent.run("ls")).commit_count).toBe(1);
    expect((await s.agent.state()).commit_shas_since_prompt?.[`${s.repo.path}\0feature`]).toEqual([s.kept]);
  });

  test("stays the same work for the session: what it was told on the branch is not told again", async () => {
    await using s = await conflict();
    const agent = codingAgent(s, { failedReviewThreshold: 1 });
    s.fail(1, "feature");
    const told = await agent.run("ls");
    expect(told.triggered).toBe(true);
    await s.fixDone(told);
    await agent.run("git rebase -q main", { failed: true });
    await agent.run("echo both > f && git add f");
    await agent.run("GIT_EDITOR=true git rebase --continue >/dev/null 2>&1");
    expect(await agent.run("ls")).toMatchObject({ triggered: false });
  });
});
