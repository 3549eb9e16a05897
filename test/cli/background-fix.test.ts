import { expect, test } from "bun:test";
import type { Job } from "../../src/store/schema.ts";
import { reply } from "../client/fake-daemon.ts";
import { sha, testJob, testReview } from "./fixtures.ts";
import { place } from "./place.ts";

const fixJob = (more: Partial<Job> = {}) => {
  const {
    verdict: _,
    closed: __,
    ...job
  } = testJob({
    ...{ id: 9, job_type: "fix", git_ref: "fix #7", parent_job_id: 7, base_sha: sha("b"), agentic: true },
    ...{ commit_subject: "Sum the cart", branch: "main", ...more },
  });
  return job;
};

/** Reviews 7 (failed) and 8 (passed), and what else is asked of a daemon that queues fixes as 9. */
function asking(fixes: (Partial<Job> & { root?: string })[] = []) {
  const at = place({
    "GET /api/reviews/open": () => ({
      ...{
        reviews: [7, 6].map((id) => ({
          ...testJob({ id, branch: branch() }),
          repo_path: at.repo.path,
          summary: "x",
        })),
      },
      ...{ tracked: true, branch: branch() },
    }),
    "GET /api/jobs": ({ query }) => {
      if (query.job_type === "fix") return { jobs: fixes.map(fixJob) };
      const id = Number(query.id);
      const known: Record<number, Job> = {
        7: testJob({ branch: branch() }),
        8: testJob({ id: 8, verdict: "P" }),
        9: fixJob({ branch: branch() }),
        10: testJob({ id: 10, closed: true }),
      };
      return { jobs: known[id] ? [{ ...known[id], repo_path: at.repo.path }] : [] };
    },
    "POST /api/job/fix": ({ body }) => {
      const { parent_job_id: parent } = body as { parent_job_id: number };
      return reply(201, fixJob({ id: parent + 2, parent_job_id: parent, prompt: "long", status: "queued" }));
    },
    "POST /api/job/rebased": () => ({ status: "rebased" }),
  });
  const branch = () => at.repo.git("branch", "--show-current");
  return {
    at,
    head: () => at.repo.git("rev-parse", "HEAD"),
    bodies: () => at.daemon.of("POST /api/job/fix").map(({ body }) => body),
  };
}

test("fix --background queues one for each open review that has none, from the tip of its branch", async () => {
  const { at, head, bodies } = asking([
    { parent_job_id: 6, id: 4 },
    { parent_job_id: 7, id: 5, status: "failed" },
  ]);
  await using _ = at;
  at.repo.write("README.md", "the working tree may be dirty");
  expect(await at.cli(["fix", "--background", "--agent", "claude", "--prompt", "Only src/."])).toEqual({
    code: 0,
    stdout: "Queued background fix 9 of job 7 (agent: codex)\n",
    stderr:
      "Job 6 has a background fix already: job 4 is done.\nWhen it is done: roborev show --job 9 --patch, then: roborev fix --apply 9\n",
  });
  expect(bodies()).toEqual([
    { parent_job_id: 7, git_ref: head(), agent: "claude-code", prompt: "Only src/." },
  ]);
  const { stdout, stderr } = await at.cli(["fix", "--background", "--newest-first", "--json", "-q"]);
  expect(JSON.parse(stdout)).toMatchObject([{ id: 9, job_type: "fix", status: "queued" }]);
  expect([stdout.includes("long"), stderr]).toEqual([false, ""]);
});

