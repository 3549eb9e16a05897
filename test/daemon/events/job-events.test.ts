import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { EventHub } from "../../../src/daemon/events/hub.ts";
import { JobEvents } from "../../../src/daemon/events/job-events.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { openStore } from "../../../src/store/open.ts";
import type { Job } from "../../../src/store/schema.ts";
import { testDaemon } from "../../support/daemon.ts";
import { eventsOf } from "../../support/events.ts";
import { testRepo } from "../../support/repo.ts";
import { completeAs } from "../../support/reviews.ts";
import { stubReviewer } from "../../support/stub-reviewer.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";

const passes = "say 'No issues found.'";
const fails = `say "- High: it's \\$(odd) in a.ts"`;

/** A daemon with one worker, or none, whose events are kept. */
async function scene(options: { config?: string; reviewer?: string; workers?: number } = {}) {
  const dir = tempDir({ "data/config.toml": "" });
  const program = stubReviewer(dir.join("claude"), options.reviewer ?? passes);
  const config = `default_agent = "claude-code"\nclaude_code_cmd = "${program}"\n${options.config ?? ""}`;
  writeFileSync(dir.join("data/config.toml"), config);
  const repo = testRepo();
  const daemon = await testDaemon(dir.join("data"), { workers: options.workers ?? 1 });
  const events = eventsOf(daemon.parts.services.events);
  return {
    dir,
    repo,
    daemon,
    events,
    store: daemon.parts.services.store,
    async enqueue(request: object = {}): Promise<number> {
      const { body } = await daemon.post("/api/enqueue", { repo_path: repo.path, ...request });
      return (body as Job).id;
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

describe("events of a review, from the daemon that does it", () => {
  test("enqueued, started and completed, with verdict and the whole review", async () => {
    await using s = await scene({ reviewer: fails });
    const sha = s.repo.commit("two", { "a.ts": "x\n" });
    const id = await s.enqueue();
    const completed = await s.events.first("review.completed");
    const job = s.store.jobs.get(id) as Job;
    const place = { job_id: id, job_uuid: job.uuid, repo: s.repo.path, repo_name: job.repo_name ?? "", sha };
    expect(completed).toEqual({
      type: "review.completed",
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      ...place,
      branch: "main",
      agent: "claude-code",
      verdict: "F",
      findings: s.store.reviews.byJob(id)?.output as string,
    });
    expect(completed.findings).toContain("it's $(odd) in a.ts");
    expect(s.events.names()).toEqual([
      `job.enqueued ${id}`,
      `review.started ${id}`,
      `review.completed ${id}`,
    ]);
  });

  test("in a linked worktree name the main repository, the branch and the worktree", async () => {
    await using s = await scene();
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", "-b", "side", tree);
    await s.enqueue({ repo_path: tree, git_ref: s.repo.commit("two", { a: "fine\n" }) });
    expect(await s.events.first("review.completed")).toMatchObject({
      repo: s.repo.path,
      branch: "side",
      worktree_path: tree,
      verdict: "P",
    });
  });

  test("a failure for good is told with its reason", async () => {
    await using s = await scene({ reviewer: "touch evil; say 'No issues found.'" });
    s.repo.commit("two", { "a.ts": "x\n" });
    const id = await s.enqueue();
    expect(await s.events.first("review.failed")).toMatchObject({
      job_id: id,
      error: expect.stringContaining("policy: "),
    });
    expect(s.events.names()).toEqual([`job.enqueued ${id}`, `review.started ${id}`, `review.failed ${id}`]);
  });

  test("a review that closes by itself is told as closed, too", async () => {
    await using s = await scene({ config: "auto_close_passing_reviews = true\n" });
    s.repo.commit("two", { "a.ts": "fine\n" });
    const id = await s.enqueue();
    await s.events.first("review.closed");
    expect(s.events.names().slice(2)).toEqual([`review.completed ${id}`, `review.closed ${id}`]);
  });

  test("a running job that is canceled is told once, and never as completed", async () => {
    await using s = await scene({ reviewer: `echo running > ${"$"}{0%/*}/ready; exec sleep 600` });
    s.repo.commit("two", { "a.ts": "x\n" });
    const id = await s.enqueue();
    await waitFor("the reviewer", () => Bun.file(s.dir.join("ready")).size > 0, 20_000);
    await s.daemon.post("/api/job/cancel", { job_id: id });
    await waitFor("the worker", () => s.daemon.parts.services.engine.activeWorkers === 0, 20_000);
    expect((await s.daemon.post("/api/job/cancel", { job_id: id })).status).toBe(404);
    expect(s.events.names()).toEqual([`job.enqueued ${id}`, `review.started ${id}`, `review.canceled ${id}`]);
  });
});

describe("events of requests", () => {
  test("a repeated commit and an excluded one are not enqueued, hence not told; a job that runs again is", async () => {
    await using s = await scene({ workers: 0 });
    s.repo.commit("two", { a: "x\n" });
    const id = await s.enqueue({ source: "post_commit" });
    await s.enqueue({ source: "post_commit" });
    s.repo.write(".roborev.toml", 'excluded_branches = ["main"]\n');
    await s.enqueue({});
    await s.daemon.post("/api/job/cancel", { job_id: id });
    await s.daemon.post("/api/job/rerun", { job_id: id });
    expect(s.events.names()).toEqual([`job.enqueued ${id}`, `review.canceled ${id}`, `job.enqueued ${id}`]);
  });

  test("closing, reopening and commenting are told when something changed", async () => {
    await using s = await scene({ reviewer: fails });
    s.repo.commit("two", { a: "x\n" });
    const id = await s.enqueue();
    await s.events.first("review.completed");
    s.events.names();
    for (const closed of [false, true, true, false])
      await s.daemon.post("/api/review/close", { job_id: id, closed });
    expect((await s.daemon.post("/api/review/close", { job_id: 99, closed: true })).status).toBe(404);
    await s.daemon.post("/api/comment", { job_id: id, commenter: "ada", comment: "it's fine" });
    expect((await s.daemon.post("/api/comment", { job_id: 99, commenter: "ada", comment: "x" })).status).toBe(
      404,
    );
    expect(s.events.all.at(-1)).toMatchObject({ commenter: "ada", comment: "it's fine", verdict: "F" });
    expect(s.events.names()).toEqual([
      `review.closed ${id}`,
      `review.reopened ${id}`,
      `review.commented ${id}`,
    ]);
  });

  test("a review that a backup takes over has not failed: it is told once, as the backup's", async () => {
    await using s = await scene({
      config: 'codex_cmd = "/nowhere/codex"\ndefault_backup_agent = "claude-code"\n',
    });
    s.repo.commit("two", { a: "fine\n" });
    const id = await s.enqueue({ agent: "codex" });
    expect(await s.events.first("review.completed")).toMatchObject({ job_id: id, agent: "claude-code" });
    expect(s.store.jobs.get(id)?.attempted_agents).toEqual(["codex"]);
    expect(s.events.names()).toEqual([
      `job.enqueued ${id}`,
      `review.started ${id}`,
      `review.completed ${id}`,
    ]);
  });

  test("a review that follows an amended message is told with both commits, the one it makes needless as canceled", async () => {
    await using s = await scene();
    const old = s.repo.commit("two", { a: "fine\n" });
    const first = await s.enqueue();
    await s.events.first("review.completed");
    s.daemon.parts.services.store.kv.set("queue_paused", "1");
    s.repo.git("commit", "-q", "--amend", "-m", "a better message");
    const sha = s.repo.git("rev-parse", "HEAD");
    const second = await s.enqueue({ source: "post_commit" });
    s.events.names();
    const mappings = [{ old_sha: old, new_sha: sha }];
    await s.daemon.post("/api/remap", { repo_path: s.repo.path, mappings });
    expect(await s.events.first("review.canceled")).toMatchObject({ job_id: second });
    expect(await s.events.first("review.remapped")).toMatchObject({
      job_id: first,
      sha,
      old_sha: old,
      verdict: "P",
    });
  });

  test.each(["ends", "is canceled"])(
    "P04 a review that runs while its message is amended, twice, is told with both commits once it %s",
    async (end) => {
      const untilGo = `touch ${"$"}{0%/*}/ready; until [ -e ${"$"}{0%/*}/go ]; do sleep 0.02; done`;
      await using s = await scene({ reviewer: `${untilGo}; ${passes}` });
      const old = s.repo.commit("two", { a: "fine\n" });
      const id = await s.enqueue();
      await waitFor("the reviewer", () => existsSync(s.dir.join("ready")), 20_000);
      let before = old;
      for (const message of ["better", "best"]) {
        s.repo.git("commit", "-q", "--amend", "-m", message);
        const mappings = [{ old_sha: before, new_sha: s.repo.git("rev-parse", "HEAD") }];
        await s.daemon.post("/api/remap", { repo_path: s.repo.path, mappings });
        before = s.repo.git("rev-parse", "HEAD");
      }
      expect(s.events.names()).toEqual([`job.enqueued ${id}`, `review.started ${id}`]);
      if (end === "ends") writeFileSync(s.dir.join("go"), "");
      else await s.daemon.post("/api/job/cancel", { job_id: id });
      const last = end === "ends" ? "review.completed" : "review.canceled";
      expect(await s.events.first(last)).toMatchObject({ sha: before });
      expect(await s.events.first("review.remapped")).toMatchObject({
        job_id: id,
        sha: before,
        old_sha: old,
      });
      await waitFor("the worker", () => s.daemon.parts.services.engine.activeWorkers === 0, 20_000);
      expect(s.events.names()).toEqual([`review.remapped ${id}`, `${last} ${id}`]);
    },
  );

  test("a commit that was changed closes its review and is queued anew; each is told once, nothing was remapped", async () => {
    await using s = await scene();
    const old = s.repo.commit("two", { a: "x\n" });
    const first = await s.enqueue();
    await s.events.first("review.completed");
    s.daemon.parts.services.store.kv.set("queue_paused", "1");
    s.repo.write("a", "y\n");
    s.repo.git("commit", "-qa", "--amend", "-m", "two");
    s.events.names();
    const mappings = [{ old_sha: old, new_sha: s.repo.git("rev-parse", "HEAD") }];
    const remap = () => s.daemon.post("/api/remap", { repo_path: s.repo.path, mappings });
    expect((await remap()).body).toMatchObject({ superseded: 1 });
    await remap();
    await s.events.first("review.closed");
    expect(s.events.names().sort()).toEqual([`job.enqueued ${first + 1}`, `review.closed ${first}`]);
  });

  test("a job that takes a further commit in was queued before: nothing is told", async () => {
    await using s = await scene({ workers: 0 });
    s.repo.commit("settle", { ".roborev.toml": "post_commit_settle_seconds = 600\n" });
    const first = await s.enqueue({ source: "post_commit" });
    s.repo.commit("two", { a: "x\n" });
    expect(await s.enqueue({ source: "post_commit" })).toBe(first);
    expect(s.events.names()).toEqual([`job.enqueued ${first}`]);
  });

  test("a review of a branch that follows its amended end is told with both ranges", async () => {
    await using s = await scene();
    const base = s.repo.git("rev-parse", "HEAD");
    const old = s.repo.commit("two", { a: "fine\n" });
    const id = await s.enqueue({ git_ref: `${base}..${old}` });
    await s.events.first("review.completed");
    s.repo.git("commit", "-q", "--amend", "-m", "a better message");
    const sha = s.repo.git("rev-parse", "HEAD");
    const mappings = [{ old_sha: old, new_sha: sha }];
    await s.daemon.post("/api/remap", { repo_path: s.repo.path, mappings });
    expect(await s.events.first("review.remapped")).toMatchObject({
      job_id: id,
      sha: `${base}..${sha}`,
      old_sha: `${base}..${old}`,
    });
  });
});

describe("D08 the end of a worker's job is read again before it is told", () => {
  async function ended() {
    const dir = tempDir();
    const store = await openStore(dir.join("reviews.db"), { clock: systemClock });
    const hub = new EventHub(() => {});
    const events = eventsOf(hub);
    const errors: unknown[] = [];
    const jobEvents = new JobEvents({
      hub,
      clock: systemClock,
      database: async (work) => work(store),
      onError: (error) => errors.push(error),
    });
    const { id: repoId } = store.repos.getOrCreate({ rootPath: "/r", name: "r", identity: "local:///r" });
    const { job } = store.jobs.enqueue({
      repoId,
      gitRef: "a".repeat(40),
      jobType: "review",
      agent: "test",
      reasoning: "fast",
    });
    store.jobs.claim("w");
    const tell = async () => {
      await jobEvents.ended(job.id, "w");
      return events.names();
    };
    return { store, id: job.id, tell, errors, jobEvents, [Symbol.dispose]: () => dir[Symbol.dispose]() };
  }

  test("completed and failed are told", async () => {
    using s = await ended();
    completeAs(s.store, s.id, "w", "P");
    expect(await s.tell()).toEqual([`review.completed ${s.id}`]);
    using f = await ended();
    f.store.jobs.fail(f.id, "w", "out of luck");
    expect(await f.tell()).toEqual([`review.failed ${f.id}`]);
  });

  test("canceled, put back, to be tried again, skipped, taken by another worker, deleted: nothing is told", async () => {
    using s = await ended();
    const { jobs } = s.store;
    expect(await s.tell()).toEqual([]);
    jobs.retry(s.id, "w", "again", new Date(0));
    expect(await s.tell()).toEqual([]);
    jobs.claim("other");
    completeAs(s.store, s.id, "other", "F");
    expect(await s.tell()).toEqual([]);
    jobs.rerun(s.id);
    jobs.claim("w");
    jobs.cancel(s.id);
    completeAs(s.store, s.id, "w", "F");
    expect(await s.tell()).toEqual([]);
    jobs.rerun(s.id);
    jobs.claim("w");
    jobs.skip(s.id, "w", "empty diff");
    expect(await s.tell()).toEqual([]);
    s.store.repos.unregister("/r", { purge: true });
    expect(await s.tell()).toEqual([]);
    expect(s.errors).toEqual([]);
  });

  test("a database that fails costs the event, not the worker", async () => {
    using s = await ended();
    s.store.close();
    expect(await s.tell()).toEqual([]);
    expect(s.errors).toHaveLength(1);
  });
});
