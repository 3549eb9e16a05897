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
