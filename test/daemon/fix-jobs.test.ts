import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DaemonEvent } from "../../src/daemon/api/event.ts";
import type { Job } from "../../src/store/schema.ts";
import { git } from "../support/repo.ts";
import { waitFor } from "../support/wait.ts";
import { fixScene } from "./fix-scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const answer =
  "say 'Summed it up again.\\\\n\\\\nFINDING 1: FIXED - the sum.\\\\nFINDING 2: FIXED - the name.'";
const mends = `echo right > a.txt; echo new > b.txt; ${answer}`;

test("only a fix that is done becomes applied or rebased; everything else is 404", async () => {
  await using s = await fixScene({ agent: mends });
  const parent = await s.reviewed();
  const { id } = await s.ended((await s.fix({ parent_job_id: parent })).body.id);
  for (const route of ["applied", "rebased"]) {
    expect((await s.daemon.post(`/api/job/${route}`, { job_id: 999 })).status).toBe(404);
    expect((await s.daemon.post(`/api/job/${route}`, { job_id: parent })).status).toBe(404);
  }
  expect(await s.daemon.post("/api/job/applied", { job_id: id })).toEqual({
    ...{ status: 200, body: { status: "applied" } as never },
  });
  expect((await s.daemon.post("/api/job/rebased", { job_id: id })).status).toBe(404);
  expect((await s.job(id)).status).toBe("applied");
  expect((await s.patch(id)).status).toBe(200);
  const review = (await s.daemon.get(`/api/review?job_id=${parent}`)).body as { closed: boolean };
  expect(review.closed).toBe(false);
});

test("a fix is queued only of a job that has a review, is none itself, and whose working tree is there", async () => {
  await using s = await fixScene({ agent: mends, workers: 0 });
  const parent = await s.reviewed();
  const refused = async (request: Parameters<typeof s.fix>[0]) => {
    const { status, body } = await s.fix(request);
    return `${status} ${body.error}`;
  };
  expect(await refused({ parent_job_id: 999 })).toBe("404 there is no job 999");
  const pending = s.store.jobs.enqueue({
    ...{ repoId: s.repoId, gitRef: s.sha, jobType: "review", agent: "codex", reasoning: "fast" },
  }).job.id;
  expect(await refused({ parent_job_id: pending })).toBe(`404 job ${pending} is queued and has no review`);
  const { body: fix } = await s.fix({ parent_job_id: parent });
  expect(await refused({ parent_job_id: fix.id })).toContain("400 job");
  expect(await refused({ parent_job_id: parent, git_ref: "--all" })).toBe("400 --all names no commit here");
  expect(await refused({ parent_job_id: parent, git_ref: "nowhere" })).toBe(
    "400 nowhere names no commit here",
  );
  expect(await refused({ parent_job_id: parent, reasoning: "loud" })).toContain(
    "400 unknown reasoning level",
  );
  expect(await refused({ parent_job_id: parent, agent: "nobody" })).toContain("400 unknown reviewer");
  expect(await refused({ parent_job_id: parent, agent: "test" })).toContain(
    "400 the built-in reviewer test cannot fix",
  );
  expect(await refused({ parent_job_id: parent, agent: "hermes" })).toContain(
    "503 reviewer hermes is not installed",
  );
  expect(await refused({ parent_job_id: parent, min_severity: "critical" })).toBe(
    `400 nothing of job ${parent} is to be fixed: all that is left of it is below critical`,
  );
  const gone = await s.reviewed({ worktreePath: s.dir.join("gone") });
  expect(await refused({ parent_job_id: gone })).toContain(`400 the working tree of job ${gone} is gone`);
  // The agent's own settings are those of the working tree that was reviewed from.
  writeFileSync(join(s.repo.path, ".roborev.toml"), 'fix_agent = "hermes"\n');
  expect(await refused({ parent_job_id: parent })).toContain("503 reviewer hermes is not installed");
  writeFileSync(join(s.repo.path, ".roborev.toml"), "fix_agent = \n");
  expect(await refused({ parent_job_id: parent })).toContain("400 ");
  for (const body of [{}, { parent_job_id: 0 }, { parent_job_id: parent, prompt: "" }]) {
    expect((await s.daemon.post("/api/job/fix", body)).status).toBe(400);
  }
  expect(s.store.jobs.list({ jobType: "fix" }).jobs.map(({ id }) => id)).toEqual([fix.id]);
});

