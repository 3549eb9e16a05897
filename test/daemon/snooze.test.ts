import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { ActiveSnooze, Repo } from "../../src/store/schema.ts";
import { type TestDaemon, testDaemon } from "../support/daemon.ts";
import { git, testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

const route = "/api/agent-hook/snooze";
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A daemon, a registered repository and a temporary directory for what lies beside it. */
async function scene() {
  const dir = tempDir();
  const repo = testRepo();
  const daemon = await testDaemon(dir.join("data"));
  const { id } = (await daemon.post("/api/repos/register", { repo_path: repo.path })).body as Repo;
  const here = { repo_path: repo.path, worktree_path: repo.path, branch: "main" };
  return {
    dir,
    repo,
    daemon,
    id,
    here,
    snooze: (more: object = {}) =>
      daemon.post(route, { ...here, enabled: true, snoozed_until: inHours(1), ...more }),
    active: () => activeOf(daemon),
    until: (worktree: string, branch: string) =>
      daemon.parts.services.store.snoozes.until(id, worktree, branch, new Date()),
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

async function activeOf(daemon: TestDaemon): Promise<ActiveSnooze[]> {
  const { status, body } = await daemon.get("/api/status");
  expect(status).toBe(200);
  return (body as { active_snoozes: ActiveSnooze[] }).active_snoozes;
}

describe("POST snooze", () => {
  test("60 on and off answer what is so from now on; off may be said twice", async () => {
    await using s = await scene();
    const until = inHours(2);
    expect(await s.snooze({ snoozed_until: until })).toEqual({
      status: 200,
      body: { snoozed: true, snoozed_until: until } as never,
    });
    expect(s.until(s.repo.path, "main")?.toISOString()).toBe(until);
    for (let times = 0; times < 2; times++) {
      const off = await s.daemon.post(route, { ...s.here, enabled: false });
      expect(off).toEqual({ status: 200, body: { snoozed: false } as never });
      expect(s.until(s.repo.path, "main")).toBeUndefined();
    }
  });

  test("60 a missing branch is a detached HEAD, and paths are stored as they really are", async () => {
    await using s = await scene();
    symlinkSync(s.repo.path, s.dir.join("link"));
    const link = s.dir.join("link");
    const answer = await s.snooze({ repo_path: `${link}/`, worktree_path: link, branch: undefined });
    expect(answer.status).toBe(200);
    expect(await s.active()).toMatchObject([
      { repo_path: s.repo.path, worktree_path: s.repo.path, branch: "" },
    ]);
  });

  test("any way of writing a time in the future is read as that time", async () => {
    await using s = await scene();
    for (const [written, read] of [
      ["2100-01-02T03:04:05Z", "2100-01-02T03:04:05.000Z"],
      ["2100-01-02T03:04:05.123456789Z", "2100-01-02T03:04:05.123Z"],
      ["2100-01-02T03:04:05+02:00", "2100-01-02T01:04:05.000Z"],
    ])
      expect((await s.snooze({ snoozed_until: written })).body).toMatchObject({ snoozed_until: read });
  });

  test.each([
    ["no repository", { repo_path: undefined }],
    ["an empty repository", { repo_path: "" }],
    ["a relative repository", { repo_path: "repo" }],
    ["no working tree", { worktree_path: undefined }],
    ["an empty working tree", { worktree_path: "" }],
    ["neither on nor off", { enabled: undefined }],
    ["no deadline", { snoozed_until: undefined }],
    ["an empty deadline", { snoozed_until: "" }],
    ["a deadline that is no time", { snoozed_until: "tomorrow" }],
    ["a deadline of a day that there is not", { snoozed_until: "2100-13-40T00:00:00Z" }],
    ["a date", { snoozed_until: "2100-01-01" }],
    ["a number", { snoozed_until: "4102444800000" }],
    ["a deadline that is over", { snoozed_until: inHours(-1) }],
  ])("400 for %s, and nothing is stored", async (_, change) => {
    await using s = await scene();
    const answer = await s.snooze(change);
    expect(answer).toMatchObject({ status: 400, body: { code: "E_INVALID" } });
    expect(await s.active()).toEqual([]);
  });

  test("404 for a repository that is not tracked, or not any more, which stays so", async () => {
    await using s = await scene();
    using other = testRepo();
    const refused = { status: 404, body: { code: "E_NOT_TRACKED", hint: expect.stringContaining("init") } };
    for (const enabled of [true, false])
      expect(await s.snooze({ repo_path: other.path, worktree_path: other.path, enabled })).toMatchObject(
        refused,
      );
    s.daemon.parts.services.store.jobs.enqueue({
      repoId: s.id,
      gitRef: "x",
      jobType: "review",
      agent: "test",
      reasoning: "fast",
    });
    await s.snooze();
    await s.daemon.post("/api/repos/unregister", { repo_path: s.repo.path });
    expect(await s.snooze()).toMatchObject(refused);
    expect(await s.active()).toEqual([]);
    const { repos } = (await s.daemon.get("/api/repos")).body as { repos: Repo[] };
    expect(repos).toMatchObject([{ root_path: s.repo.path, active: false }]);
  });

  test("the snooze of a worktree that is gone can be taken back", async () => {
    await using s = await scene();
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", tree);
    await s.snooze({ worktree_path: tree, branch: "tree" });
    rmSync(tree, { recursive: true });
    expect(await s.active()).toHaveLength(1);
    await s.snooze({ worktree_path: tree, branch: "tree", enabled: false });
    expect(await s.active()).toEqual([]);
  });

  test("84 an unreadable state file does not keep anyone from snoozing", async () => {
    using dir = tempDir();
    using repo = testRepo();
    mkdirSync(dir.join("agent-hook"), { mode: 0o700 });
    writeFileSync(dir.join("agent-hook/state.json"), "{", { mode: 0o600 });
    await using daemon = await testDaemon(dir.path);
    await daemon.post("/api/repos/register", { repo_path: repo.path });
    expect((await daemon.get("/api/agent-hook/sessions")).status).toBe(503);
    const here = { repo_path: repo.path, worktree_path: repo.path, branch: "main" };
    const on = await daemon.post(route, { ...here, enabled: true, snoozed_until: inHours(1) });
    expect(on.status).toBe(200);
    expect(await activeOf(daemon)).toHaveLength(1);
    expect((await daemon.get(`/api/repos/resolve?path=${repo.path}`)).body).toMatchObject({ tracked: true });
  });
});

test("62 status has a list, empty or sorted, without what is past", async () => {
  await using s = await scene();
  expect(await s.active()).toEqual([]);
  const { snoozes } = s.daemon.parts.services.store;
  snoozes.set({ repoId: s.id, worktreePath: s.repo.path, branch: "past", until: new Date(Date.now() - 1) });
  expect(await s.active()).toEqual([]);
  for (const branch of ["b", "a", ""]) await s.snooze({ branch });
  const active = await s.active();
  expect(active.map(({ branch }) => branch)).toEqual(["", "a", "b"]);
  expect(Object.keys(active[0] as ActiveSnooze).sort()).toEqual([
    "branch",
    "repo_name",
    "repo_path",
    "snoozed_until",
    "worktree_path",
  ]);
});

describe("GET repos/resolve", () => {
  const resolved = async (s: Awaited<ReturnType<typeof scene>>, query: Record<string, string>) =>
    await s.daemon.get(`/api/repos/resolve?${new URLSearchParams(query)}`);

  test("any place in a tracked repository leads to it, with the snooze that holds there", async () => {
    await using s = await scene();
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", tree);
    mkdirSync(`${tree}/deep`);
    const until = inHours(3);
    await s.snooze({ worktree_path: tree, branch: "tree", snoozed_until: until });
    const repo = {
      root_path: s.repo.path,
      name: expect.any(String),
      identity: expect.stringMatching(/./),
    };
    const muted = { tracked: true, repo: { ...repo, agent_hook_snoozed_until: until } };
    const plain = { tracked: true, repo };
    for (const [query, expected] of [
      [{ path: `${tree}/deep` }, muted],
      [{ path: tree, branch: "tree" }, muted],
      [{ path: tree, branch: "main" }, plain],
      [{ path: tree, branch: "" }, plain],
      [{ path: s.repo.path }, plain],
      [{ path: s.repo.path, branch: "tree" }, plain],
    ] as const)
      expect(await resolved(s, query)).toEqual({ status: 200, body: expected as never });
    git(tree, "checkout", "-q", "--detach");
    expect((await resolved(s, { path: tree })).body).toEqual(plain as never);
  });

  test("a bare repository is known by its own path, which its worktrees lead to", async () => {
    await using s = await scene();
    const [bare, tree] = [s.dir.join("bare.git"), s.dir.join("tree")];
    git(s.dir.path, "clone", "-q", "--bare", s.repo.path, bare);
    git(bare, "worktree", "add", "-q", tree);
    expect((await resolved(s, { path: bare })).body).toEqual({ tracked: false } as never);
    await s.daemon.post("/api/repos/register", { repo_path: tree });
    for (const path of [bare, tree])
      expect((await resolved(s, { path })).body).toMatchObject({ tracked: true, repo: { root_path: bare } });
  });

  test("what is not tracked is no error and is not registered", async () => {
    await using s = await scene();
    using other = testRepo();
    for (const path of [other.path, s.dir.path, s.dir.join("nowhere"), "/"])
      expect(await resolved(s, { path })).toEqual({ status: 200, body: { tracked: false } as never });
    await s.daemon.post("/api/repos/unregister", { repo_path: s.repo.path });
    expect((await resolved(s, { path: s.repo.path })).body).toEqual({ tracked: false } as never);
    expect((await s.daemon.get("/api/repos")).body).toEqual({ repos: [], total_count: 0 } as never);
  });

  test("another repository in the place of a tracked one is not tracked", async () => {
    await using s = await scene();
    s.repo.git("remote", "add", "origin", "https://example.invalid/another.git");
    expect((await resolved(s, { path: s.repo.path })).body).toEqual({ tracked: false } as never);
  });

  test.each([{}, { path: "" }, { path: "relative" }] as Record<string, string>[])(
    "400 for %p",
    async (query) => {
      await using s = await scene();
      expect(await resolved(s, query)).toMatchObject({ status: 400, body: { code: "E_INVALID" } });
    },
  );
});
