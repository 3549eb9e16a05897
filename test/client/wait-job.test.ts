import { expect, test } from "bun:test";
import { createDaemonClient } from "../../src/client/daemon.ts";
import { DaemonRefusal } from "../../src/client/refusal.ts";
import { DaemonError } from "../../src/client/transport.ts";
import { waitForJob } from "../../src/client/wait-job.ts";

const signal = new AbortController().signal;
const quick = { signal, firstPauseMs: 0 };

/** A client whose answers to GET /api/jobs are the given ones, the last one for ever. */
function answering(...answers: (string | Error)[]) {
  let calls = 0;
  const client = createDaemonClient("/fake", async () => {
    const answer = answers[Math.min(calls++, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return { status: 200, body: { jobs: answer === "" ? [] : [{ id: 1, status: answer }] } };
  });
  return { client, calls: () => calls };
}

test("waits while the job is queued or running, however long", async () => {
  const fake = answering(...Array(20).fill("queued"), "running", "done");
  expect(await waitForJob(fake.client, 1, quick)).toMatchObject({ status: "done" });
  expect(fake.calls()).toBe(22);
});

test("every end of a job ends the waiting", async () => {
  for (const status of ["done", "failed", "canceled", "applied", "rebased", "skipped"]) {
    expect((await waitForJob(answering(status).client, 1, quick)).status as string).toBe(status);
  }
});

test("an unknown job is an error at once", async () => {
  const fake = answering("");
  expect(await waitForJob(fake.client, 9, quick).catch((e) => e)).toMatchObject({
    message: "there is no job 9",
  });
  expect(fake.calls()).toBe(1);
});

test("gives up after ten unknown statuses in a row", async () => {
  const fake = answering("sleeping");
  expect((await waitForJob(fake.client, 1, quick).catch((e) => e)).message).toContain(
    "unknown status sleeping",
  );
  expect(fake.calls()).toBe(10);
});

test("survives a daemon that restarts meanwhile", async () => {
  const down = new DaemonError("not-running", "no daemon");
  const fake = answering("running", down, down, down, "running", "done");
  expect((await waitForJob(fake.client, 1, quick)).status).toBe("done");
});

test("gives up on a daemon that stays away", async () => {
  const fake = answering(new DaemonError("not-running", "no daemon"));
  expect((await waitForJob(fake.client, 1, quick).catch((e) => e)).message).toContain("stopped answering");
});

test("a refusal and a forbidden socket are errors at once", async () => {
  for (const error of [new DaemonRefusal(500, { error: "broken" }), new DaemonError("denied", "no")]) {
    expect(await waitForJob(answering(error).client, 1, quick).catch((e) => e)).toBe(error);
  }
});

test("an interrupt ends the waiting at once, also in a pause", async () => {
  const controller = new AbortController();
  const waiting = waitForJob(answering("running").client, 1, {
    signal: controller.signal,
    firstPauseMs: 60_000,
  });
  const caught = waiting.catch((error) => error);
  controller.abort(new Error("interrupted"));
  expect((await caught).message).toBe("interrupted");
});