test("allow_unsafe_agents = false keeps every agent from it, when it is asked for and when it would begin", async () => {
  await using s = await fixScene({ agent: mends, config: "allow_unsafe_agents = false\n" });
  const parent = await s.reviewed();
  const { status, body } = await s.fix({ parent_job_id: parent });
  expect([status, body.code]).toEqual([400, "E_UNSAFE_AGENT"]);
  await s.daemon.post("/api/queue/pause", {});
  s.configure("");
  const queued = await s.fix({ parent_job_id: parent });
  s.configure("allow_unsafe_agents = false\n");
  await s.daemon.post("/api/queue/unpause", {});
  expect((await s.ended(queued.body.id)).error).toContain("allow_unsafe_agents is false");
});

test("a fix starts at the ref that was asked for, else the reviewed commit, else the branch, else HEAD", async () => {
  await using s = await fixScene({ agent: mends, workers: 0 });
  const newer = s.repo.commit("Newer", { "c.txt": "c\n" });
  s.repo.git("checkout", "-q", "-b", "side", s.sha);
  const side = s.repo.commit("Side", { "d.txt": "d\n" });
  const base = async (parent: number, more = {}) => {
    const { status, body } = await s.fix({ parent_job_id: parent, ...more });
    return status === 201 ? body.base_sha : body;
  };
  const single = await s.reviewed();
  expect(await base(single)).toBe(s.sha);
  expect(await base(single, { git_ref: "side" })).toBe(side);
  const range = await s.reviewed({ jobType: "range", gitRef: `${s.sha}..${newer}` });
  expect(await base(range)).toBe(newer);
  const dirty = await s.reviewed({ jobType: "dirty", gitRef: "dirty", branch: "deleted" });
  expect(await base(dirty)).toBe(side);
});

test("a stale patch is made anew on the branch, from the patch itself; only one of the same review that has one", async () => {
  await using s = await fixScene({ agent: mends });
  const parent = await s.reviewed();
  const stale = await s.ended((await s.fix({ parent_job_id: parent })).body.id);
  const tip = s.repo.commit("Meanwhile", { "a.txt": "also wrong\n" });
  const { status, body } = await s.fix({ parent_job_id: parent, stale_job_id: stale.id });
  expect([status, body.base_sha]).toEqual([201, tip]);
  expect(body.prompt).toContain("# Bring a patch to the code as it is now");
  expect(body.prompt).toContain("-wrong\n+right\n");
  const anew = await s.ended(body.id);
  expect(anew.patch).toContain("-also wrong\n+right\n");
  expect((await s.daemon.post("/api/job/rebased", { job_id: stale.id })).status).toBe(200);

  const other = await s.reviewed();
  const refused = async (staleId: number, parentId = parent) => {
    const { status, body } = await s.fix({ parent_job_id: parentId, stale_job_id: staleId });
    return `${status} ${body.error}`;
  };
  expect(await refused(stale.id, other)).toBe(`400 job ${stale.id} is no background fix of job ${other}`);
  expect(await refused(parent)).toBe(`400 job ${parent} is no background fix of job ${parent}`);
  expect(await refused(999)).toBe("404 there is no job 999");
  await s.daemon.post("/api/queue/pause", {});
  const queued = await s.fix({ parent_job_id: parent });
  expect(await refused(queued.body.id)).toBe(`400 job ${queued.body.id} is queued and has no patch`);
  const large = { parent_job_id: parent, stale_job_id: stale.id, prompt: "word ".repeat(12_000) };
  writeFileSync(join(s.repo.path, ".roborev.toml"), "max_prompt_size = 50_000\n");
  const refusal = await s.fix(large);
  expect([refusal.status, refusal.body.error]).toEqual([
    ...[413, "the patch is too large for a prompt of 50000 bytes"],
  ]);
});

