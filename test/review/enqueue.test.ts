import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import type { Job } from "../../src/store/schema.ts";
import { git } from "../support/repo.ts";
import { completeAs, storeReview } from "../support/reviews.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { enqueueScene } from "./enqueue-scene.ts";

describe("enqueue", () => {
  test("a commit is pinned to its full SHA, on the branch it was made on", async () => {
    await using s = await enqueueScene();
    const sha = s.repo.commit("second", { "a.txt": "a" });
    const { status, body } = await s.enqueue({ git_ref: "HEAD" });
    expect(status).toBe(201);
    expect(body as Job).toMatchObject({
      git_ref: sha,
      branch: "main",
      job_type: "review",
      agent: "test",
      status: "queued",
      commit_subject: "second",
    });
  });

  test("A10 a model that was meant for one reviewer is not asked of the one that runs instead", async () => {
    await using s = await enqueueScene();
    const stub = stubReviewer(s.dir.join("claude"), "exit 1");
    const config = (...lines: string[]) =>
      writeFileSync(s.dir.join("data/config.toml"), `${lines.join("\n")}\n`);
    const commands = ['codex_cmd = "/nowhere/codex"', `claude_code_cmd = ${JSON.stringify(stub)}`];
    config('default_model = "gpt-x"', ...commands);
    expect((await s.enqueue({ git_ref: "HEAD" })).body as Job).toMatchObject({ agent: "claude-code" });
    expect((await s.enqueue({ git_ref: "HEAD" })).body).not.toHaveProperty("model");
    expect((await s.enqueue({ git_ref: "HEAD", model: "asked" })).body as Job).toMatchObject({
      model: "asked",
    });
    config('default_agent = "claude-code"', 'default_model = "opus"', ...commands);
    expect((await s.enqueue({ git_ref: "HEAD" })).body as Job).toMatchObject({ model: "opus" });
  });

  test("P06 a hook asks once per commit, a person as often as wanted; a canceled job frees the slot", async () => {
    await using s = await enqueueScene();
    const hook = () => s.enqueue({ git_ref: "HEAD", source: "post_commit" });
    const [first, second] = await Promise.all([hook(), hook()]);
    const jobs = [first, second].filter((answer) => answer.status === 201);
    expect(jobs).toHaveLength(1);
    expect([first, second].find((answer) => answer.status === 200)?.body as unknown).toMatchObject({
      skipped: true,
    });
    await s.daemon.post("/api/job/cancel", { job_id: (jobs[0]!.body as unknown as Job).id });
    expect((await hook()).status).toBe(201);
    expect((await s.enqueue({ git_ref: "HEAD" })).status).toBe(201);
  });

  test("P07 an excluded branch or message is skipped with the reason; a range only when all messages are", async () => {
    await using s = await enqueueScene();
    writeFileSync(
      `${s.repo.path}/.roborev.toml`,
      'excluded_branches = ["wip"]\nexcluded_commit_patterns = ["[SKIP review]"]\n',
    );
    const base = s.repo.git("rev-parse", "HEAD");
    s.repo.commit("tidy [skip REVIEW]", { "a.txt": "a" });
    expect(await s.enqueue({ git_ref: "HEAD" })).toMatchObject({ status: 200, body: { skipped: true } });
    expect(await s.enqueue({ git_ref: `${base}..HEAD` })).toMatchObject({ status: 200 });
    s.repo.commit("real work", { "b.txt": "b" });
    expect((await s.enqueue({ git_ref: `${base}..HEAD` })).status).toBe(201);
    s.repo.git("checkout", "-q", "-b", "wip");
    expect(await s.enqueue({ git_ref: "HEAD" })).toMatchObject({
      status: 200,
      body: { reason: expect.stringContaining("wip") },
    });
  });

  test("P07 a branch that matches a pattern is left to those who ask for it", async () => {
    await using s = await enqueueScene();
    s.repo.commit("config", { ".roborev.toml": 'excluded_branch_patterns = ["wip/*", "tmp-?"]\n' });
    const asked = async (branch: string, source?: string) => {
      s.repo.git("checkout", "-q", "-B", branch);
      return (await s.enqueue({ git_ref: "HEAD", ...(source ? { source } : {}) })).status;
    };
    for (const branch of ["wip/x", "tmp-1"]) {
      expect(await asked(branch, "post_commit"), branch).toBe(200);
      expect(await asked(branch), branch).toBe(201);
    }
    for (const branch of ["wip/y/z", "tmp-12", "not/wip/x"]) {
      s.repo.git("commit", "-q", "--allow-empty", "-m", branch);
      expect(await asked(branch, "post_commit"), branch).toBe(201);
    }
  });

  test("V07 a branch cannot exclude itself by a pattern either", async () => {
    await using s = await enqueueScene();
    s.repo.commit("config", { ".roborev.toml": 'excluded_branch_patterns = ["wip/*"]\n' });
    s.repo.git("checkout", "-q", "-b", "feature");
    s.repo.commit("loosen", { ".roborev.toml": 'excluded_branch_patterns = ["*"]\n' });
    expect((await s.hook()).status).toBe("queued");
  });

  test("P08 the root commit, alone and as the start of a range", async () => {
    await using s = await enqueueScene();
    const root = s.repo.git("rev-parse", "HEAD");
    const empty = s.repo.git("hash-object", "-t", "tree", "/dev/null");
    expect((await s.enqueue({ git_ref: root })).status).toBe(201);
    expect((await s.enqueue({ git_ref: `${empty}..${root}` })).body as Job).toMatchObject({
      job_type: "range",
      git_ref: `${empty}..${root}`,
    });
  });

  test("P12 a malformed .roborev.toml is a 400 that says where", async () => {
    await using s = await enqueueScene();
    writeFileSync(`${s.repo.path}/.roborev.toml`, "agent = \n");
    const { status, body } = await s.enqueue({ git_ref: "HEAD" });
    expect(status).toBe(400);
    expect((body as { error: string }).error).toContain(".roborev.toml:1:");
  });

  test("V07 a branch cannot change what guards it: those keys come from the default branch", async () => {
    await using s = await enqueueScene();
    s.repo.commit("config", {
      ".roborev.toml": 'excluded_branches = ["wip"]\nreview_min_severity = "high"\n',
    });
    s.repo.git("checkout", "-q", "-b", "feature");
    s.repo.commit("loosen", {
      ".roborev.toml": 'review_min_severity = "critical"\nexcluded_branches = ["feature"]\n',
    });
    expect((await s.enqueue({ git_ref: "HEAD" })).body as Job).toMatchObject({ min_severity: "high" });
  });

  test.each([
    [{ git_ref: "nope" }, 400],
    [{ git_ref: "--output=/tmp/x" }, 400],
    [{ git_ref: "a..b..c" }, 400],
    [{ git_ref: "dirty" }, 400],
    [{ agent: "nope" }, 400],
    [{ review_type: "nope" }, 400],
    [{ reasoning: "nope" }, 400],
    [{ repo_path: "/" }, 400],
  ])("refuses %j", async (request, status) => {
    await using s = await enqueueScene();
    expect((await s.enqueue(request)).status).toBe(status);
  });

  test("A09 a reviewer that is not installed is an error that names it, never another one", async () => {
    await using s = await enqueueScene();
    writeFileSync(
      s.dir.join("data/config.toml"),
      'default_agent = "codex"\ncodex_cmd = "/nonexistent/codex"\n',
    );
    const { status, body } = await s.enqueue({ git_ref: "HEAD" });
    expect(status).toBe(503);
    expect((body as { error: string }).error).toContain("codex");
  });

  test("P14 a submodule and the worktrees of a bare repository are each one repository, however often and from where", async () => {
    await using s = await enqueueScene();
    const bare = s.dir.join("bare.git");
    git(s.dir.path, "clone", "-q", "--bare", s.repo.path, bare);
    const trees = ["one", "two"].map((name) => {
      git(bare, "worktree", "add", "-q", "-b", name, s.dir.join(name));
      return s.dir.join(name);
    });
    s.repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", bare, "sub");
    const sub = `${s.repo.path}/sub`;
    for (const path of [...trees, sub, s.repo.path, ...trees, sub])
      expect((await s.enqueue({ repo_path: path, git_ref: "HEAD" })).status).toBe(201);
    const rows = s.store.repos.list().map(({ root_path, job_count }) => [root_path, job_count]);
    expect(rows.toSorted()).toEqual(
      [
        [bare, 4],
        [sub, 2],
        [s.repo.path, 1],
      ].toSorted(),
    );
  });

  test("H11 a job in a linked worktree is stored under the main repository, with its worktree", async () => {
    await using s = await enqueueScene();
    s.repo.git("worktree", "add", "-q", "-b", "feature", s.dir.join("wt"));
    const { body } = await s.daemon.post("/api/enqueue", { repo_path: s.dir.join("wt"), git_ref: "HEAD" });
    expect(body as Job).toMatchObject({
      repo_path: s.repo.path,
      worktree_path: s.dir.join("wt"),
      branch: "feature",
    });
  });
});

