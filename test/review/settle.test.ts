import { expect, test } from "bun:test";
import { waitFor } from "../support/wait.ts";
import { enqueueScene } from "./enqueue-scene.ts";

async function settlingScene(config = "post_commit_settle_seconds = 600\n") {
  const s = await enqueueScene();
  s.repo.commit("config", { ".roborev.toml": config });
  const base = s.repo.git("rev-parse", "HEAD");
  const commit = async (name: string) => {
    const sha = s.repo.commit(name, { [name]: `${name}\n` });
    return { sha, job: await s.hook() };
  };
  return { ...s, base, commit, refs: () => s.jobs().map((job) => `${job.git_ref} ${job.status}`) };
}

test("a commit waits for the next one, and both are reviewed together, by one job that waits anew", async () => {
  await using s = await settlingScene();
  const one = await s.commit("one");
  const waits = Date.parse(one.job.retry_not_before as string) - Date.now();
  expect(waits).toBeWithin(590_000, 600_001);
  expect(s.store.jobs.claim("w")).toBeUndefined();
  const two = await s.commit("two");
  const three = await s.commit("three");
  expect(s.refs()).toEqual([`${s.base}..${three.sha} queued`]);
  expect([two.job.id, three.job.id]).toEqual([one.job.id, one.job.id]);
  expect(three.job.job_type).toBe("range");
  expect(Date.parse(three.job.retry_not_before as string)).toBeGreaterThan(
    Date.parse(one.job.retry_not_before as string),
  );
});

test("P06 the same commit once more neither makes a second job nor makes the first one wait longer", async () => {
  await using s = await settlingScene();
  await s.commit("one");
  await s.commit("two");
  const [before] = s.jobs();
  expect(await s.hook()).toMatchObject({ skipped: true });
  expect(s.jobs()).toEqual([before] as never);
});

test("an amended commit takes the place of the one that waited", async () => {
  await using s = await settlingScene();
  const one = await s.commit("one");
  s.repo.write("one", "changed\n");
  s.repo.git("commit", "-q", "-a", "--amend", "--no-edit");
  const amended = await s.hook();
  expect(amended).toMatchObject({ id: one.job.id, job_type: "review" });
  expect(s.refs()).toEqual([`${s.repo.git("rev-parse", "HEAD")} queued`]);
  const two = await s.commit("two");
  s.repo.git("commit", "-q", "--amend", "-m", "renamed");
  await s.hook();
  expect(s.refs()).toEqual([`${s.base}..${s.repo.git("rev-parse", "HEAD")} queued`]);
  expect(await s.remap([two.sha, s.repo.git("rev-parse", "HEAD")])).toMatchObject({ superseded: 0 });
});

test("a branch that went back and elsewhere has reviewed what is on it now", async () => {
  await using s = await settlingScene();
  s.repo.git("checkout", "-q", "-b", "feature");
  await s.commit("one");
  s.repo.git("reset", "-q", "--hard", `${s.base}^`);
  s.repo.commit("config", { ".roborev.toml": "post_commit_settle_seconds = 600\n" });
  const other = await s.commit("other");
  expect(s.refs()).toEqual([`${other.sha} queued`]);
});

test("a merge, and what follows it, stays apart from what waited: what was merged is not this branch's work", async () => {
  await using s = await settlingScene();
  s.repo.git("checkout", "-q", "-b", "side");
  s.repo.commit("side", { side: "side\n" });
  s.repo.git("checkout", "-q", "main");
  const one = await s.commit("one");
  s.repo.git("merge", "-q", "--no-edit", "side");
  await s.hook();
  const merge = s.repo.git("rev-parse", "HEAD");
  const two = await s.commit("two");
  expect(s.refs()).toEqual([`${one.sha} queued`, `${merge} queued`, `${two.sha} queued`]);
});

test("branches, people who ask, and a detached HEAD do not wait for each other", async () => {
  await using s = await settlingScene();
  const one = await s.commit("one");
  s.repo.git("checkout", "-q", "-b", "feature");
  const two = await s.commit("two");
  await s.enqueue({ git_ref: "HEAD" });
  s.repo.git("checkout", "-q", "--detach");
  const three = await s.commit("three");
  expect(s.refs()).toEqual([
    `${one.sha} queued`,
    `${two.sha} queued`,
    `${two.sha} queued`,
    `${three.sha} queued`,
  ]);
  expect(three.job).not.toHaveProperty("retry_not_before");
});

test("a job whose time has come stays as it is; the next commit is another one", async () => {
  await using s = await settlingScene("post_commit_settle_seconds = 1\n");
  const one = await s.commit("one");
  await waitFor("its time", () => s.store.jobs.claim("w"));
  const two = await s.commit("two");
  expect(s.refs()).toEqual([`${one.sha} running`, `${two.sha} queued`]);
});

test("the first commits of a repository are reviewed together, from nothing", async () => {
  await using s = await enqueueScene();
  const empty = s.repo.git("hash-object", "-t", "tree", "/dev/null");
  s.repo.git("checkout", "-q", "--orphan", "fresh");
  s.repo.commit("one", { ".roborev.toml": "post_commit_settle_seconds = 600\n" });
  // The default branch's file guards some keys, not this one.
  await s.hook();
  const two = s.repo.commit("two", { two: "2\n" });
  await s.hook();
  expect(s.jobs().map(({ git_ref }) => git_ref)).toEqual([`${empty}..${two}`]);
});

test("with whole branches under review the waiting job is that of the branch up to the newest commit", async () => {
  await using s = await settlingScene();
  s.repo.git("checkout", "-q", "-b", "feature");
  const upTo = async (name: string) => {
    const sha = s.repo.commit(name, { [name]: name });
    await s.enqueue({ git_ref: `${s.base}..${sha}`, source: "post_commit" });
    return sha;
  };
  await upTo("one");
  const two = await upTo("two");
  expect(s.refs()).toEqual([`${s.base}..${two} queued`]);
});