test("a fix is no review for hooks, for closing and for the summary, but for whoever watches the events", async () => {
  await using s = await fixScene({ agent: mends });
  s.configure(`[[hooks]]\nevent = "review.*"\ncommand = "echo {job_id} >> '${s.dir.join("canary")}'"\n`);
  const events: DaemonEvent[] = [];
  s.daemon.parts.services.events.listen(({ event }) => void ("job_id" in event && events.push(event)));
  const parent = await s.reviewed();
  const { id } = await s.ended((await s.fix({ parent_job_id: parent })).body.id);
  await waitFor("the event", () => events.some(({ type }) => type === "review.completed"));
  expect(events).toEqual([
    expect.objectContaining({ type: "job.enqueued", job_id: id, job_type: "fix", sha: `fix #${parent}` }),
    expect.objectContaining({ type: "review.started", job_type: "fix" }),
    expect.objectContaining({ type: "review.completed", job_type: "fix" }),
  ]);
  expect(events.at(-1)).not.toHaveProperty("verdict");
  const closing = await s.daemon.post("/api/review/close", { job_id: id, closed: true });
  expect([closing.status, (closing.body as { error: string }).error]).toEqual([
    ...[404, `job ${id} is a background fix: there is nothing to close`],
  ]);
  // A hook of an event that counts runs after those before it.
  await s.daemon.post("/api/review/close", { job_id: parent, closed: true });
  await waitFor("the hook", () => existsSync(s.dir.join("canary")));
  expect(readFileSync(s.dir.join("canary"), "utf8")).toBe(`${parent}\n`);
  const { body } = await s.daemon.get(`/api/summary?since=2020-01-01T00:00:00Z&repo=${s.repo.path}`);
  expect(body as unknown).toMatchObject({
    overview: { total: 2, done: 2 },
    verdicts: { total: 1, failed: 1 },
    agents: [{ agent: "codex", total: 1 }],
    job_types: expect.arrayContaining([{ type: "fix", count: 1 }]),
  });
});

test("a fix that runs again keeps its prompt and its base, and lists leave fixes out where that is asked", async () => {
  await using s = await fixScene({
    agent: `test -e "$PROMPT.second" && { ${mends}; exit; }; touch "$PROMPT.second"; say 'nothing'`,
  });
  const parent = await s.reviewed();
  const first = await s.ended((await s.fix({ parent_job_id: parent })).body.id);
  expect(first.status).toBe("failed");
  expect((await s.daemon.post("/api/job/rerun", { job_id: first.id })).status).toBe(200);
  const again = await waitFor("the second run", async () => {
    const job = await s.job(first.id);
    return job.status === "done" ? job : undefined;
  });
  expect([again.prompt, again.base_sha]).toEqual([first.prompt, s.sha]);
  const ids = async (query: string) =>
    ((await s.daemon.get(`/api/jobs?${query}`)).body as { jobs: Job[] }).jobs.map(({ id }) => id);
  expect(await ids("exclude_job_type=fix")).toEqual([parent]);
  expect(await ids("job_type=fix")).toEqual([first.id]);
  expect(await ids("closed=false")).toEqual([parent]);
});

test("a linked working tree's fix reads its settings there, and starts from its commit", async () => {
  await using s = await fixScene({ agent: mends, workers: 0 });
  const path = s.dir.join("linked");
  s.repo.git("worktree", "add", "-q", "-b", "linked", path);
  mkdirSync(join(path, "x"));
  writeFileSync(join(path, ".roborev.toml"), 'fix_reasoning = "thorough"\n');
  const parent = await s.reviewed({
    jobType: "dirty",
    gitRef: "dirty",
    branch: "linked",
    worktreePath: path,
  });
  const { body } = await s.fix({ parent_job_id: parent });
  expect([body.reasoning, body.worktree_path]).toEqual(["thorough", path]);
  expect(body.base_sha).toBe(git(path, "rev-parse", "HEAD"));
});
