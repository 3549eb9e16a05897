import { isObject } from "../harness/fields.ts";
import { isTooDeep, maxDepth, ObjectScanner } from "./depth.ts";

/** What standard input held. */
export type Payload =
  | { kind: "object"; fields: Record<string, unknown> }
  | { kind: "oversized" }
  | { kind: "malformed"; problem: string };

export interface InputLimits {
  /** Reading ends after this much silence behind a complete object: some hosts never close the pipe. */
  silenceMs: number;
  /** Reading ends in any case. */
  totalMs: number;
  maxBytes: number;
}

// https://github.com/anthropics/claude-code/issues/78756: on Windows the pipe sometimes stays open.
export const inputLimits: InputLimits = { silenceMs: 200, totalMs: 3_000, maxBytes: 16 * 1024 * 1024 };

/** Reads exactly one JSON object: until end of input, or silence behind it, or the deadline. */
export async function readPayload(
  stream: ReadableStream<Uint8Array>,
  limits: InputLimits = inputLimits,
): Promise<Payload> {
  const read = await readChunks(stream, limits);
  return "kind" in read ? read : parse(read);
}

/** What arrived in time, or why that is no payload: too much, or nothing at all. */
async function readChunks(
  stream: ReadableStream<Uint8Array>,
  limits: InputLimits,
): Promise<Uint8Array[] | Payload> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  const startMs = performance.now();
  let lastMs = startMs;
  let size = 0;
  let scanner: ObjectScanner | undefined;
  let scanned = 0;
  let isLate = false;
  const isWhole = () => {
    scanner ??= new ObjectScanner();
    for (; scanned < chunks.length; scanned++) scanner.push(chunks[scanned] as Uint8Array);
    return scanner.complete || scanner.tooDeep;
  };
  // Ends the pending read as if the input had ended. Not awaited: the pipe may stay open for ever.
  const stop = () => void reader.cancel().catch(() => undefined);
  // One timer for all reads. The usual input ends at once and is never looked at byte by byte.
  const watch = setInterval(() => {
    const now = performance.now();
    if (now - startMs >= limits.totalMs) {
      isLate = true;
      stop();
    } else if (now - lastMs >= limits.silenceMs && isWhole()) stop();
  }, limits.silenceMs / 4);
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done)
        return isLate && size === 0
          ? malformed(`no payload arrived on standard input within ${limits.totalMs / 1000} s`)
          : chunks;
      lastMs = performance.now();
      size += value.length;
      if (size > limits.maxBytes) {
        stop();
        return { kind: "oversized" };
      }
      chunks.push(value);
    }
  } finally {
    clearInterval(watch);
  }
}

function parse(chunks: Uint8Array[]): Payload {
  // Drops a byte order mark; bytes that are not UTF-8 become U+FFFD.
  const decoder = new TextDecoder();
  let text = "";
  for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  text += decoder.decode();
  if (text.trim() === "") return malformed("there is no payload on standard input");
  if (isTooDeep(text)) return malformed(`the payload nests deeper than ${maxDepth} levels`);
  try {
    const fields: unknown = JSON.parse(text);
    return isObject(fields) ? { kind: "object", fields } : malformed("the payload is not a JSON object");
  } catch {
    return malformed("the payload is not exactly one JSON object");
  }
}

const malformed = (problem: string): Payload => ({ kind: "malformed", problem });
