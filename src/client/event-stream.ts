import { RoborevError } from "../lib/errors.ts";
import { refusalOf } from "./refusal.ts";
import { daemonError } from "./transport.ts";

export interface EventStreamOptions {
  /** A path in the repository whose events are wanted. Default all. */
  repo?: string;
  /** Ends the stream. */
  signal: AbortSignal;
  /** How long the daemon may take to answer. Default 10 s. */
  timeoutMs?: number;
  /** A stream that says nothing for this long is given up. Default 45 s, three keep-alives. */
  silenceMs?: number;
}

/**
 * Connects to the daemon's event stream; from then on nothing is missed. Gives one JSON document after the other until
 * the daemon ends the stream or falls silent. Rejects with `DaemonError` or `DaemonRefusal`.
 */
export async function openEventStream(
  socket: string,
  options: EventStreamOptions,
): Promise<AsyncGenerator<string, void, undefined>> {
  const { repo, signal, timeoutMs = 10_000, silenceMs = 45_000 } = options;
  const query = repo === undefined ? "" : `?${new URLSearchParams({ repo })}`;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException("", "TimeoutError")), timeoutMs);
  const request: BunFetchRequestInit = {
    unix: socket,
    proxy: false,
    redirect: "error",
    timeout: false,
    signal: AbortSignal.any([signal, late.signal]),
  };
  try {
    const response = await fetch(`http://localhost/api/stream/events${query}`, request);
    if (!response.ok || !response.body) throw await refusalOf(response);
    return linesOf(response.body, silenceMs);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof RoborevError ? error : daemonError(error, socket, timeoutMs);
  } finally {
    clearTimeout(timer);
  }
}

/** Whole lines that are not empty. A connection that breaks ends them as an orderly end does. */
async function* linesOf(body: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const bytes = await readWithin(reader, silenceMs);
      if (bytes === undefined) return;
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() as string;
      for (const line of lines) if (line !== "") yield line;
    }
  } finally {
    await reader.cancel().catch(() => {}); // broken already
  }
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  timeoutMs: number,
): Promise<Uint8Array | undefined> {
  const { promise: silence, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs);
  try {
    const read = reader.read().then(
      ({ value }) => value,
      () => undefined,
    );
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
