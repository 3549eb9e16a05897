import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { editText } from "../../src/cli/editor.ts";
import { runAttached } from "../../src/lib/process.ts";
import { reply } from "../client/fake-daemon.ts";
import { tempDir } from "../support/temp.ts";
import { testJob } from "./fixtures.ts";
import { place } from "./place.ts";

const saved = { id: 1, responder: "x", response: "y", created_at: "2026-01-01T00:00:00.000Z" };
const accepting = { "POST /api/comment": () => reply(201, saved) };

test("comment takes its text from words, from --message or from standard input", async () => {
  await using at = place(accepting);
  expect(await at.cli(["comment", "7", "all", "good"])).toEqual({
    code: 0,
    stdout: "Comment added to job 7\n",
    stderr: "",
  });
  await at.cli(["comment", "--commenter", "roborev-fix", "--job", "7", "-m", 'it\'s "fixed"\nin b']);
  await at.cli(["comment", "7"], { stdin: "  from a pipe\n" });
  expect(at.daemon.of("POST /api/comment").map((call) => call.body)).toEqual([
    { job_id: 7, commenter: "tester", comment: "all good" },
    { job_id: 7, commenter: "roborev-fix", comment: 'it\'s "fixed"\nin b' },
    { job_id: 7, commenter: "tester", comment: "from a pipe" },
  ]);
});

test("comment by commit goes to its newest job, and without a user name it is anonymous", async () => {
  await using at = place({
    ...accepting,
    "GET /api/jobs": () => ({ jobs: [testJob()], has_more: false, stats: {} }),
  });
  await at.cli(["comment", "HEAD", "ok"], { env: { USER: undefined } });
  expect(at.daemon.of("POST /api/comment")[0]?.body).toEqual({
    job_id: 7,
    commenter: "anonymous",
    comment: "ok",
  });
});

test("an empty comment is refused and nothing is sent", async () => {
  await using at = place(accepting);
  expect((await at.cli(["comment", "7"], { stdin: " \n" })).stderr).toBe(
    "Error: the comment is empty, nothing was sent\n",
  );
  expect((await at.cli(["comment", "7", "-m", " "])).code).toBe(2);
  expect((await at.cli(["comment", "7", "a", "-m", "b"])).code).toBe(2);
  expect((await at.cli(["comment"])).code).toBe(2);
  expect((await at.cli(["comment", "7"], { stdin: "x".repeat(300_000) })).stderr).toContain(
    "longer than 256 KiB",
  );
  expect(at.daemon.of("POST /api/comment")).toEqual([]);
});

test("a comment on an unknown job is the daemon's error, exit 1", async () => {
  await using at = place({ "POST /api/comment": () => reply(404, { error: "no job 9", code: "E_NO_JOB" }) });
  const result = await at.cli(["comment", "--job", "9", "x", "--json"]);
  expect(result).toMatchObject({ code: 1, stderr: "Error: no job 9\n" });
  expect(JSON.parse(result.stdout)).toEqual({ error: { code: "E_NO_JOB", message: "no job 9" } });
});

test("C10 $EDITOR writes the comment; its words are arguments, and a failing one sends nothing", async () => {
  using dir = tempDir({
    "ed it": '#!/bin/sh\n[ "$1" = "two words" ] || exit 7\nprintf "It\'s\\n\\"done\\"\\n" > "$2"\n',
  });
  chmodSync(dir.join("ed it"), 0o755);
  const edit = (env: Record<string, string>) => editText({ env, runAttached });
  expect(await edit({ EDITOR: `'${dir.join("ed it")}' "two words"` })).toBe('It\'s\n"done"');
  expect(await edit({ EDITOR: `'${dir.join("ed it")}'` }).catch((e) => e.message)).toBe(
    "the editor ended with status 7",
  );
  expect(await edit({ EDITOR: "vi; rm -rf x" }).catch((e) => e.code)).toBe("E_EDITOR");
  expect(await edit({ EDITOR: dir.join("missing") }).catch((e) => e.code)).toBe("E_SPAWN");
});

