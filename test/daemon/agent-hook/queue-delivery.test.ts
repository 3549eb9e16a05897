import { describe, expect, spyOn, test } from "bun:test";
import { mkdirSync, renameSync } from "node:fs";
import { codingAgent } from "./coding-agent.ts";
import { hermes } from "./hermes-scene.ts";
import { scene } from "./scene.ts";

const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;
const quiet = { triggered: false } as const;

describe("a queued reminder", () => {
  test("67 waits while its working tree is on another branch, and is told from outside of git with its place", async () => {
    await using s = await hermes();
    const [id] = s.fail(1);
    await s.agent.run("true");
    s.repo.git("checkout", "-q", "-b", "other");
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject(quiet);
    expect(await s.queue()).toHaveLength(1);
    s.repo.git("checkout", "-q", "main");
    s.repo.commit("later"); // what comes on top of an attached branch does not keep it back
    const told = await s.agent.stop({ cwd: s.dir.path });
    expect(told).toMatchObject({ triggered: true, triggered_by: "failed_reviews", remind_count: 1 });
    expect(told.reason).toContain(`Review job id: ${id}.`);
    expect(told.reason).toContain(`It belongs to the working tree "${s.repo.path}": change to it`);
    expect(await s.queue()).toEqual([]);
  });

  test("67 of a detached HEAD waits for exactly that commit", async () => {
    await using s = await hermes();
    s.repo.git("checkout", "-q", "--detach");
    s.fail(1);
    await s.agent.run("true");
    for (const place of ["main", "HEAD~0 -q --detach"]) {
      s.repo.git("checkout", "-q", ...place.split(" "));
      if (place !== "main") s.repo.commit("later");
      expect(await s.agent.stop({ cwd: "/" })).toMatchObject(quiet);
    }
    s.repo.git("checkout", "-q", "--detach", "main");
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject({ triggered: true });
  });

  test("68 waits while its repository is registered as another one, whose reviews are not looked up", async () => {
    await using s = await hermes();
    s.fail(1);
    await s.agent.run("true");
    s.repo.git("remote", "add", "origin", "https://example.invalid/other.git");
    await s.register();
    const lookup = spyOn(s.daemon.parts.services.store.jobs, "openFailed");
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject(quiet);
    expect(lookup).not.toHaveBeenCalled();
    expect(await s.queue()).toHaveLength(1);
    s.repo.git("remote", "remove", "origin");
    await s.register();
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject({ triggered: true });
  });

  test("69 of a repository that is not registered any more is dropped", async () => {
    await using s = await hermes({ failed: 4 });
    s.fail(4);
    await s.agent.run("true");
    await s.daemon.post("/api/repos/unregister", { repo_path: s.repo.path });
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject(quiet);
    const state = await s.agent.state();
    for (const field of ["pending_reminders", "failed_review_triggered_counts", "failed_review_count"])
      expect(state[field]).toBeUndefined();
  });

  test("waits while its working tree is not there", async () => {
    await using s = await hermes();
    s.fail(1);
    await s.agent.run("true");
    renameSync(s.repo.path, s.dir.join("away"));
    mkdirSync(s.repo.path);
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject(quiet);
    expect(await s.queue()).toHaveLength(1);
    renameSync(s.dir.join("away"), s.repo.path);
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject({ triggered: true });
  });

  test("70 71 is dropped once its reviews are closed, one of commits as well; when they open again it comes anew", async () => {
    await using s = await hermes({ commits: 1, failed: 2 });
    const ids = s.fail(2);
    await s.agent.run(commit("a"));
    expect(await s.queue()).toHaveLength(2);
    await s.close(ids);
    expect(await s.agent.stop()).toMatchObject(quiet);
    expect(await s.queue()).toEqual([]);
    await s.close(ids, false);
    const [newer] = s.fail(1);
    await s.agent.run("true");
    expect(await s.queue()).toMatchObject([{ triggered_by: "failed_reviews", failed_review_count: 3 }]);
    const told = await s.agent.stop();
    expect(told.reason).toContain(`Review job ids: ${[newer, ...[...ids].reverse()].join(", ")}.`);
  });

  test("72 acknowledges when it is told, what it names then", async () => {
    await using s = await hermes({ failed: 1 });
    const [first] = s.fail(1);
    await s.agent.run("true");
    const [second] = s.fail(1);
    const told = await s.agent.stop({ cwd: "/" });
    expect(told).toMatchObject({ failed_review_count: 2 });
    expect(told.reason).toContain("2 open failed roborev reviews");
    expect((await s.agent.state()).acknowledged_review_ids).toEqual({
      [`${s.repo.path}\0main`]: { [`${first}`]: {}, [`${second}`]: {} },
    });
  });

  test("72 whose reviews were told by another one meanwhile is dropped", async () => {
    await using s = await hermes({ commits: 1, failed: 1 });
    s.fail(1);
    await s.agent.run(commit("a"));
    expect(await s.queue()).toHaveLength(2);
    const told = await s.agent.stop();
    expect(told).toMatchObject({ triggered_by: "failed_reviews" });
    await s.fixDone(told);
    await s.nextTurn();
    expect(await s.agent.stop()).toMatchObject(quiet);
    expect(await s.queue()).toEqual([]);
  });

  test("keeps the instruction of the time when it was queued", async () => {
    await using s = await scene();
    s.fail(1);
    const flags = { agent: "hermes", failedReviewThreshold: 1 } as const;
    await codingAgent(s, { ...flags, instruction: "Mend it." }).run("true");
    expect((await codingAgent(s, flags).stop()).reason).toContain(
      "\n\nMend it. 1 open failed roborev review",
    );
  });
});

test("75 a reminder that an older release queued without an instruction is told in its own words, with the ids", async () => {
  await using s = await hermes({
    state: (repo) => ({
      sessions: {
        h1: {
          count: 3,
          pending_reminders: {
            [`${repo}\0main\0commit`]: {
              triggered_by: "commit",
              reason: "Two commits have failed reviews; please fix.",
              tracked_repo_root: repo,
              worktree_root: repo,
              lineage_key: `${repo}\0main`,
              commit_count: 2,
              created_at: "2026-01-01T00:00:00Z",
            },
          },
        },
      },
    }),
  });
  const [id] = s.fail(1);
  const { reason } = await s.agent.stop({ cwd: "/" });
  expect(reason).toContain("\n\nTwo commits have failed reviews; please fix. ");
  expect(reason).toContain(`Review job id: ${id}.`);
  expect(reason).not.toContain("commits reached");
  expect(Object.keys(await s.sessions())).toEqual(["hermes:h1"]);
});
