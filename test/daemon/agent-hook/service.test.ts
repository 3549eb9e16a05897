import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import type { HookRequest, HookResponse } from "../../../src/daemon/api/hook-event.ts";
import { testDaemon } from "../../support/daemon.ts";
import { testRepo } from "../../support/repo.ts";
import { storeReview } from "../../support/reviews.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";
import { scene, turnEnd } from "./scene.ts";

const shell = {
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  command: "ls",
  channel: "context",
} as const;

describe("hook events", () => {
  test("four open failed reviews are told after the next shell command, once", async () => {
    await using s = await scene();
    expect(await s.event(shell)).toMatchObject({ triggered: false });
    const ids = s.fail(4);
    const told = await s.event(shell);
    expect(told).toMatchObject({
      triggered: true,
      triggered_by: "failed_reviews",
      failed_review_count: 4,
      remind_count: 1,
    });
    expect(told.reason).toContain(`Review job ids: ${[...ids].reverse().join(", ")}.`);
    expect(await s.event(shell)).toMatchObject({ triggered: false });
    await s.fixDone(told);
    expect(await s.event({})).toMatchObject({ triggered: false, count: 1 });
  });

  test("closed reviews are not told", async () => {
    await using s = await scene();
    for (const id of s.fail(4)) await s.daemon.post("/api/review/close", { job_id: id, closed: true });
    expect(await s.event(shell)).toMatchObject({ triggered: false });
  });

  test("44 only failed reviews of code count: no pass, no fix job", async () => {
    await using s = await scene();
    const { store } = s.daemon.parts.services;
    const head = s.repo.git("rev-parse", "HEAD");
    for (let n = 0; n < 4; n++) {
      storeReview(store, { repoId: s.repoId, gitRef: head, branch: "main", verdict: "P" });
      storeReview(store, { repoId: s.repoId, gitRef: head, branch: "main", jobType: "fix" });
    }
    expect(await s.event(shell)).toMatchObject({ triggered: false });
  });

  test("the turn trigger fires at the fifth Stop with an open failure", async () => {
    await using s = await scene();
    s.fail(1);
    for (let turn = 1; turn <= 4; turn++)
      expect(await s.event({ turn_id: `t${turn}` })).toMatchObject({ triggered: false, count: turn });
    expect(await s.event({ turn_id: "t5" })).toMatchObject({
      triggered: true,
      triggered_by: "stop",
      count: 5,
    });
    expect(await s.event({ turn_id: "t5", stop_hook_active: true })).toMatchObject({
      triggered: false,
      skipped: true,
      count: 5,
    });
  });

  test("49 a session in a linked worktree is told of the main repository's reviews of its branch", async () => {
    await using s = await scene();
    s.repo.git("worktree", "add", "-q", "-b", "feature", s.dir.join("wt"));
    s.fail(4, "feature");
    expect(await s.event(shell)).toMatchObject({ triggered: false });
    expect(await s.event({ ...shell, cwd: s.dir.join("wt") })).toMatchObject({ triggered: true });
  });

  test("sessions of two agents with the same id are two sessions", async () => {
    await using s = await scene();
    s.fail(4);
    const told = await s.event(shell);
    expect(told).toMatchObject({ triggered: true });
    await s.fixDone(told);
    expect(await s.event(shell, { agent: "codex" })).toMatchObject({ triggered: true });
    expect(Object.keys(await s.sessions()).sort()).toEqual(["claude:s1", "codex:s1"]);
  });

  test("27 other tools, other events, other places leave no trace", async () => {
    await using s = await scene();
    s.fail(4);
    for (const event of [
      { hook_event_name: "PostToolUse", tool_name: "Edit" },
      { hook_event_name: "SessionStart" },
      { hook_event_name: "PreToolUse", tool_name: "Bash", command: "ls" },
      { ...shell, cwd: s.dir.path },
      { ...shell, cwd: "relative" },
      { ...shell, cwd: "/nonexistent" },
    ]) {
      expect(await s.event(event)).toMatchObject({ triggered: false, skipped: true });
    }
    expect(await s.sessions()).toEqual({});
  });

  test("52 a Stop in an unregistered repository leaves no trace; uninit makes it one", async () => {
    await using s = await scene();
    s.fail(4);
    await s.daemon.post("/api/repos/unregister", { repo_path: s.repo.path });
    expect(await s.event({})).toMatchObject({ triggered: false, skipped: true });
    expect(await s.sessions()).toEqual({});
  });

  test("68 another repository in the same place is not the registered one", async () => {
    await using s = await scene();
    s.fail(4);
    s.repo.git("remote", "add", "origin", "https://example.invalid/other.git");
    expect(await s.event(shell)).toMatchObject({ triggered: false });
  });

  test("the directory of a `cd` or `-C` in a commit command is where it happened", async () => {
    await using s = await scene();
    s.fail(4);
    const elsewhere = { ...shell, cwd: s.dir.path, commit: { verb: "commit", directories: [s.repo.path] } };
    expect(await s.event(elsewhere)).toMatchObject({ triggered: true });
  });

  test("thresholds and instruction: flag, then environment, then section; guidelines from the standard file", async () => {
    await using s = await scene();
    writeFileSync(
      s.dir.join("config.toml"),
      'fix_guidelines = "Verify first."\n[agent_hook]\nfailed_review_threshold = 3\ninstruction = "From section."\n',
    );
    s.fail(2);
    expect(await s.event(shell)).toMatchObject({ triggered: false, failed_review_threshold: 3 });
    expect(
      await s.event(shell, {
        failed_review_threshold: 0,
        env: { ROBOREV_AGENT_HOOK_FAILED_REVIEW_THRESHOLD: "2" },
      }),
    ).toMatchObject({ triggered: false });
    const told = await s.event(shell, { env: { ROBOREV_AGENT_HOOK_FAILED_REVIEW_THRESHOLD: "2" } });
    expect(told.reason).toContain("\n\nFrom section. 2 open failed roborev reviews");
    expect(told.reason).toEndWith("## Autofix Guidelines\n\nVerify first.");
  });

  test("a broken configuration file is one diagnostic, and the hook works with what it knows", async () => {
    await using s = await scene();
    writeFileSync(s.dir.join("config.toml"), "[agent_hook\n");
    s.fail(4);
    const told = await s.event(shell);
    expect(told.triggered).toBe(true);
    expect(told.diagnostic).toContain("config.toml:1:");
  });

  test("the feature switched off says and remembers nothing", async () => {
    await using s = await scene();
    writeFileSync(s.dir.join("config.toml"), "[agent_hook]\nenabled = false\n");
    s.fail(4);
    expect(await s.event(shell)).toMatchObject({ triggered: false, skipped: true });
    expect(await s.sessions()).toEqual({});
  });

  test("85 an event without a session id is a 400", async () => {
    await using s = await scene();
    expect(
      (
        await s.daemon.post("/api/agent-hook/event", {
          agent: "claude",
          event: { session_id: "", hook_event_name: "Stop" },
        })
      ).status,
    ).toBe(400);
    expect((await s.daemon.post("/api/agent-hook/reset", {})).status).toBe(400);
  });

  test("reset forgets a session under any agent; an unknown one is fine", async () => {
    await using s = await scene();
    s.fail(4);
    await s.event(shell);
    await s.daemon.post("/api/agent-hook/reset", { session_id: "unknown" });
    expect(Object.keys(await s.sessions())).toEqual(["claude:s1"]);
    await s.daemon.post("/api/agent-hook/reset", { session_id: "s1" });
    expect(await s.sessions()).toEqual({});
    expect(await s.event(shell)).toMatchObject({ triggered: true });
  });

  test("an old bare session key is adopted by the first agent that sends its id", async () => {
    using old = tempDir();
    mkdirSync(old.join("agent-hook"), { mode: 0o700 });
    writeFileSync(old.join("agent-hook/state.json"), '{"sessions": {"s1": {"count": 7}}}');
    using repo = testRepo();
    await using daemon = await testDaemon(old.path);
    await daemon.post("/api/repos/register", { repo_path: repo.path });
    const event = { session_id: "s1", cwd: repo.path, ...turnEnd };
    expect(
      (await daemon.post("/api/agent-hook/event", { agent: "codex", event })).body as HookResponse,
    ).toMatchObject({ count: 8 });
    expect(Object.keys((await daemon.get("/api/agent-hook/sessions")).body["sessions" as never])).toEqual([
      "codex:s1",
    ]);
  });
});

