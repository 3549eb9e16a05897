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
  const chunks = await readChunks(stream, limits);
  return chunks ? parse(chunks) : { kind: "oversized" };
}

/** What arrived in time, or undefined when it is too much. One timer for all reads: each costs the hook 0.03 ms. */
function readChunks(
  stream: ReadableStream<Uint8Array>,
  limits: InputLimits,
): Promise<Uint8Array[] | undefined> {
  return new Promise((resolve, reject) => {
    const reader = stream.getReader();
    const scanner = new ObjectScanner();
    const chunks: Uint8Array[] = [];
    const startMs = performance.now();
    let lastMs = startMs;
    let size = 0;
    let scanned = 0;
    const stop = (result: Uint8Array[] | undefined) => {
      clearInterval(watch);
      resolve(result);
      // Not awaited: the pipe may stay open for ever, and nothing more is wanted from it.
      reader.cancel().catch(() => undefined);
    };
    const watch = setInterval(() => {
      const now = performance.now();
      if (now - startMs >= limits.totalMs) return stop(chunks);
      if (now - lastMs < limits.silenceMs) return;
      // The usual input ends at once, and is never looked at byte by byte.
      for (; scanned < chunks.length; scanned++) scanner.push(chunks[scanned] as Uint8Array);
      if (scanner.complete || scanner.tooDeep) stop(chunks);
    }, limits.silenceMs / 4);
    const take = ({ done, value }: { done: boolean; value?: Uint8Array | undefined }): void => {
      if (done || value === undefined) {
        clearInterval(watch);
        resolve(chunks);
        return;
      }
      lastMs = performance.now();
      size += value.length;
      chunks.push(value);
      if (size > limits.maxBytes) stop(undefined);
      else reader.read().then(take, fail);
    };
    const fail = (error: unknown) => {
      clearInterval(watch);
      reject(error);
    };
    reader.read().then(take, fail);
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
