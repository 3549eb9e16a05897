import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { daemonSocketPath } from "../../src/client/socket-path.ts";
import type { JobEvent } from "../../src/daemon/api/event.ts";
import { type TestDaemon, testDaemon } from "../support/daemon.ts";
import { startDaemon } from "../support/daemon-process.ts";
import { jobEvent } from "../support/job-event.ts";
import { expectWithin } from "../support/limit.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const route = "/api/stream/events";
const event = (job_id: number, more: Partial<JobEvent> = {}): JobEvent => jobEvent({ job_id, ...more });

async function scene() {
  const dir = tempDir();
  const daemon = await testDaemon(dir.join("data"));
  const events = daemon.parts.services.events;
  return {
    dir,
    daemon,
    events,
    async open(query = "", headers: Record<string, string> = {}) {
      const response = await daemon.request("GET", `${route}${query}`, { headers });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const read = async () => {
        const { done, value } = await reader.read();
        return done ? undefined : new TextDecoder().decode(value);
      };
      return { response, read, cancel: () => reader.cancel() };
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

describe("the event stream", () => {
  test("is NDJSON that begins with an empty line: from then on nothing is missed", async () => {
    await using s = await scene();
    const stream = await s.open();
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(stream.response.headers.get("cache-control")).toBe("no-store");
    expect(await stream.read()).toBe("\n");
    s.events.publish(event(1));
    s.events.publish(event(2));
    expect(await stream.read()).toBe(`${JSON.stringify(event(1))}\n${JSON.stringify(event(2))}\n`);
  });

  test("is SSE for those who accept it: one event with its type and one line of data each, comments between them", async () => {
    await using s = await scene();
    const stream = await s.open("", { accept: "text/event-stream" });
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    expect(await stream.read()).toBe(": keep-alive\n\n");
    const hostile = event(1, { findings: "line\nevent: forged\n\ndata: {}\r\u2028\u2029" });
    s.events.publish(hostile);
    const text = (await stream.read()) ?? "";
    const [type, data, ...rest] = text.split(/\r\n|\n|\r/);
    expect([type, rest]).toEqual(["event: review.completed", ["", ""]]);
    expect(JSON.parse(data?.replace(/^data: /, "") ?? "")).toEqual(hostile);
  });

  test("D08 the repository filter takes any path in the repository, and a plain one as it is", async () => {
    await using s = await scene();
    using repo = testRepo();
    const tree = s.dir.join("tree");
    repo.git("worktree", "add", "-q", tree);
    for (const [query, root] of [
      [repo.path, repo.path],
      [`${repo.path}/.`, repo.path],
      [tree, repo.path],
      ["/gone", "/gone"],
    ] as const) {
      const stream = await s.open(`?${new URLSearchParams({ repo: query })}`);
      await stream.read();
      s.events.publish(event(1, { repo: "/other" }));
      s.events.publish(event(2, { repo: root }));
      expect(await stream.read()).toBe(`${JSON.stringify(event(2, { repo: root }))}\n`);
      await stream.cancel();
    }
  });

  test("ends when the daemon stops", async () => {
    await using s = await scene();
    const stream = await s.open();
    await stream.read();
    s.events.close();
    expect(await stream.read()).toBeUndefined();
  });

  test("T1 stands behind the guard, and a question for its headers opens none", async () => {
    await using s = await scene();
    for (const [headers, status] of [
      [{ origin: "https://evil.example" }, 403],
      [{ host: "evil.example" }, 421],
      [{ "x-forwarded-for": "10.0.0.1" }, 403],
      [{ "sec-fetch-site": "cross-site" }, 403],
    ] as const)
      expect((await s.daemon.request("GET", route, { headers: { ...headers } })).status).toBe(status);
    expect((await s.daemon.request("GET", `${route}?repo=`)).status).toBe(400);
    const head = await s.daemon.request("HEAD", route);
    expect([head.status, await head.text(), s.events.subscribers]).toEqual([200, "", 0]);
  });
});

/** The app on a real socket, and clients that send a request and never read. */
function serve(daemon: TestDaemon, socket: string) {
  const server = Bun.serve({
    unix: socket,
    fetch: (request) =>
      daemon.request("GET", route, { headers: { accept: request.headers.get("accept") ?? "" } }),
  });
  const sockets: Socket[] = [];
  return {
    mute() {
      const client = connect(socket, () => client.write(`GET ${route} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
      client.on("error", () => {}); // cut off at the end
      client.pause();
      sockets.push(client);
    },
    leave() {
      for (const client of sockets.splice(0)) client.destroy();
    },
    async [Symbol.asyncDispose]() {
      this.leave();
      await server.stop(true);
    },
  };
}

describe("D08 on a real socket", () => {
  test("200 clients that never read cost a bounded queue each, block nobody, and are unsubscribed when they leave", async () => {
    await using s = await scene();
    await using server = serve(s.daemon, s.dir.join("s"));
    for (let n = 0; n < 200; n++) server.mute();
    await waitFor("the clients", () => s.events.subscribers === 200);
    const reader = s.events.subscribe();
    const startedAt = performance.now();
    for (let id = 1; id <= 2000; id++) {
      s.events.publish(event(id, { findings: "x".repeat(10_000) }));
      if (id % 50 === 0) await reader.take(0);
    }
    expectWithin(performance.now() - startedAt, 20_000);
    reader.close();
    server.leave();
    await waitFor("their end", () => s.events.subscribers === 0);
  }, 120_000);

  test("a client that comes back to its stream after a long silence finds how many events it missed", async () => {
    await using s = await scene();
    await using _server = serve(s.daemon, s.dir.join("s"));
    const response = await fetch(`http://localhost${route}`, { unix: s.dir.join("s"), proxy: false });
    const body = (response.body as ReadableStream<Uint8Array>).getReader();
    await body.read();
    for (let id = 1; id <= 1000; id++) s.events.publish(event(id, { findings: "x".repeat(20_000) }));
    let text = "";
    const decoder = new TextDecoder();
    while (!text.includes("stream.dropped")) {
      text += decoder.decode((await body.read()).value, { stream: true });
    }
    const lines = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { job_id?: number; count?: number });
    const count = lines.at(-1)?.count ?? 0;
    expect(lines.length - 1 + count).toBe(1000);
    expect(lines.slice(0, -1).map(({ job_id }) => job_id)).toEqual(
      lines.slice(0, -1).map((_, index) => index + 1),
    );
    await body.cancel();
    await waitFor("its end", () => s.events.subscribers === 0);
  });
});

test("D7 a stream on which nothing happens outlives the server's time-outs by its keep-alive", async () => {
  using dir = tempDir();
  using repo = testRepo();
  await using daemon = await startDaemon(dir.path);
  const response = await fetch(`http://localhost${route}`, {
    unix: daemonSocketPath(dir.path),
    proxy: false,
  });
  const body = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async () => new TextDecoder().decode((await body.read()).value);
  expect(await read()).toBe("\n");
  const startedAt = performance.now();
  expect(await read()).toBe("\n");
  expect(performance.now() - startedAt).toBeGreaterThan(12_000);
  await daemon.send("POST", "/api/enqueue", { repo_path: repo.path, agent: "test" });
  expect(JSON.parse(await read())).toMatchObject({ type: "job.enqueued", job_id: 1 });
  await body.cancel();
}, 120_000);
