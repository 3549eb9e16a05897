import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { JobOutputResponse, OutputEvent } from "../../src/daemon/api/job-output.ts";
import { fixture } from "../review/agents/fixture.ts";
import { testDaemon } from "../support/daemon.ts";
import { completeAs } from "../support/reviews.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

/** A job of the reviewer `agent` that worker `w` runs, and its log. */
async function scene(agent = "test") {
  const dir = tempDir();
  const daemon = await testDaemon(dir.join("data"));
  const { store } = daemon.parts.services;
  const repo = store.repos.getOrCreate({ rootPath: dir.join("repo"), name: "repo", identity: "repo" });
  const enqueue = (gitRef: string) =>
    store.jobs.enqueue({ repoId: repo.id, gitRef, jobType: "review", agent, reasoning: "fast" }).job.id;
  const id = enqueue("a".repeat(40));
  store.jobs.claim("w");
  mkdirSync(dir.join("data/logs/jobs"), { recursive: true });
  const log = (job = id) => dir.join(`data/logs/jobs/${job}.log`);
  return {
    ...{ daemon, store, dir, id, enqueue, log },
    end: () => completeAs(store, id, "w", "P"),
    async bytes(offset?: number) {
      const more = offset === undefined ? "" : `&offset=${offset}`;
      const response = await daemon.request("GET", `/api/job/log?job_id=${id}${more}`);
      const { status, headers } = response;
      const next = Number(headers.get("x-log-offset"));
      return { status, job: headers.get("x-job-status"), next, text: await response.text() };
    },
    output: async () => (await daemon.get(`/api/job/output?job_id=${id}`)).body as JobOutputResponse,
    async stream() {
      const response = await daemon.request("GET", `/api/job/output?job_id=${id}&stream=1`);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const events: OutputEvent[] = [];
      let text = "";
      const reading = (async () => {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return text;
          text += new TextDecoder().decode(value);
          events.splice(
            0,
            events.length,
            ...text
              .split("\n")
              .filter(Boolean)
              .map((line) => JSON.parse(line)),
          );
        }
      })();
      return { response, events, reading, cancel: () => reader.cancel() };
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

describe("D09 the bytes of a log", () => {
  test("come by whole lines while the job runs, from the offset that was given last, and to their end afterwards", async () => {
    await using s = await scene();
    expect(await s.bytes()).toEqual({ status: 200, job: "running", next: 0, text: "" });
    writeFileSync(s.log(), "one\ntwö\nthr");
    expect(await s.bytes()).toEqual({ status: 200, job: "running", next: 9, text: "one\ntwö\n" });
    expect(await s.bytes(9)).toEqual({ status: 200, job: "running", next: 9, text: "" });
    appendFileSync(s.log(), "ee\nfour");
    expect(await s.bytes(9)).toEqual({ status: 200, job: "running", next: 15, text: "three\n" });
    s.end();
    expect(await s.bytes(15)).toEqual({ status: 200, job: "done", next: 19, text: "four" });
    expect(await s.bytes(19)).toEqual({ status: 200, job: "done", next: 19, text: "" });
    expect((await s.bytes()).text).toBe(readFileSync(s.log(), "utf8"));
  });

  test("begin anew for a reader that is beyond the end, and come in pieces of a megabyte, a line without end too", async () => {
    await using s = await scene();
    writeFileSync(s.log(), "x".repeat(2_500_000));
    const lengths: number[] = [];
    for (let at = 0, piece = await s.bytes(); piece.text !== ""; piece = await s.bytes(at)) {
      lengths.push(piece.text.length);
      at = piece.next;
    }
    expect(lengths).toEqual([1_048_576, 1_048_576]);
    s.end();
    expect((await s.bytes(2_097_152)).text).toHaveLength(2_500_000 - 2_097_152);
    for (const offset of [2_500_001, 999_999_999_999_999])
      expect(await s.bytes(offset)).toEqual({ status: 200, job: "done", next: 0, text: "" });
  });

  test("are not guessed at by anybody, and a question for the headers has no body", async () => {
    await using s = await scene();
    writeFileSync(s.log(), "<script>\n");
    const { headers } = await s.daemon.request("GET", `/api/job/log?job_id=${s.id}`);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    const head = await s.daemon.request("HEAD", `/api/job/log?job_id=${s.id}`);
    expect([head.status, head.headers.get("x-log-offset"), await head.text()]).toEqual([200, "9", ""]);
  });
});

describe("D09 a reviewer's output in words", () => {
  test("is what it said and did, by kind, as far as it has come", async () => {
    await using s = await scene("claude-code");
    expect(await s.output()).toEqual({ job_id: s.id, status: "running", lines: [], has_more: true });
    writeFileSync(s.log(), fixture("claude-code-review.jsonl"));
    const running = await s.output();
    const lines = (type: string) =>
      running.lines.filter(({ line_type }) => line_type === type).map(({ text }) => text);
    expect(lines("tool")).toEqual(["→ Read /trap/worktree/a.txt"]);
    expect(lines("text")[0]).toBe("First I look.");
    expect(lines("text")).toContain("- **Severity**: High");
    s.end();
    appendFileSync(s.log(), "warning: \u001b[31mlast\u0007\n");
    const ended = await s.output();
    expect(ended).toMatchObject({ job_id: s.id, status: "done", has_more: false });
    // The line that had no end yet, and what came after it.
    expect(ended.lines.slice(running.lines.length)).toEqual([
      { text: "- **Fix**: right", line_type: "text" },
      { text: "warning: last", line_type: "other" },
    ]);
  });

  test("is the end of a long log, with long lines cut, and says that something is left out", async () => {
    await using s = await scene();
    writeFileSync(s.log(), `${"x".repeat(20_000)}\nlast`);
    s.end();
    const short = await s.output();
    expect(short.lines.map(({ text }) => text.length)).toEqual([16 * 1024 + 1, 4]);
    expect(short.truncated).toBeUndefined();
    for (const line of ["", "y".repeat(100_000)]) {
      writeFileSync(s.log(), `${`${line}\n`.repeat(1_500_000 / (line.length + 1))}last\n`);
      const response = await s.daemon.request("GET", `/api/job/output?job_id=${s.id}`);
      const text = await response.text();
      const { lines, truncated } = JSON.parse(text) as JobOutputResponse;
      expect([lines.at(-1)?.text, truncated]).toEqual(["last", true]);
      expect(text.length).toBeLessThan(1_000_000);
    }
  });

  test("streams as it is said, begins anew with a run that is tried again, and ends with complete", async () => {
    await using s = await scene();
    const stream = await s.stream();
    expect(stream.response.headers.get("content-type")).toBe("application/x-ndjson");
    writeFileSync(s.log(), "one\ntwo\npart");
    const texts = () => stream.events.map((event) => ("text" in event ? event.text : event.type));
    await waitFor("two lines", () => texts().length === 2);
    writeFileSync(s.log(), "new\n");
    await waitFor("the new run", () => texts().length === 4);
    appendFileSync(s.log(), "end");
    s.end();
    await stream.reading;
    expect(texts()).toEqual(["one", "two", "restart", "new", "end", "complete"]);
    expect(stream.events[0]).toEqual({ type: "line", text: "one", line_type: "text" });
    expect(stream.events.at(-1)).toEqual({ type: "complete", status: "done" });
    const again = await s.stream();
    await again.reading;
    expect(again.events.map(({ type }) => type)).toEqual(["line", "line", "complete"]);
  });

  test("leaves nothing behind when its reader goes, and ends without complete when the log cannot be read or the daemon stops", async () => {
    await using s = await scene();
    writeFileSync(s.log(), "one\n");
    const { events } = s.daemon.parts.services;
    const gone = await s.stream();
    await waitFor("a line", () => gone.events.length === 1);
    await gone.cancel();
    await waitFor("nobody", () => events.subscribers === 0);
    const head = await s.daemon.request("HEAD", `/api/job/output?job_id=${s.id}&stream=1`);
    expect([head.status, await head.text(), events.subscribers]).toEqual([200, "", 0]);
    const broken = await s.stream();
    await waitFor("a line", () => broken.events.length === 1);
    rmSync(s.log());
    mkdirSync(s.log());
    await broken.reading;
    expect(broken.events.map(({ type }) => type)).toEqual(["line"]);
    expect(s.daemon.errors.recent()[0]).toMatchObject({ component: "job/output" });
    rmSync(s.log(), { recursive: true });
    writeFileSync(s.log(), "one\n");
    const stream = await s.stream();
    await waitFor("a line", () => stream.events.length === 1);
    events.close();
    await stream.reading;
    expect(stream.events.map(({ type }) => type)).toEqual(["line"]);
  });
});

test("T5 a link or a pipe in the place of a log is refused, and nothing of what it leads to is told", async () => {
  await using s = await scene();
  s.end();
  writeFileSync(s.dir.join("secret"), "a secret\n");
  for (const put of [
    () => symlinkSync(s.dir.join("secret"), s.log()),
    () => Bun.spawnSync(["mkfifo", s.log()]),
    () => mkdirSync(s.log()),
  ]) {
    put();
    for (const path of ["log", "output", "output?stream=1"]) {
      const [route, more = ""] = path.split("?");
      const response = await s.daemon.request("GET", `/api/job/${route}?job_id=${s.id}&${more}`);
      const text = await response.text();
      expect([path, response.status, text.includes("a secret")]).toEqual([path, 500, false]);
      expect(text).toContain("E_READ");
    }
    rmSync(s.log(), { recursive: true });
  }
});

test("a job without a log, an unknown one and a number that is none are told apart", async () => {
  await using s = await scene();
  const queued = s.enqueue("b".repeat(40));
  const canceled = s.enqueue("c".repeat(40));
  s.store.jobs.cancel(canceled);
  writeFileSync(s.dir.join("data/logs/jobs/99.log"), "of no job\n");
  for (const [id, status, code] of [
    [queued, 200, undefined],
    [canceled, 404, "E_NOT_FOUND"],
    [99, 404, "E_NOT_FOUND"],
    ["999999999999999", 404, "E_NOT_FOUND"],
    ...["0", "-1", "1.5", "x", "", "1e3", "../1", "%2e%2e%2f1", "9".repeat(400)].map(
      (bad) => [bad, 400, "E_INVALID"] as const,
    ),
  ] as const) {
    for (const route of ["log", "output"]) {
      const response = await s.daemon.request("GET", `/api/job/${route}?job_id=${id}`);
      const text = await response.text();
      expect([id, response.status]).toEqual([id, status]);
      if (code !== undefined) expect(JSON.parse(text).code).toBe(code);
    }
  }
  expect((await s.daemon.request("GET", "/api/job/log")).status).toBe(400);
  for (const offset of ["-1", "x", "1.5", "9".repeat(30)])
    expect((await s.daemon.request("GET", `/api/job/log?job_id=${s.id}&offset=${offset}`)).status).toBe(400);
});
