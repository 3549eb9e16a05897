import { expect, test } from "bun:test";
import { testJob } from "./fixtures.ts";
import { place } from "./place.ts";

test("wait says once what is wrong with a word that it does not understand", async () => {
  await using at = place();
  expect(await at.cli(["wait", "no-such"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: no-such is neither a commit nor a job number. roborev list shows the numbers.\n",
  });
});

test("wait takes the review that a reworded commit kept, not the job that was withdrawn for it", async () => {
  const queued = testJob({ id: 2, status: "canceled" });
  const kept = testJob({ id: 1, verdict: "P" });
  await using at = place({
    "GET /api/jobs": ({ query }) => ({ jobs: [query.status === "done" ? kept : queued], has_more: false }),
  });
  expect(await at.cli(["wait"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("passed (job 1)"),
  });
  expect((await at.cli(["wait", "--job", "2"])).code).toBe(1);
});

test("a commit that is only the end of a reviewed range is waited for there, and shown with it", async () => {
  await using at = place();
  const head = at.repo.git("rev-parse", "HEAD");
  const range = testJob({ id: 3, git_ref: `${"b".repeat(40)}..${head}`, job_type: "range", verdict: "P" });
  let upTo = range;
  at.daemon.routes["GET /api/jobs"] = ({ query }) => ({
    jobs: query.git_ref ? [] : [query.id ? range : upTo],
    has_more: false,
  });
  expect(await at.cli(["wait"])).toEqual({
    code: 0,
    stdout: `${head.slice(0, 7)} (end of bbbbbbb..${head.slice(0, 7)}): passed (job 3)\n`,
    stderr: "",
  });
  expect(at.daemon.of("GET /api/jobs")[1]?.query).toEqual({
    range_end: head,
    repo: at.repo.path,
    limit: "1",
  });
  // A daemon that does not know this question answers with whatever is newest.
  upTo = testJob({ id: 4, verdict: "P" });
  expect(await at.cli(["wait"])).toMatchObject({
    code: 1,
    stderr: `${head.slice(0, 7)}: no job found\n`,
  });
});
