import { expect, test } from "bun:test";
import { reply } from "../client/fake-daemon.ts";
import { place } from "./place.ts";

test("S07 rerun prints its one line, and a job that has not finished is an error", async () => {
  await using at = place({
    "POST /api/job/rerun": ({ body }) =>
      (body as { job_id: number }).job_id === 7
        ? { success: true }
        : reply(404, { error: "job 8 is running: only a finished one can be run again" }),
  });
  expect(await at.cli(["rerun", "7"])).toEqual({ code: 0, stdout: "Job 7 re-enqueued\n", stderr: "" });
  expect(JSON.parse((await at.cli(["rerun", "7", "--json"])).stdout)).toEqual({
    job_id: 7,
    status: "queued",
  });
  expect(await at.cli(["rerun", "8"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: job 8 is running: only a finished one can be run again\n",
  });
});

test("S01 pause and unpause say what holds from now on", async () => {
  await using at = place({
    "POST /api/queue/pause": () => ({ paused: true }),
    "POST /api/queue/unpause": () => ({ paused: false }),
  });
  expect(await at.cli(["pause"])).toEqual({
    code: 0,
    stdout: "Queue paused. Go on with: roborev unpause\n",
    stderr: "",
  });
  expect(await at.cli(["unpause"])).toEqual({ code: 0, stdout: "Queue goes on\n", stderr: "" });
  expect(JSON.parse((await at.cli(["pause", "--json"])).stdout)).toEqual({ paused: true });
  expect(JSON.parse((await at.cli(["unpause", "--json"])).stdout)).toEqual({ paused: false });
});

test("D06 a restart that is to abort tells how many reviews run, and starts nothing", async () => {
  await using at = place({
    "POST /api/shutdown": () =>
      reply(409, { error: "2 reviews are running", code: "E_CONFLICT", hint: "Wait for them." }),
  });
  expect(await at.cli(["daemon", "restart", "--running=abort"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: 2 reviews are running. Wait for them.\n",
  });
  expect(at.daemon.of("POST /api/shutdown").map(({ body }) => body)).toEqual([{ mode: "abort" }]);
  expect((await at.cli(["daemon", "restart", "--running=later"])).code).toBe(2);
});
