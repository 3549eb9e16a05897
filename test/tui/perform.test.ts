import { expect, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import type { DaemonClient } from "../../src/client/daemon.ts";
import { RoborevError } from "../../src/lib/errors.ts";
import { clipboardEscape } from "../../src/tui/clipboard.ts";
import type { Effect, Message } from "../../src/tui/message.ts";
import { createPerformer } from "../../src/tui/perform.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";
import { job, jobs, review, status } from "./scene.ts";

const refused = new RoborevError("job 1 is running", { code: "E_STATE" });

function world(client: Partial<DaemonClient>, jobLogs = "/nowhere") {
  const told: Message[] = [];
  const escapes: string[] = [];
  const queued: [number, string][] = [];
  const perform = createPerformer({
    client: client as DaemonClient,
    jobLogs,
    commenter: "ann",
    dispatch: (message) => told.push(message),
    writeEscape: (text) => escapes.push(text),
    renderer: async () => ({ feed: (bytes) => new TextDecoder().decode(bytes).toUpperCase() }),
    commitMessage: async () => undefined,
    saveColumns: async () => {},
    fixes: {
      async queue(parentId, wish) {
        queued.push([parentId, wish]);
        return job(9);
      },
      apply: async (id) => `Applied job ${id}`,
      rebase: async (id) => (id === 9 ? job(10) : Promise.reject(refused)),
      save: async (id, patch) => `${id}.patch of ${patch.length} bytes`,
    },
    quit: () => escapes.push("quit"),
  });
  const answer = async (effect: Effect) => {
    const before = told.length;
    perform(effect);
    await waitFor("an answer", () => told.length > before);
    return told.at(-1);
  };
  return { told, escapes, queued, perform, answer };
}

test("what is asked of the daemon comes back as a message", async () => {
  const page = { jobs: jobs(2), has_more: false, stats: { done: 2, closed: 0, open: 2 } };
  const { answer } = world({
    jobs: async ({ id }) => (id === undefined ? page : { ...page, jobs: [job(id)] }),
    status: async () => status(),
    review: async () => review(job(1), "text"),
    branches: async () => ({ branches: [{ name: "main", count: 2 }], total_count: 0 }),
  });
  const list = { kind: "load-jobs", query: {}, generation: 3, isMore: false } as const;
  expect(await answer(list)).toEqual({ kind: "jobs", generation: 3, isMore: false, page });
  expect(await answer({ kind: "load-job", id: 7 })).toEqual({ kind: "job", id: 7, job: job(7) });
  expect(await answer({ kind: "load-status" })).toMatchObject({ kind: "status" });
  expect(await answer({ kind: "load-review", jobId: 1 })).toMatchObject({ review: { output: "text" } });
  expect(await answer({ kind: "load-branches", repo: "/r" })).toMatchObject({ repo: "/r" });
  expect(await answer({ kind: "load-commit", job: job(9) })).toMatchObject({ text: "Change number 9" });
});

test("a refusal is shown where its answer would have been, else for a while", async () => {
  const fail = () => Promise.reject(refused);
  const { answer } = world({ review: fail, jobs: fail, cancelJob: fail });
  const problem = "job 1 is running";
  expect(await answer({ kind: "load-review", jobId: 1 })).toEqual({ kind: "review", jobId: 1, problem });
  expect(await answer({ kind: "load-prompt", jobId: 1 })).toEqual({ kind: "prompt", jobId: 1, problem });
  expect(await answer({ kind: "cancel", jobId: 1 })).toEqual({ kind: "failed", text: problem });
});

test("a change is confirmed and names its job", async () => {
  const asked: unknown[] = [];
  const note = async (...request: unknown[]) => {
    asked.push(request[0]);
    return {} as never;
  };
  const { answer } = world({ closeReview: note, comment: note, pauseQueue: note, rerunJob: note });
  expect(await answer({ kind: "close", jobId: 4, closed: true })).toMatchObject({ kind: "done", jobId: 4 });
  expect(await answer({ kind: "comment", jobId: 4, text: "fine" })).toMatchObject({ jobId: 4 });
  expect(await answer({ kind: "pause", paused: true })).toEqual({
    kind: "done",
    text: "The queue is paused",
  });
  expect(await answer({ kind: "rerun", jobId: 4 })).toMatchObject({ jobId: 4 });
  expect(asked).toEqual([
    { job_id: 4, closed: true },
    { job_id: 4, commenter: "ann", comment: "fine" },
    undefined,
    4,
  ]);
});

test("a fix is queued with what the user wishes, its patch shown and saved, applied or made anew", async () => {
  const { answer, queued, told } = world({
    patch: async () => new TextEncoder().encode("+é\n"),
    jobs: async ({ job_type }) => ({ jobs: job_type === "fix" ? [job(9)] : [], has_more: false }) as never,
  });
  expect(await answer({ kind: "fix", jobId: 4, text: "" })).toMatchObject({ kind: "done", jobId: 9 });
  await answer({ kind: "fix", jobId: 4, text: "keep it small" });
  expect(queued).toEqual([
    [4, ""],
    [4, "keep it small"],
  ]);
  expect(await answer({ kind: "load-tasks" })).toEqual({ kind: "tasks", tasks: [job(9)] });
  expect(await answer({ kind: "load-patch", jobId: 9 })).toEqual({ kind: "patch", jobId: 9, text: "+é\n" });
  expect(await answer({ kind: "save-patch", jobId: 9 })).toMatchObject({
    text: "Saved as 9.patch of 4 bytes",
  });
  expect(await answer({ kind: "apply", jobId: 9 })).toMatchObject({ text: "Applied job 9", jobId: 9 });
  expect(await answer({ kind: "rebase", jobId: 8 })).toEqual({ kind: "failed", text: "job 1 is running" });
  // The one that was made anew is looked up as well.
  expect(await answer({ kind: "rebase", jobId: 9 })).toEqual({ kind: "event", jobId: 9 });
  expect(told.at(-2)).toMatchObject({ kind: "done", jobId: 10 });
});

test("a copied text goes to the terminal's clipboard, and one that is too long is refused", async () => {
  const { answer, escapes } = world({});
  expect(await answer({ kind: "copy", text: "ü", what: "review" })).toMatchObject({ kind: "done" });
  expect(escapes).toEqual([`\u001b]52;c;${Buffer.from("ü").toString("base64")}\u0007`]);
  expect(await answer({ kind: "copy", text: "x".repeat(100_000), what: "prompt" })).toMatchObject({
    kind: "failed",
  });
  expect(clipboardEscape("x".repeat(100_000))).toBeUndefined();
});

test("a log is followed from before it is there, as it grows and when it begins anew, until it is left", async () => {
  using dir = tempDir();
  const { perform, told } = world({}, dir.path);
  const path = dir.join("5.log");
  perform({ kind: "follow-log", jobId: 5, agent: "codex" });
  const last = () => told.at(-1);
  await waitFor("the notice", () => last()?.kind === "log-problem");
  writeFileSync(path, "one\n");
  await waitFor("the log", () => last()?.kind === "log");
  expect(last()).toEqual({ kind: "log", jobId: 5, text: "ONE\n", isAnew: true });
  appendFileSync(path, "two\n");
  await waitFor("more", () => (last() as { text?: string }).text === "TWO\n");
  expect(last()).toMatchObject({ isAnew: false });
  writeFileSync(path, "new\n");
  await waitFor("the new one", () => (last() as { text?: string }).text === "NEW\n");
  expect(last()).toMatchObject({ isAnew: true });
  perform({ kind: "leave-log" });
  const count = told.length;
  appendFileSync(path, "late\n");
  perform({ kind: "follow-log", jobId: 6, agent: "codex" });
  await waitFor("the other log's notice", () => told.length > count);
  expect(told.slice(count)).toMatchObject([{ kind: "log-problem", jobId: 6 }]);
  perform({ kind: "leave-log" });
});