test("reviews that are named are looked up before anything is queued; one that passed needs no fix", async () => {
  const { at, bodies } = asking([{ parent_job_id: 7, id: 4 }]);
  await using _ = at;
  expect(await at.cli(["fix", "--background", "8", "7"])).toMatchObject({
    code: 0,
    stdout: "Queued background fix 9 of job 7 (agent: codex)\n",
    stderr: expect.stringContaining("Job 8 passed: there is nothing to fix.\n"),
  });
  for (const [id, why] of [
    ["99", "there is no job 99"],
    ["9", "job 9 is no review (fix): there is nothing to fix"],
    ["10", "job 10 is closed already"],
  ] as const) {
    const { code, stderr } = await at.cli(["fix", "--background", "7", id]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  }
  expect(bodies()).toHaveLength(1);
});

test("fix --rebase queues another fix for a stale patch, from the tip of the branch, and takes the stale one out", async () => {
  const { at, head, bodies } = asking();
  await using _ = at;
  expect(await at.cli(["fix", "--rebase", "9", "--prompt", "No tabs."])).toEqual({
    ...{
      code: 0,
      stderr: "",
      stdout: "Queued background fix 9 of job 7, in place of job 9 (agent: codex)\n",
    },
  });
  expect(bodies()).toEqual([{ parent_job_id: 7, stale_job_id: 9, git_ref: head(), prompt: "No tabs." }]);
  expect(at.daemon.of("POST /api/job/rebased").map(({ body }) => body)).toEqual([{ job_id: 9 }]);
  const { code, stderr } = await at.cli(["fix", "--rebase", "7"]);
  expect([code, stderr]).toEqual([
    1,
    "Error: job 7 is no background fix. Ask for one of its review with: roborev fix --background 7\n",
  ]);
});

test("what cannot be meant is refused before anything happens", async () => {
  await using at = place();
  for (const [argv, message] of [
    [["--background", "--batch"], "--batch and --background cannot be used together"],
    [["--background", "--resume"], "--resume and --background cannot be used together"],
    [["--background", "--list"], "--list and --background cannot be used together"],
    [["--apply", "9", "7"], "--apply and <job> cannot be used together"],
    [["--apply", "9", "--rebase", "9"], "--apply and --rebase cannot be used together"],
    [["--apply", "9", "--background"], "--apply and --background cannot be used together"],
    [["--apply", "9", "--agent", "codex"], "--apply and --agent cannot be used together"],
    [["--rebase", "9", "--branch", "b"], "--rebase and --branch cannot be used together"],
    [["--apply", "x"], "not a job number: x"],
    [["--rebase", "0"], "not a job number: 0"],
    [["--prompt", "x"], "--prompt needs --background or --rebase"],
    [["--background", "--prompt", " "], "--prompt is empty"],
  ] as const) {
    const { code, stderr } = await at.cli(["fix", ...argv]);
    expect([code, stderr.split("\n")[0]]).toEqual([2, expect.stringContaining(`Error: ${message}`)]);
  }
  expect(at.daemon.seen).toEqual([]);
});

test("a fix is shown as one: whose, from where, whether its patch is applied; it has no verdict", async () => {
  let status: Job["status"] = "done";
  await using at = place({
    "GET /api/review": () =>
      testReview({
        job: fixJob({ id: 9, status, branch: "x\x1b[2J" }),
        output: "Mended.\n\nFINDING 1: FIXED - so.",
      }),
    "GET /api/jobs": () => ({ jobs: [fixJob({ status })] }),
  });
  expect((await at.cli(["show", "--job", "9"])).stdout).toBe(
    `Background fix of job 7 for x [2J, from bbbbbbb  Sum the cart
Job 9 · agent codex · not applied
Read its patch: roborev show --job 9 --patch; apply it: roborev fix --apply 9
------------------------------------------------------------
Mended.

FINDING 1: FIXED - so.
`,
  );
  expect(await at.cli(["wait", "--job", "9"])).toEqual({
    ...{ code: 0, stderr: "", stdout: "job 9: there is a patch\n" },
  });
  status = "applied";
  expect((await at.cli(["show", "--job", "9"])).stdout).toContain("Job 9 · agent codex · applied\n---");
  expect((await at.cli(["wait", "--job", "9"])).stdout).toBe("job 9: was applied\n");
  status = "failed";
  at.daemon.routes["GET /api/jobs"] = () => ({
    jobs: [fixJob({ status, error: "no-change: codex changed nothing" })],
  });
  expect(await at.cli(["wait", "--job", "9"])).toMatchObject({
    code: 1,
    stderr: "job 9: job 9 failed: no-change: codex changed nothing\n",
  });
  at.daemon.routes["GET /api/review"] = () => reply(404, { error: "x", job: fixJob({ status: "queued" }) });
  expect((await at.cli(["show", "--job", "9"])).stderr).toBe(
    "Error: there is no patch yet: job 9 is queued. Wait for it with: roborev wait --job 9\n",
  );
});

test("a patch is printed as it is, but on a terminal with everything that cannot be seen spelt out", async () => {
  const patch = "+a\u202eb\x1b[2J\tc\r\n";
  await using at = place({
    "GET /api/review": () => testReview({ job: fixJob() }),
    "GET /api/job/patch": () => ({ text: patch }),
  });
  expect((await at.cli(["show", "--job", "9", "--patch"])).stdout).toBe(patch);
  expect((await at.cli(["show", "--job", "9", "--patch"], { terminal: true })).stdout).toBe(
    "+a\\u{202e}b\\u{1b}[2J  c\n",
  );
  expect(JSON.parse((await at.cli(["show", "--job", "9", "--patch", "--json"])).stdout)).toEqual({
    job_id: 9,
    patch,
  });
  at.daemon.routes["GET /api/job/patch"] = () =>
    reply(404, { error: "job 9 is queued and has no patch", code: "E_NOT_FOUND" });
  expect(await at.cli(["show", "--job", "9", "--patch"])).toMatchObject({
    code: 1,
    stderr: "Error: job 9 is queued and has no patch\n",
  });
  at.daemon.routes["GET /api/review"] = () => testReview();
  expect((await at.cli(["show", "--job", "7", "--patch"])).stderr).toStartWith(
    "Error: job 7 is no background fix and has no patch.",
  );
});
