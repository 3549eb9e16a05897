import { expect, test } from "bun:test";
import { chmodSync, symlinkSync } from "node:fs";
import type { Reviewer, ReviewerRun } from "../../../src/review/agents/reviewer.ts";
import { runReviewer } from "../../../src/review/agents/spawn.ts";
import { plainStream } from "../../../src/review/agents/stream/plain.ts";
import { expectWithin } from "../../support/limit.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";

const fake: Reviewer = {
  name: "fake",
  aliases: [],
  command: "fake",
  argv: (task) => ["--job", String(task.jobId)],
  environment: (env) => env,
  createParser: plainStream,
};

/** A program that is this shell script, run as a reviewer. */
function reviewer(script: string, more: Partial<ReviewerRun> = {}) {
  const dir = tempDir({ agent: `#!/bin/sh\n${script}\n` });
  chmodSync(dir.join("agent"), 0o755);
  const started: { pid: number; startTime: string; argv: string[] }[] = [];
  const chunks: Uint8Array[] = [];
  const controller = new AbortController();
  const outcome = runReviewer(fake, {
    jobId: 7,
    command: [dir.join("agent")],
    cwd: dir.path,
    prompt: "the prompt",
    reasoning: "fast",
    timeoutMs: 30_000,
    signal: controller.signal,
    env: { HOME: dir.path, PATH: process.env.PATH },
    onStart: (process) => void started.push(process),
    onOutput: (chunk) => void chunks.push(chunk.slice()),
    ...more,
  });
  const output = () => Buffer.concat(chunks).toString();
  return { outcome, started, output, controller, dir, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** No process of the group is left but perhaps zombies that nobody collected yet. */
function groupGone(group: number): boolean {
  const table = Bun.spawnSync(["ps", "-eo", "pgid=,stat="]).stdout.toString().split("\n");
  return !table.some((line) => {
    const [pgid, stat] = line.trim().split(/\s+/);
    return Number(pgid) === group && !stat?.startsWith("Z");
  });
}

test("the prompt arrives on standard input, the checkout is the working directory, the answer is the review", async () => {
  using run = reviewer('pwd; cat; echo " $1 $2 $ROBOREV_REVIEW_JOB"; echo note >&2');
  const outcome = await run.outcome;
  expect(outcome).toMatchObject({ ok: true, text: `${run.dir.path}\nthe prompt --job 7 7\n` });
  expect(run.output()).toContain("the prompt");
  expect(run.output()).toContain("note\n");
});

test("D4 pid, start time and command line are told in the tick of the spawn", async () => {
  using run = reviewer("cat >/dev/null; echo done");
  await waitFor("the start", () => run.started[0]);
  const [process] = run.started;
  expect(process?.startTime).toMatch(/./);
  expect(process?.argv).toEqual([run.dir.join("agent"), "--job", "7"]);
  await run.outcome;
});

test("a start that cannot be recorded ends the process and is the caller's error", async () => {
  let pid = 0;
  using run = reviewer("sleep 60", {
    onStart: (process) => {
      pid = process.pid;
      throw new Error("database is locked");
    },
  });
  await expect(run.outcome).rejects.toThrow("database is locked");
  await waitFor("the group to be gone", () => groupGone(pid)); // a killed process is there until it is reaped
});

test("output that cannot be kept ends the process and is the caller's error", async () => {
  using run = reviewer("echo line; exec sleep 60", {
    onOutput: () => {
      throw new Error("disk full");
    },
  });
  await expect(run.outcome).rejects.toThrow("disk full");
  const group = run.started[0]?.pid as number;
  await waitFor("the group to be gone", () => groupGone(group));
});

test("G11 cancel ends the reviewer and its grandchildren, though all ignore SIGTERM", async () => {
  using run = reviewer(
    "trap '' TERM; (trap '' TERM; sh -c 'trap \"\" TERM; echo ready; while :; do sleep 1; done') & wait; wait",
  );
  await waitFor("its child", () => run.output().includes("ready"));
  const startedAt = performance.now();
  run.controller.abort();
  expect(await run.outcome).toMatchObject({ ok: false, reason: "canceled", retryable: false });
  expectWithin(performance.now() - startedAt, 9_000);
  const group = run.started[0]?.pid as number;
  await waitFor("the group to be gone", () => groupGone(group));
}, 120_000);

test("a reviewer that honours SIGTERM is not kept waiting", async () => {
  using run = reviewer("echo ready; exec sleep 60");
  await waitFor("its start", () => run.output().includes("ready"));
  const startedAt = performance.now();
  run.controller.abort();
  expect(await run.outcome).toMatchObject({ reason: "canceled" });
  expectWithin(performance.now() - startedAt, 3_000);
});

const onLinux = test.skipIf(process.platform !== "linux");

onLinux("G11 a descendant that left the process group is ended too", async () => {
  using run = reviewer("setsid sh -c 'echo inner $$; exec sleep 60' & wait");
  const inner = Number(await waitFor("its child", () => /inner (\d+)/.exec(run.output())?.[1]));
  run.controller.abort();
  await run.outcome;
  await waitFor("the descendant to be gone", () => groupGone(inner));
});

test("the time-out is its own reason and worth another try", async () => {
  using run = reviewer("exec sleep 60", { timeoutMs: 100 });
  expect(await run.outcome).toEqual({
    ok: false,
    reason: "timeout",
    message: "fake did not finish within 0.1 s",
    retryable: true,
  });
});

test("a signal that is already given starts nothing", async () => {
  using run = reviewer("echo no", { signal: AbortSignal.abort() });
  expect(await run.outcome).toMatchObject({ reason: "canceled" });
  expect(run.started).toEqual([]);
});

test("what a finished reviewer leaves running is ended", async () => {
  using run = reviewer("sleep 60 >/dev/null 2>&1 & echo review");
  expect(await run.outcome).toMatchObject({ ok: true, text: "review\n" });
  const group = run.started[0]?.pid as number;
  await waitFor("the group to be gone", () => groupGone(group));
});

test("a program that is not there is missing; an exit is told with the last 4 KB of its diagnostics", async () => {
  using missing = reviewer("", { command: ["/nowhere/agent"] });
  expect(await missing.outcome).toMatchObject({
    reason: "missing",
    retryable: false,
    message: expect.stringContaining("/nowhere/agent"),
  });
  using failing = reviewer("head -c 9000 /dev/zero | tr '\\0' x >&2; echo ' the cause' >&2; exit 4");
  const outcome = await failing.outcome;
  expect(outcome).toMatchObject({
    reason: "exit",
    message: expect.stringMatching(/^fake failed \(exit 4\): x+/),
  });
});

test("a reviewer that never reads a large prompt still counts by what it says", async () => {
  using run = reviewer("echo fine", { prompt: "x".repeat(4 * 1024 * 1024) });
  expect(await run.outcome).toMatchObject({ ok: true, text: "fine\n" });
});

test("a checkout that is gone is named, and worth another try", async () => {
  using run = reviewer("echo no", { cwd: "/nowhere/checkout" });
  expect(await run.outcome).toMatchObject({
    retryable: true,
    message: expect.stringContaining("/nowhere/checkout"),
  });
});

test("the checkout is entered by its real path", async () => {
  using dir = tempDir({ "real/file": "" });
  symlinkSync(dir.join("real"), dir.join("link"));
  using run = reviewer('echo "$PWD"; cat file >&2', { cwd: dir.join("link") });
  expect(await run.outcome).toMatchObject({ ok: true, text: `${dir.join("real")}\n` });
});

test("an option that cannot be built is an outcome, not a crash", async () => {
  const { claudeCode } = await import("../../../src/review/agents/claude-code.ts");
  using dir = tempDir({
    claude: '#!/bin/sh\nfor f in setting-sources strict-mcp-config settings; do echo "  --$f"; done\n',
  });
  chmodSync(dir.join("claude"), 0o755);
  const outcome = await runReviewer(claudeCode, {
    jobId: 1,
    command: [dir.join("claude")],
    cwd: dir.path,
    prompt: "",
    reasoning: "fast",
    model: "--yolo",
    timeoutMs: 1000,
    signal: new AbortController().signal,
    env: { HOME: dir.path },
    onStart: () => {},
    onOutput: () => {},
  });
  expect(outcome).toMatchObject({ ok: false, reason: "missing", message: expect.stringContaining("--yolo") });
});
