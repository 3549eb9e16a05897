import { errorCode, errorMessage, RoborevError } from "../lib/errors.ts";

// The one place that talks to the daemon's socket. On the hook's fast path: no `node:` import, no npm module.

/** Why a request got no usable answer. `not-running` is the only one that starting a daemon can mend. */
export type DaemonFailure = "not-running" | "denied" | "timed-out" | "bad-answer";

const codes: Record<DaemonFailure, string> = {
  "not-running": "E_DAEMON_NOT_RUNNING",
  denied: "E_DAEMON_DENIED",
  "timed-out": "E_DAEMON_TIMEOUT",
  "bad-answer": "E_DAEMON_ANSWER",
};

/** A request that the daemon did not answer. An HTTP error status is an answer, not this. */
export class DaemonError extends RoborevError {
  readonly failure: DaemonFailure;

  constructor(failure: DaemonFailure, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { code: codes[failure], ...options });
    this.name = "DaemonError";
    this.failure = failure;
  }
}

export interface RequestOptions {
  /** From the connection to the last byte of the answer. */
  timeoutMs: number;
}

export interface DaemonAnswer {
  status: number;
  /** The parsed JSON body. */
  body: unknown;
}

/** One HTTP exchange over the daemon's Unix socket. Rejects with `DaemonError` and nothing else. */
export async function requestDaemon(
  socket: string,
  method: string,
  path: string,
  body: unknown,
  options: RequestOptions,
): Promise<DaemonAnswer> {
  let { timeoutMs } = options;
  // Not by Math.max: to build `Math` costs the hook 0.05 to 0.13 ms (Bun 1.4.5).
  if (timeoutMs < 1) timeoutMs = 1;
  try {
    const request: BunFetchRequestInit = {
      unix: socket,
      method,
      // HTTP_PROXY would otherwise take over requests to localhost; only `false` switches that off.
      proxy: false,
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    };
    if (body !== undefined) {
      request.body = JSON.stringify(body);
      request.headers = { "content-type": "application/json" };
    }
    const response = await fetch(`http://localhost${path}`, request);
    return { status: response.status, body: parseBody(await response.text(), response.status) };
  } catch (error) {
    throw error instanceof DaemonError ? error : daemonError(error, socket, timeoutMs);
  }
}

function parseBody(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DaemonError("bad-answer", `the daemon answered ${status} without a JSON body`, { cause });
  }
}

/** What a failed `fetch` of the daemon's socket means. */
export function daemonError(error: unknown, socket: string, timeoutMs: number): DaemonError {
  if (error instanceof Error && error.name === "TimeoutError") {
    return new DaemonError("timed-out", `the daemon did not answer within ${Math.round(timeoutMs)} ms`, {
      cause: error,
    });
  }
  switch (errorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
    case "ECONNREFUSED":
      return new DaemonError("not-running", `no daemon is listening on ${socket}`, {
        hint: "Start it with: roborev daemon start",
        cause: error,
      });
    case "EACCES":
    case "EPERM":
      return new DaemonError("denied", `not allowed to connect to ${socket}`, {
        hint: "The socket belongs to another user, or this program runs in a sandbox.",
        cause: error,
      });
    case "ENAMETOOLONG":
      return new DaemonError("bad-answer", `the path of the socket is too long for this system: ${socket}`, {
        cause: error,
      });
    default:
      return new DaemonError("bad-answer", `the daemon did not answer properly: ${errorMessage(error)}`, {
        cause: error,
      });
  }
}