test("close says so for each number, once", async () => {
  await using at = place({ "POST /api/review/close": () => ({ success: true }) });
  expect(await at.cli(["close", "7", "8", "7"])).toEqual({
    code: 0,
    stdout: "Job 7 closed\nJob 8 closed\n",
    stderr: "",
  });
  expect((await at.cli(["close", "--reopen", "7"])).stdout).toBe("Job 7 reopened\n");
  expect((await at.cli(["address", "--unaddress", "7"])).stdout).toBe("Job 7 reopened\n");
  expect(at.daemon.of("POST /api/review/close").map((call) => call.body)).toEqual([
    { job_id: 7, closed: true, closed_by: "tester" },
    { job_id: 8, closed: true, closed_by: "tester" },
    { job_id: 7, closed: false, closed_by: "tester" },
    { job_id: 7, closed: false, closed_by: "tester" },
  ]);
});

test("one unknown number does not keep the others open, and makes the exit status 1", async () => {
  await using at = place({
    "POST /api/review/close": ({ body }) =>
      (body as { job_id: number }).job_id === 8
        ? reply(404, { error: "no review of job 8" })
        : { success: true },
  });
  expect(await at.cli(["close", "7", "8", "9"])).toEqual({
    code: 1,
    stdout: "Job 7 closed\nJob 9 closed\n",
    stderr: "Error: no review of job 8\n",
  });
  expect(await at.cli(["close", "8"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: no review of job 8\n",
  });
});

test("close and cancel take numbers only, checked before anything is asked", async () => {
  await using at = place();
  for (const argv of [
    ["close"],
    ["close", "HEAD"],
    ["close", "7", "x"],
    ["close", "0"],
    ["close", "-1"],
    ["cancel"],
    ["cancel", "1e3"],
    ["cancel", "1", "2"],
  ]) {
    expect((await at.cli(argv)).code).toBe(2);
  }
  expect(at.daemon.seen).toEqual([]);
});

test("cancel prints its one line, and a job that has finished is an error", async () => {
  await using at = place({
    "POST /api/job/cancel": ({ body }) =>
      (body as { job_id: number }).job_id === 7
        ? { success: true }
        : reply(404, { error: "job 8 has finished" }),
  });
  expect(await at.cli(["cancel", "7"])).toEqual({ code: 0, stdout: "Job 7 canceled\n", stderr: "" });
  expect(await at.cli(["cancel", "8"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: job 8 has finished\n",
  });
});

test("agent-hook reset needs an id or --all before it asks anybody, and prints the answer", async () => {
  await using at = place({ "POST /api/agent-hook/reset": () => ({ ok: true }) });
  const none = await at.cli(["agent-hook", "reset"]);
  expect(none).toMatchObject({ code: 2, stdout: "" });
  expect(none.stderr).toStartWith("Error: reset requires a session id or --all\n");
  expect(at.daemon.seen).toEqual([]);
  expect(JSON.parse((await at.cli(["agent-hook", "reset", "s1"])).stdout)).toEqual({ ok: true });
  await at.cli(["agent-hook", "reset", "s1", "--all"]);
  expect(at.daemon.of("POST /api/agent-hook/reset").map((call) => call.body)).toEqual([
    { session_id: "s1" },
    { all: true },
  ]);
});

test("agent-hook status prints the sessions as JSON, whole", async () => {
  const sessions = { sessions: { "claude:s1": { count: 3 } } };
  await using at = place({ "GET /api/agent-hook/sessions": () => sessions });
  expect(JSON.parse((await at.cli(["agent-hook", "status"])).stdout)).toEqual(sessions);
});

test("the hook sessions of an unreadable snapshot are the daemon's error", async () => {
  await using at = place({
    "GET /api/agent-hook/sessions": () =>
      reply(503, { error: "state.json cannot be read", code: "E_HOOK_STATE" }),
  });
  expect(await at.cli(["agent-hook", "status"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: state.json cannot be read\n",
  });
});