describe("84 an unreadable state file", () => {
  test("makes the hook routes 503 and nothing else", async () => {
    using dir = tempDir({ "agent-hook/state.json": "{" });
    await using daemon = await testDaemon(dir.path);
    const event = { agent: "claude", event: { session_id: "s", hook_event_name: "Stop" } };
    for (const answer of [
      await daemon.post("/api/agent-hook/event", event),
      await daemon.get("/api/agent-hook/sessions"),
      await daemon.post("/api/agent-hook/reset", { all: true }),
    ]) {
      expect(answer.status).toBe(503);
      expect((answer.body as { error: string }).error).toStartWith("Agent Hook state is unavailable: ");
    }
    const status = (await daemon.get("/api/status")).body as {
      healthy: boolean;
      components: { name: string; healthy: boolean }[];
    };
    expect(
      status.components.filter((component) => !component.healthy).map((component) => component.name),
    ).toEqual(["agent_hook"]);
    expect((await daemon.get("/api/jobs")).status).toBe(200);
  });
});

test("77 a caller that is gone before the write consumes nothing", async () => {
  await using s = await scene();
  s.fail(4);
  const gone = AbortSignal.abort();
  const request = { agent: "claude", event: { session_id: "s1", cwd: s.repo.path, ...shell } } as HookRequest;
  await expect(s.daemon.parts.services.hooks().event(request, gone)).rejects.toThrow();
  expect(await s.sessions()).toEqual({});
  expect(await s.event(shell)).toMatchObject({ triggered: true });
});

