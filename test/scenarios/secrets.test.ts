import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "../../src/store/schema.ts";
import { roborev } from "../support/binary.ts";
import { testRepo } from "../support/repo.ts";
import { type ReviewScene, reviewScene } from "../support/review-scene.ts";
import { leaked, secrets } from "../support/secrets.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

// T14, G25: secrets in payloads, configuration, environment, diffs and a reviewer's output. What was reviewed stays in
// the database, which only its owner can read; none of it reaches a log, an error, an answer or a command line.

const environment = Object.fromEntries(
  Object.entries(secrets).map(([name, secret]) => [`PLANTED_${name.toUpperCase()}`, secret]),
);

let scene: ReviewScene;
let tools: ReturnType<typeof tempDir>;
const umask = process.umask(0); // nothing may depend on a careful one

beforeAll(async () => {
  tools = tempDir();
  // A reviewer that prints all it knows and fails.
  const stub = stubReviewer(tools.join("claude"), "env >&2; cat >&2; exit 3");
  scene = await reviewScene({
    env: environment,
    config: [
      'default_agent = "claude-code"',
      `anthropic_api_key = ${JSON.stringify(secrets.anthropic)}`,
      `claude_code_cmd = ${JSON.stringify(`${stub} --api-key ${secrets.github} --token=${secrets.gitlab}`)}`,
    ].join("\n"),
  });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  tools[Symbol.dispose]();
  process.umask(umask);
});

const everything = Object.values(secrets).join("\n");

/** Every file below the data directory, with its mode. */
function files(directory: string): { path: string; mode: number; isDirectory: boolean }[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    const own = { path, mode: lstatSync(path).mode & 0o777, isDirectory: entry.isDirectory() };
    return entry.isDirectory() ? [own, ...files(path)] : [own];
  });
}

const answers: { status: number; text: string }[] = [];
async function send(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await scene.daemon.send(method, path, body);
  answers.push({ status: answer.status, text: JSON.stringify(answer.body) });
  return answer.body;
}

test("twenty formats of secrets, planted everywhere, reach no log, no error, no answer and no command line", async () => {
  expect(Object.keys(secrets)).toHaveLength(20);
  using repo = testRepo();
  repo.git("remote", "add", "origin", `https://ada:${secrets.gitlab}@git.example/x.git`);
  repo.commit(`Add ${secrets.github}\n\n${everything}`, { "keys.env": `${everything}\n` });
  const env = { ...environment, ROBOREV_DATA_DIR: scene.dataDir };

  // A reviewer whose diagnostics are full of them.
  const { id } = (await send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: "HEAD" })) as Job;
  const failed = await waitFor("the first attempt", async () => {
    const { jobs } = (await send("GET", `/api/jobs?id=${id}`)) as { jobs: Job[] };
    return jobs.find((job) => job.error !== undefined);
  });
  expect(failed.error).toContain("claude-code failed (exit 3)");
  expect({ error: leaked(failed.error ?? ""), command: leaked(failed.command_line ?? "") }).toEqual({
    error: [],
    command: [],
  });
  expect(failed.command_line).toContain("--api-key [redacted] --token=[redacted]");

  // Requests that are refused, with the secret in the field that is wrong.
  answers.length = 0;
  for (const secret of Object.values(secrets)) {
    await send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: secret });
    await send("POST", "/api/enqueue", { repo_path: `/${secret}`, git_ref: "HEAD" });
    await send("POST", "/api/enqueue", { repo_path: repo.path, reasoning: secret, review_type: secret });
    await send("POST", "/api/enqueue", { repo_path: { secret }, git_ref: 7 });
    await send("POST", "/api/comment", { job_id: secret, commenter: secret });
    await send("GET", `/api/jobs?status=${encodeURIComponent(secret)}`);
    await send("GET", `/api/review?ref=${encodeURIComponent(secret)}`);
    await send("POST", "/api/agent-hook/event", { agent: secret, event: secret });
  }
  await send("GET", "/api/status");
  for (const { status, text } of answers)
    expect({ status, text, leaked: leaked(text) }).toMatchObject({ leaked: [] });
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);

  // Hook payloads with them in commands and output; garbage; and the hook of a commit that cannot be queued.
  const payload = (event: string, more: object) =>
    JSON.stringify({ session_id: "s", cwd: repo.path, hook_event_name: event, ...more });
  const shell = { tool_name: "Bash", tool_input: { command: `export K='${everything}'; git commit -m x` } };
  for (const stdin of [
    payload("PreToolUse", shell),
    payload("PostToolUse", { ...shell, tool_response: { stdout: everything } }),
    payload("Stop", {
      stop_hook_active: false,
      last_assistant_message: everything,
      transcript_path: everything,
    }),
    `{"session_id": "${secrets.jwt}", broken ${everything}`,
  ]) {
    const { stdout, stderr } = await roborev(["agent-hook", "run", "--agent", "claude"], {
      env,
      stdin,
      cwd: repo.path,
    });
    expect(leaked(stdout + stderr)).toEqual([]);
  }
  writeFileSync(
    join(scene.dataDir, "config.toml"),
    `default_agent = 7\nmodel = "${secrets.github}\n${everything}`,
  );
  repo.write(".roborev.toml", `agent = ["${secrets.github}"]\nmax_prompt_size = "${secrets.npm}"\n`);
  await roborev(["post-commit"], { env, cwd: repo.path });
  for (const args of [
    ["review"],
    ["review", "HEAD", "--json"],
    ["status"],
    ["list"],
    ["review", secrets.github ?? ""],
  ]) {
    const { stdout, stderr } = await roborev(args, { env, cwd: repo.path });
    expect({ args, leaked: leaked(stdout + stderr) }).toEqual({ args, leaked: [] });
  }
  await send("GET", "/api/status");
  expect(leaked(answers.at(-1)?.text ?? "")).toEqual([]);

  const kept = ["reviews.db", "reviews.db-wal", "reviews.db-shm", "config.toml"]; // what is reviewed, and what the user wrote
  const read = files(scene.dataDir).filter(({ path, isDirectory }) => {
    const name = path.slice(scene.dataDir.length + 1);
    return !isDirectory && lstatSync(path).isFile() && !kept.includes(name) && !name.startsWith("logs/jobs/");
  });
  expect(read.map(({ path }) => path.slice(scene.dataDir.length + 1))).toEqual(
    expect.arrayContaining(["daemon.log", "post-commit.log"]),
  );
  for (const { path } of read) {
    expect({ path, leaked: leaked(readFileSync(path, "utf8")) }).toEqual({ path, leaked: [] });
  }
}, 120_000);

test("T3 every file of the data directory is its owner's alone, whatever the umask", async () => {
  for (const name of [
    "daemon.sock",
    "daemon.log",
    "reviews.db",
    "agent-hook/state.json",
    "logs/jobs/1.log",
  ]) {
    expect({ name, exists: existsSync(join(scene.dataDir, name)) }).toEqual({ name, exists: true });
  }
  const all = [{ path: scene.dataDir, mode: lstatSync(scene.dataDir).mode & 0o777, isDirectory: true }];
  for (const { path, mode, isDirectory } of [...all, ...files(scene.dataDir)]) {
    const expected = isDirectory ? 0o700 : 0o600;
    expect({ path, mode: mode.toString(8) }).toEqual({ path, mode: expected.toString(8) });
  }
});
