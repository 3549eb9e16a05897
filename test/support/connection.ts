import type { HookRequest, HookResponse } from "../../src/daemon/api/hook-event.ts";

/** One HTTP connection to a daemon's socket that stays open; one request at a time. */
export interface Connection extends Disposable {
  /** Sends a hook event; throws unless it is answered with 200. */
  hook(request: HookRequest): Promise<HookResponse>;
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
}

/**
 * Connects to a daemon. Written by hand because `fetch` opens a connection per request on a Unix socket, which takes
 * longer than the daemon does.
 */
export async function connectTo(socketPath: string): Promise<Connection> {
  let received = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<{ status: number; body: unknown }> | undefined;
  const socket = await Bun.connect({
    unix: socketPath,
    socket: {
      data(_, bytes) {
        received = received.length === 0 ? Buffer.from(bytes) : Buffer.concat([received, bytes]);
        const answer = parseAnswer(received);
        if (answer === undefined) return;
        received = Buffer.alloc(0);
        waiting?.resolve(answer);
      },
      close: () => waiting?.reject(new Error("the daemon closed the connection")),
      error: (_, error) => waiting?.reject(error),
    },
  });
  const post = (path: string, body: unknown) => {
    const json = JSON.stringify(body);
    waiting = Promise.withResolvers();
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
    );
    return waiting.promise;
  };
  return {
    post,
    async hook(request) {
      const { status, body } = await post("/api/agent-hook/event", request);
      if (status !== 200) throw new Error(`hook event: ${status} ${JSON.stringify(body)}`);
      return body as HookResponse;
    },
    [Symbol.dispose]: () => void socket.end(),
  };
}

/** Undefined until it is there whole. */
function parseAnswer(bytes: Buffer): { status: number; body: unknown } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = bytes.subarray(0, headEnd).toString("latin1");
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error(`an answer without its length: ${head}`);
  const body = bytes.subarray(headEnd + 4);
  if (body.length < length) return undefined;
  return { status: Number(head.slice(9, 12)), body: JSON.parse(body.toString()) };
}