describe("P04 remap", () => {
  test("a rewritten message keeps the review; rewritten content supersedes it", async () => {
    await using s = await enqueueScene();
    const { store } = s.daemon.parts.services;
    const before = s.repo.commit("second", { "a.txt": "a" });
    const job = (await s.enqueue({ git_ref: before })).body as Job;
    store.jobs.cancel(job.id);
    store.jobs.rerun(job.id);
    const claimed = store.jobs.claim("w") as Job;
    store.jobs.fail(claimed.id, "w", "x");
    s.repo.git("commit", "-q", "--amend", "-m", "better message");
    const reworded = s.repo.git("rev-parse", "HEAD");
    const remap = (oldSha: string, newSha: string) =>
      s.daemon.post("/api/remap", {
        repo_path: s.repo.path,
        mappings: [{ old_sha: oldSha, new_sha: newSha }],
      });
    expect((await remap(before, reworded)).body as unknown).toEqual({
      remapped: 1,
      superseded: 0,
      skipped: 0,
    });
    expect(store.jobs.get(job.id)?.git_ref).toBe(reworded);
    const failed = storeReview(store, { repoId: job.repo_id, gitRef: reworded, branch: "main" });
    expect(store.jobs.openFailed(job.repo_id).map((open) => open.jobId)).toEqual([failed]);
    s.repo.write("a.txt", "changed");
    s.repo.git("commit", "-q", "-a", "--amend", "--no-edit");
    const changed = s.repo.git("rev-parse", "HEAD");
    expect((await remap(reworded, changed)).body as { superseded: number }).toMatchObject({ superseded: 1 });
    expect(store.jobs.openFailed(job.repo_id)).toEqual([]);
  });

  test("an amended message does not have the same change reviewed again", async () => {
    await using s = await enqueueScene();
    const { store } = s.daemon.parts.services;
    const before = s.repo.commit("second", { "a.txt": "a" });
    const { repo_id: repoId, patch_id: patchId } = (await s.enqueue({ git_ref: before })).body as Job;
    const first = store.jobs.claim("w") as Job;
    completeAs(store, first.id, "w", "F");
    s.repo.git("commit", "-q", "--amend", "-m", "better message");
    const after = s.repo.git("rev-parse", "HEAD");
    const repeated = (await s.enqueue({ git_ref: after, source: "post_commit" })).body as Job;
    expect(repeated.patch_id).toBe(patchId as string);
    await s.daemon.post("/api/remap", {
      repo_path: s.repo.path,
      mappings: [{ old_sha: before, new_sha: after }],
    });
    expect(store.jobs.get(repeated.id)?.status).toBe("canceled");
    expect(store.jobs.get(first.id)?.git_ref).toBe(after);
    expect(store.jobs.openFailed(repoId).map((open) => open.jobId)).toEqual([first.id]);
  });
});
