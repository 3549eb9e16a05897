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
  const from = { worktree_path: at.repo.path };
  expect(at.daemon.of("POST /api/comment").map((call) => call.body)).toEqual([
    { job_id: 7, commenter: "tester", comment: "all good", ...from },
    { job_id: 7, commenter: "roborev-fix", comment: 'it\'s "fixed"\nin b', ...from },
    { job_id: 7, commenter: "tester", comment: "from a pipe", ...from },
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
    worktree_path: at.repo.path,
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

test("C10 at a terminal the comment is what $EDITOR leaves, quotes and line breaks included; nothing sends nothing", async () => {
  await using at = place(accepting);
  const text = `It's "done",\n\n\`$(not) run\` \\n \u2014 'so'`;
  using dir = tempDir({ text, write: `#!/bin/sh\ncat "\${0%/*}/text" > "$1"\n`, leave: "#!/bin/sh\n" });
  for (const name of ["write", "leave"]) chmodSync(dir.join(name), 0o755);
  const comment = (editor: string) =>
    at.cli(["comment", "7"], { atTerminal: true, env: { EDITOR: dir.join(editor), VISUAL: undefined } });
  expect(await comment("leave")).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: the comment is empty, nothing was sent\n",
  });
  expect(at.daemon.of("POST /api/comment")).toEqual([]);
  expect((await comment("write")).code).toBe(0);
  expect(at.daemon.of("POST /api/comment")[0]?.body).toMatchObject({ comment: text });
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
  const by = { closed_by: "tester", worktree_path: at.repo.path };
  expect(at.daemon.of("POST /api/review/close").map((call) => call.body)).toEqual([
    { job_id: 7, closed: true, ...by },
    { job_id: 8, closed: true, ...by },
    { job_id: 7, closed: false, ...by },
    { job_id: 7, closed: false, ...by },
  ]);
});

test("D28 comment and close say from which working tree they come, a linked one by its own path", async () => {
  const closing = "POST /api/review/close";
  await using at = place({ ...accepting, [closing]: () => ({ success: true }) });
  using dir = tempDir({ "outside/x": "" });
  at.repo.git("worktree", "add", "-q", "--detach", dir.join("linked/tree"));
  for (const [cwd, worktree] of [
    [dir.join("linked/tree"), dir.join("linked/tree")],
    [dir.join("outside"), undefined],
    [dir.join("gone"), undefined],
  ] as const) {
    at.daemon.seen.length = 0;
    expect((await at.cli(["close", "7"], { cwd })).code).toBe(0);
    expect((await at.cli(["comment", "7", "x"], { cwd })).code).toBe(0);
    const named = [...at.daemon.of(closing), ...at.daemon.of("POST /api/comment")].map(
      ({ body }) => (body as { worktree_path?: string }).worktree_path,
    );
    expect([cwd, ...named]).toEqual([cwd, worktree, worktree]);
  }
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

test("close, cancel and rerun take numbers only, checked before anything is asked", async () => {
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
    ["rerun"],
    ["rerun", "HEAD"],
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
