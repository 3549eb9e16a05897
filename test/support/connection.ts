import type { HookRequest, HookResponse } from "../../src/daemon/api/hook-event.ts";

export interface Answer {
  status: number;
  body: unknown;
}

/** One HTTP connection to a daemon's socket that stays open; one request at a time. */
export interface Connection extends Disposable {
  /** Sends a hook event; throws unless it is answered with 200. */
  hook(request: HookRequest): Promise<HookResponse>;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

/**
 * Connects to a daemon. Written by hand because `fetch` opens a connection per request on a Unix socket, which takes
 * longer than the daemon does.
 */
export async function connectTo(socketPath: string): Promise<Connection> {
  let received = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<Answer> | undefined;
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    waiting?.reject(failure);
  };
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
      close: () => fail(new Error("the daemon closed the connection")),
      error: (_, error) => fail(error),
    },
  });
  const send = (method: string, path: string, body?: unknown): Promise<Answer> => {
    if (failure !== undefined) return Promise.reject(failure);
    const json = body === undefined ? "" : JSON.stringify(body);
    const head = [`${method} ${path} HTTP/1.1`, "Host: localhost"];
    if (method === "POST")
      head.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(json)}`);
    waiting = Promise.withResolvers();
    const request = Buffer.from(`${head.join("\r\n")}\r\n\r\n${json}`);
    const written = socket.write(request);
    if (written < 0) fail(new Error("the daemon closed the connection"));
    else if (written < request.length) fail(new Error("the request does not fit into the socket's buffer"));
    return waiting.promise;
  };
  return {
    send,
    async hook(request) {
      const { status, body } = await send("POST", "/api/agent-hook/event", request);
      if (status !== 200) throw new Error(`hook event: ${status} ${JSON.stringify(body)}`);
      return body as HookResponse;
    },
    [Symbol.dispose]: () => void socket.end(),
  };
}

/** Undefined until it is there whole. */
function parseAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = bytes.subarray(0, headEnd).toString("latin1");
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error(`an answer without its length: ${head}`);
  const body = bytes.subarray(headEnd + 4);
  if (body.length < length) return undefined;
  return { status: Number(head.slice(9, 12)), body: JSON.parse(body.toString()) };
}