describe("a harness that keeps git's hooks from running", () => {
  const commit = { commit: { verb: "commit", directories: [] } };
  const jobs = async (s: Awaited<ReturnType<typeof scene>>) =>
    ((await s.daemon.get("/api/jobs")).body as { jobs: { git_ref: string; source?: string }[] }).jobs;

  test("has its commits queued from the hook event, once, also where post-commit did run", async () => {
    await using s = await scene();
    writeFileSync(s.dir.join("config.toml"), 'default_agent = "test"\n');
    const gemini = { agent: "gemini" };
    await s.event({ ...shell, hook_event_name: "PreToolUse", ...commit }, gemini);
    const sha = s.repo.commit("by Gemini CLI", { "a.txt": "a" });
    await s.event({ ...shell, ...commit }, gemini);
    await waitFor("the job", async () => (await jobs(s)).length === 1);
    await s.daemon.post("/api/enqueue", { repo_path: s.repo.path, git_ref: sha, source: "post_commit" });
    await s.event({ ...shell, ...commit }, gemini);
    expect((await jobs(s)).map((job) => [job.git_ref, job.source])).toEqual([[sha, "post_commit"]]);
  });

  test("other harnesses leave that to git, and a HEAD that other commands moved is no commit", async () => {
    await using s = await scene();
    writeFileSync(s.dir.join("config.toml"), 'default_agent = "test"\n');
    await s.event({ ...shell, hook_event_name: "PreToolUse", ...commit });
    await s.event({ ...shell, hook_event_name: "PreToolUse", ...commit }, { agent: "gemini" });
    s.repo.commit("second", { "a.txt": "a" });
    await s.event({ ...shell, ...commit });
    await s.event({ ...shell, commit: { verb: "pull", directories: [] } }, { agent: "gemini" });
    expect(await jobs(s)).toEqual([]);
  });
});
