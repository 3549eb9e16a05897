import { expect, test } from "bun:test";
import { createDaemonClient } from "../../src/client/daemon.ts";
import { type PatienceOptions, patientClient } from "../../src/client/patience.ts";
import { DaemonRefusal } from "../../src/client/refusal.ts";
import { DaemonError } from "../../src/client/transport.ts";

const lost = () => new DaemonError("not-running", "no daemon");

/** A client whose requests meet these answers or errors, one after the other. */
function meeting(answers: (object | Error)[], options: Partial<PatienceOptions> = {}) {
  const sent: string[] = [];
  const counts = { lost: 0, revived: 0 };
  const client = createDaemonClient("none", async (_, method, path) => {
    sent.push(`${method} ${path}`);
    const answer = answers.shift() ?? {};
    if (answer instanceof Error) throw answer;
    return { status: "error" in answer ? 404 : 200, body: answer };
  });
  const patient = patientClient(client, {
    revive: async () => void counts.revived++,
    onLost: () => void counts.lost++,
    signal: new AbortController().signal,
    waitMs: 200,
    pauseMs: 1,
    ...options,
  });
  return { patient, sent, counts };
}

test("C06 a request that a restart of the daemon swallows is sent again, three times at most", async () => {
  const twice = meeting([lost(), new DaemonError("bad-answer", "hung up"), { jobs: [] }]);
  expect(await twice.patient.jobs({})).toMatchObject({ jobs: [] });
  expect([twice.sent.length, twice.counts.lost, twice.counts.revived]).toEqual([3, 2, 2]);
  const always = meeting([lost(), lost(), lost(), lost(), { jobs: [] }]);
  await expect(always.patient.jobs({})).rejects.toThrow("no daemon");
  expect(always.sent).toHaveLength(4);
});

test("C06 each time the daemon may stay away for a while, but not for ever", async () => {
  let away = 5;
  const back = meeting([lost(), { jobs: [] }], {
    revive: async () => {
      if (away-- > 0) throw lost();
    },
  });
  await back.patient.jobs({});
  expect(away).toBe(-1);
  const gone = meeting([lost()], { revive: () => Promise.reject(lost()), waitMs: 5 });
  await expect(gone.patient.jobs({})).rejects.toThrow("no daemon");
});

test("a daemon that says no, and one that may not be reached, are not waited for", async () => {
  const no = meeting([{ error: "there is no job 7" }]);
  await expect(no.patient.review({ job_id: 7 })).rejects.toBeInstanceOf(DaemonRefusal);
  const denied = meeting([new DaemonError("denied", "not allowed")]);
  await expect(denied.patient.jobs({})).rejects.toThrow("not allowed");
  expect([no.sent.length, denied.sent.length, no.counts.lost, denied.counts.lost]).toEqual([1, 1, 0, 0]);
});

test("a comment that arrived before the daemon was lost is not made twice; one that did not is made", async () => {
  const comment = { responder: "roborev-fix", response: "Fixed" };
  const request = { job_id: 7, commenter: "roborev-fix", comment: "Fixed" };
  const there = meeting([
    lost(),
    {
      comments: [
        { responder: "dev", response: "?" },
        { id: 3, ...comment },
      ],
    },
  ]);
  expect(await there.patient.comment(request)).toMatchObject({ id: 3 });
  expect(there.sent).toEqual(["POST /api/comment", "GET /api/review?job_id=7"]);
  const missing = meeting([lost(), { comments: [] }, { id: 4 }]);
  expect(await missing.patient.comment(request)).toMatchObject({ id: 4 });
});

test("a fix that was marked before the daemon was lost is not refused for being marked twice", async () => {
  const there = meeting([lost(), { jobs: [{ id: 9, status: "applied" }] }]);
  expect(await there.patient.markApplied(9)).toEqual({ status: "applied" });
  expect(there.sent).toEqual(["POST /api/job/applied", "GET /api/jobs?id=9"]);
  const missing = meeting([lost(), { jobs: [{ id: 9, status: "done" }] }, { status: "applied" }]);
  expect(await missing.patient.markApplied(9)).toEqual({ status: "applied" });
  expect(missing.sent).toHaveLength(3);
});

test("an interrupt ends the waiting", async () => {
  const interrupt = new AbortController();
  const waiting = meeting([lost()], {
    signal: interrupt.signal,
    waitMs: 60_000,
    revive: async () => {
      interrupt.abort(new Error("interrupted"));
      throw lost();
    },
  });
  await expect(waiting.patient.jobs({})).rejects.toThrow("interrupted");
});
