import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { waitFor } from "../../support/wait.ts";
import { passes, eventScene as scene } from "./event-scene.ts";

describe("events of a rewrite", () => {
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
      await waitFor("the reviewer", () => existsSync(s.dir.join("ready")));
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
      await waitFor("the worker", () => s.daemon.parts.services.engine.activeWorkers === 0);
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
