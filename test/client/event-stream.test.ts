import { describe, expect, test } from "bun:test";
import { openEventStream } from "../../src/client/event-stream.ts";
import { DaemonRefusal } from "../../src/client/refusal.ts";
import type { DaemonError } from "../../src/client/transport.ts";
import { tempDir } from "../support/temp.ts";

type Chunk = string | Uint8Array;

/** Answers every request with these chunks; `hold` leaves the stream open behind them. */
function server(path: string, chunks: Chunk[], options: { hold?: boolean } = {}) {
  const seen: string[] = [];
  const serving = Bun.serve({
    unix: path,
    fetch(request) {
      seen.push(request.url);
      const left = [...chunks];
      return new Response(
        new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              await Bun.sleep(1); // so that each chunk is sent by itself
              const chunk = left.shift();
              if (chunk !== undefined)
                controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
              else if (options.hold) await new Promise(() => {});
              else controller.close();
            },
          },
          { highWaterMark: 0 },
        ),
      );
    },
  });
  return { seen, [Symbol.asyncDispose]: () => serving.stop(true) };
}

const signal = new AbortController().signal;

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

describe("the daemon's event stream, as its client has it", () => {
  test("is whole lines, however they arrive, without keep-alives", async () => {
    using dir = tempDir();
    const bytes = new TextEncoder().encode('{"a":"ü"}\n');
    const chunks = ["\n", '{"n":1}\n{"n"', ":2}\n", "\n\n", bytes.slice(0, 7), bytes.slice(7), '{"torn'];
    await using daemon = server(dir.join("s"), chunks);
    const lines = await openEventStream(dir.join("s"), { repo: "/a b", signal });
    expect(await all(lines)).toEqual(['{"n":1}', '{"n":2}', '{"a":"ü"}']);
    expect(daemon.seen).toEqual(["http://localhost/api/stream/events?repo=%2Fa+b"]);
  });

  test("ends when the connection breaks, when nothing comes for too long, and when nobody wants it any more", async () => {
    using dir = tempDir();
    const torn = Bun.listen<undefined>({
      unix: dir.join("torn"),
      socket: {
        data: (socket) =>
          void socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n1\n{"a\r\n`),
      },
    });
    const broken = await openEventStream(dir.join("torn"), { signal });
    expect((await broken.next()).value).toBe("1");
    torn.stop(true);
    expect((await broken.next()).done).toBe(true);
    await using _mute = server(dir.join("mute"), ["\n", "1\n"], { hold: true });
    expect(await all(await openEventStream(dir.join("mute"), { signal, silenceMs: 50 }))).toEqual(["1"]);
    const controller = new AbortController();
    const lines = await openEventStream(dir.join("mute"), { signal: controller.signal });
    expect((await lines.next()).value).toBe("1");
    controller.abort();
    expect((await lines.next()).done).toBe(true);
  });

  test("cannot be opened where there is no daemon, a silent one, or one that refuses", async () => {
    using dir = tempDir();
    const failure = async (socket: string, timeoutMs = 2000) =>
      openEventStream(socket, { signal, timeoutMs }).then(
        () => undefined,
        (error) => error as DaemonError,
      );
    expect((await failure(dir.join("none")))?.failure).toBe("not-running");
    const silent = Bun.listen({ unix: dir.join("silent"), socket: { data() {} } });
    try {
      expect((await failure(dir.join("silent"), 50))?.failure).toBe("timed-out");
    } finally {
      silent.stop(true);
    }
    const old = Bun.serve({
      unix: dir.join("old"),
      fetch: () => Response.json({ error: "no such route", code: "E_ROUTE" }, { status: 404 }),
    });
    const odd = Bun.serve({ unix: dir.join("odd"), fetch: () => new Response("<html>", { status: 500 }) });
    try {
      const refusal = await failure(dir.join("old"));
      expect(refusal).toBeInstanceOf(DaemonRefusal);
      expect(refusal?.hint).toContain("roborev daemon restart");
      expect((await failure(dir.join("odd")))?.failure).toBe("bad-answer");
    } finally {
      await Promise.all([old.stop(true), odd.stop(true)]);
    }
  });
});
