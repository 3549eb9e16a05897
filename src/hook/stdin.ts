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
  const chunks: Uint8Array[] = [];
  const deadline = performance.now() + limits.totalMs;
  const reader = stream.getReader();
  let size = 0;
  try {
    const scanner = new ObjectScanner();
    let scanned = 0;
    let next = reader.read();
    for (;;) {
      const left = deadline - performance.now();
      const chunk = await within(next, Math.min(left, limits.silenceMs));
      if (chunk === undefined) {
        // Silence. The usual input ends at once, and is never looked at byte by byte.
        for (; scanned < chunks.length; scanned++) scanner.push(chunks[scanned] as Uint8Array);
        if (scanner.complete || scanner.tooDeep || left <= limits.silenceMs) break;
        continue;
      }
      if (chunk.done) break;
      size += chunk.value.length;
      if (size > limits.maxBytes) return { kind: "oversized" };
      chunks.push(chunk.value);
      next = reader.read();
    }
  } finally {
    // Not awaited: the pipe may stay open for ever, and nothing more is wanted from it.
    reader.cancel().catch(() => undefined);
  }
  return parse(chunks);
}

/** The value, or undefined when it takes longer. */
function within<T>(value: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.max(0, timeoutMs), undefined);
    value.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
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
