import { expect, test } from "bun:test";
import type { CommentsResponse } from "../../src/daemon/api/responses.ts";
import type { Comment, Job } from "../../src/store/schema.ts";
import { testDaemon } from "../support/daemon.ts";
import { storeReview } from "../support/reviews.ts";
import { tempDir } from "../support/temp.ts";

async function scene() {
  const dir = tempDir();
  const daemon = await testDaemon(dir.path);
  const { store } = daemon.parts.services;
  const repo = (rootPath: string) => store.repos.getOrCreate({ rootPath, name: "r", identity: rootPath }).id;
  return {
    ...{ daemon, store, repo },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

const about = { author: "A", subject: "s", timestamp: "2026-01-01T00:00:00Z" };
const sha = "a".repeat(40);

test("S08 comments are read by job, by commit and by SHA, oldest first, those of older data that hang on the commit too", async () => {
  await using s = await scene();
  const [one, other] = [s.repo("/one"), s.repo("/other")];
  const commitId = s.store.commits.getOrCreate({ repoId: one, sha, ...about });
  s.store.commits.getOrCreate({ repoId: other, sha, ...about });
  const request = {
    repoId: one,
    gitRef: sha,
    jobType: "review",
    agent: "test",
    reasoning: "fast",
    commitId,
  } as const;
  const [first, second] = [s.store.jobs.enqueue(request).job.id, s.store.jobs.enqueue(request).job.id];
  const fixId = storeReview(s.store, { repoId: one, gitRef: "fix #1", jobType: "fix" });
  for (const [job_id, comment] of [
    [first, "to the first"],
    [second, "to the second"],
    [fixId, "to a fix"],
  ] as const)
    expect((await s.daemon.post("/api/comment", { job_id, commenter: "me", comment })).status).toBe(201);
  const read = async (query: string) => {
    const { status, body } = await s.daemon.get(`/api/comments?${query}`);
    return status === 200 ? (body as CommentsResponse).responses.map(({ response }) => response) : status;
  };
  expect(await read(`job_id=${first}`)).toEqual(["to the first"]);
  expect(await read(`commit_id=${commitId}`)).toEqual(["to the first", "to the second"]);
  expect(await read(`sha=${sha}`)).toEqual(["to the first", "to the second"]);
  expect(await read(`sha=${sha}&repo=/one`)).toEqual(["to the first", "to the second"]);
  expect(await read(`sha=${sha}&repo=/other`)).toEqual([]);
  for (const query of ["job_id=999", "commit_id=999", `sha=${"b".repeat(40)}`, `sha=${sha}&repo=/none`])
    expect([query, await read(query)]).toEqual([query, 404]);
  for (const query of ["", "job_id=0", "job_id=x", "commit_id=-1", "sha=HEAD", `job_id=1&sha=${sha}`])
    expect([query, await read(query)]).toEqual([query, 400]);
});

test("a comment by SHA goes to the newest job about the commit, and to none where there is no such job", async () => {
  await using s = await scene();
  const repoId = s.repo("/one");
  storeReview(s.store, { repoId, gitRef: sha });
  const newest = storeReview(s.store, { repoId, gitRef: sha });
  storeReview(s.store, { repoId, gitRef: `${"b".repeat(40)}..${sha}`, jobType: "range" });
  const say = (where: object) =>
    s.daemon.post("/api/comment", { commenter: "me", comment: "read", ...where });
  const said = await say({ sha });
  expect([said.status, (said.body as Comment).job_id]).toEqual([201, newest]);
  expect((await say({ sha, repo: "/other" })).status).toBe(404);
  expect((await say({ sha: "b".repeat(40) })).status).toBe(404);
  expect((await say({ sha: "HEAD" })).status).toBe(400);
  expect((await say({})).status).toBe(400);
  expect((await say({ job_id: 999 })).status).toBe(404);
  const { body } = await s.daemon.get(`/api/review?sha=${sha}`);
  expect((body as { job: Job }).job.id).toBe(newest);
  expect((await s.daemon.get("/api/review?job_id=0")).status).toBe(400);
});

test("S09 the list skips what offset says, with a limit only", async () => {
  await using s = await scene();
  const repoId = s.repo("/one");
  const ids = ["a", "b", "c", "d"].map((gitRef) => storeReview(s.store, { repoId, gitRef })).reverse();
  const listed = async (query: string) => {
    const { jobs, has_more } = (await s.daemon.get(`/api/jobs?${query}`)).body as {
      jobs: Job[];
      has_more: boolean;
    };
    return [jobs.map(({ id }) => id), has_more];
  };
  expect(await listed("limit=2&offset=1")).toEqual([ids.slice(1, 3), true]);
  expect(await listed("limit=2&offset=2")).toEqual([ids.slice(2), false]);
  expect(await listed("limit=2&offset=999999999999999")).toEqual([[], false]);
  expect(await listed("offset=2")).toEqual([ids, false]);
  expect((await s.daemon.get("/api/jobs?limit=2&offset=-1")).status).toBe(400);
});

test("repositories and branches are counted as far as the question reaches", async () => {
  await using s = await scene();
  for (const [root, branch] of [
    ["/w!x/one", "main"],
    ["/w!x/one", "side"],
    ["/W!X/three", "main"],
    ["/w_x/two", undefined],
  ] as const)
    storeReview(s.store, { repoId: s.repo(root), gitRef: "x", ...(branch === undefined ? {} : { branch }) });
  const repos = async (query: string) => {
    const { body } = await s.daemon.get(`/api/repos${query}`);
    const { repos, total_count } = body as {
      repos: { root_path: string; job_count: number }[];
      total_count: number;
    };
    return [...repos.map(({ root_path, job_count }) => `${root_path} ${job_count}`), total_count];
  };
  expect(await repos("")).toEqual(["/w!x/one 2", "/W!X/three 1", "/w_x/two 1", 4]);
  expect(await repos("?prefix=/w!x")).toEqual(["/w!x/one 2", 2]);
  expect(await repos("?branch=main")).toEqual(["/w!x/one 1", "/W!X/three 1", 2]);
  expect(await repos("?branch=main&prefix=/w!x/")).toEqual(["/w!x/one 1", 1]);
  expect(await repos("?branch=")).toEqual(["/w_x/two 1", 1]);
  expect(await repos("?prefix=/none")).toEqual([0]);
  const branches = async (query: string) => (await s.daemon.get(`/api/branches${query}`)).body as object;
  const main = (count: number) => ({ name: "main", count });
  const [side, none] = [
    { name: "side", count: 1 },
    { name: "", count: 1 },
  ];
  expect(await branches("?repo=/w!x/one")).toEqual({ branches: [side, main(1)], total_count: 2 });
  expect(await branches("?repo=/w!x/one&repo=/w_x/two")).toEqual({
    ...{ branches: [none, side, main(1)], total_count: 3 },
  });
  storeReview(s.store, { repoId: s.repo("/w,x"), gitRef: "x", branch: "comma" });
  const comma = { name: "comma", count: 1 };
  expect(await branches("?repo=/w,x")).toEqual({ branches: [comma], total_count: 1 });
  expect(await branches("?repo=/w,x&repo=/w_x/two")).toEqual({ branches: [comma, none], total_count: 2 });
  expect(await branches("")).toEqual({ branches: [comma, none, main(2), side], total_count: 5 });
  expect(await branches("?repo=/none")).toEqual({ branches: [], total_count: 0 });
});
