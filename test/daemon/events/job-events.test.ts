import { describe, expect, test } from "bun:test";
import { EventHub } from "../../../src/daemon/events/hub.ts";
import { JobEvents } from "../../../src/daemon/events/job-events.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { openStore } from "../../../src/store/open.ts";
import type { Job } from "../../../src/store/schema.ts";
import { eventsOf } from "../../support/events.ts";
import { completeAs } from "../../support/reviews.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";
import { fails, eventScene as scene } from "./event-scene.ts";

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

  test("S02 a running job that is canceled is told once, and never as completed", async () => {
    await using s = await scene({ reviewer: `echo running > ${"$"}{0%/*}/ready; exec sleep 600` });
    s.repo.commit("two", { "a.ts": "x\n" });
    const id = await s.enqueue();
    await waitFor("the reviewer", () => Bun.file(s.dir.join("ready")).size > 0);
    await s.daemon.post("/api/job/cancel", { job_id: id });
    await waitFor("the worker", () => s.daemon.parts.services.engine.activeWorkers === 0);
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

  test("a job that takes a further commit in was queued before: nothing is told", async () => {
    await using s = await scene({ workers: 0 });
    s.repo.commit("settle", { ".roborev.toml": "post_commit_settle_seconds = 600\n" });
    const first = await s.enqueue({ source: "post_commit" });
    s.repo.commit("two", { a: "x\n" });
    expect(await s.enqueue({ source: "post_commit" })).toBe(first);
    expect(s.events.names()).toEqual([`job.enqueued ${first}`]);
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
