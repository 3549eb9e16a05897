import { expect, test } from "bun:test";
import { createDaemonClient, newestJob } from "../../src/client/daemon.ts";
import { DaemonRefusal } from "../../src/client/refusal.ts";
import { DaemonError } from "../../src/client/transport.ts";
import { tempDir } from "../support/temp.ts";
import { fakeDaemon, reply } from "./fake-daemon.ts";

test("every function asks its own route with its own body", async () => {
  using dir = tempDir();
  const routes = [
    "GET /api/status",
    "GET /api/jobs",
    "GET /api/review",
    "GET /api/repos",
    "GET /api/repos/resolve",
    "POST /api/enqueue",
    "POST /api/repos/register",
    "POST /api/repos/unregister",
    "POST /api/job/cancel",
    "POST /api/job/rerun",
    "POST /api/queue/pause",
    "POST /api/queue/unpause",
    "POST /api/review/close",
    "POST /api/comment",
    "POST /api/remap",
    "POST /api/shutdown",
    "GET /api/agent-hook/sessions",
    "POST /api/agent-hook/reset",
    "POST /api/agent-hook/snooze",
  ];
  await using daemon = fakeDaemon(
    dir.path,
    Object.fromEntries(routes.map((route) => [route, () => reply(200, {})])),
  );
  const client = createDaemonClient(daemon.socket);
  await client.status();
  await client.jobs({ repo: "/a b", branch: "x&y", branch_include_empty: true, closed: false, limit: 0 });
  await client.review({ ref: "abc", repo: "/r" });
  await client.repos();
  await client.resolveRepo({ path: "/a b", branch: "" });
  await client.enqueue({ repo_path: "/r", git_ref: "HEAD" });
  await client.registerRepo("/r");
  await client.unregisterRepo({ repo_path: "/r", purge: true });
  await client.cancelJob(1);
  await client.rerunJob(2);
  await client.pauseQueue();
  await client.unpauseQueue();
  await client.closeReview({ job_id: 3, closed: true });
  await client.comment({ job_id: 4, commenter: "me", comment: "ok" });
  await client.remap({ repo_path: "/r", mappings: [] });
  await client.shutdown("interrupt");
  await client.hookSessions();
  await client.resetHookSessions({ all: true });
  await client.snooze({ repo_path: "/r", worktree_path: "/w", enabled: false });
  expect(daemon.seen.map((call) => call.route)).toEqual(routes);
  expect(daemon.of("GET /api/jobs")[0]?.query).toEqual({
    repo: "/a b",
    branch: "x&y",
    branch_include_empty: "true",
    closed: "false",
    limit: "0",
  });
  expect(daemon.of("GET /api/repos/resolve")[0]?.query).toEqual({ path: "/a b", branch: "" });
  expect(daemon.of("POST /api/job/cancel")[0]?.body).toEqual({ job_id: 1 });
  expect(daemon.of("POST /api/shutdown")[0]?.body).toEqual({ mode: "interrupt" });
});

test("an error status becomes a refusal with the daemon's text, code and whole answer", async () => {
  using dir = tempDir();
  await using daemon = fakeDaemon(dir.path, {
    "GET /api/review": () =>
      reply(404, { error: "no review", code: "E_NO_REVIEW", hint: "Queue it.", job: { id: 7 } }),
    "POST /api/enqueue": () => reply(503, { nothing: "useful" }),
    "POST /api/agent-hook/snooze": () => reply(404, { error: "no such route", code: "E_ROUTE" }),
  });
  const client = createDaemonClient(daemon.socket);
  const refusal = await client.review({ job_id: 7 }).catch((error) => error);
  expect(refusal).toBeInstanceOf(DaemonRefusal);
  expect(refusal).toMatchObject({
    status: 404,
    message: "no review",
    code: "E_NO_REVIEW",
    hint: "Queue it.",
    body: { job: { id: 7 } },
  });
  const busy = await client.enqueue({ repo_path: "/r" }).catch((error) => error);
  expect(busy).toMatchObject({
    status: 503,
    code: "E_HTTP_503",
    message: "the daemon answered with status 503",
  });
  const older = await client.snooze({ repo_path: "/r", worktree_path: "/r", enabled: false }).catch((e) => e);
  expect(older).toMatchObject({ code: "E_ROUTE", hint: expect.stringContaining("roborev daemon restart") });
});

test("an answer that is no object is a bad answer", async () => {
  using dir = tempDir();
  await using daemon = fakeDaemon(dir.path, { "GET /api/status": () => reply(200, [1]) });
  const error = await createDaemonClient(daemon.socket)
    .status()
    .catch((caught) => caught);
  expect(error).toBeInstanceOf(DaemonError);
  expect(error.failure).toBe("bad-answer");
});

test("no daemon is told apart from a refusal", async () => {
  using dir = tempDir();
  const error = await createDaemonClient(dir.join("daemon.sock"))
    .ping()
    .catch((caught) => caught);
  expect(error).toMatchObject({ failure: "not-running", code: "E_DAEMON_NOT_RUNNING" });
});

test("newestJob asks for one", async () => {
  using dir = tempDir();
  await using daemon = fakeDaemon(dir.path, {
    "GET /api/jobs": () => ({ jobs: [], has_more: false, stats: {} }),
  });
  expect(await newestJob(createDaemonClient(daemon.socket), { git_ref: "abc" })).toBeUndefined();
  expect(daemon.of("GET /api/jobs")[0]?.query).toEqual({ git_ref: "abc", limit: "1" });
});
