import { ObjectScanner } from "./depth.ts";

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
  const scanner = new ObjectScanner();
  const chunks: Uint8Array[] = [];
  const deadline = performance.now() + limits.totalMs;
  const reader = stream.getReader();
  let size = 0;
  try {
    for (;;) {
      const left = deadline - performance.now();
      const chunk = await within(reader.read(), scanner.complete ? Math.min(left, limits.silenceMs) : left);
      if (chunk === undefined || chunk.done) break;
      size += chunk.value.length;
      if (size > limits.maxBytes) return { kind: "oversized" };
      scanner.push(chunk.value);
      if (scanner.problem !== undefined) return { kind: "malformed", problem: scanner.problem };
      chunks.push(chunk.value);
    }
  } finally {
    // Not awaited: the pipe may stay open for ever, and nothing more is wanted from it.
    reader.cancel().catch(() => undefined);
  }
  if (size === 0) return { kind: "malformed", problem: "there is no payload on standard input" };
  if (!scanner.complete) return { kind: "malformed", problem: "the payload ends before its object does" };
  return parse(chunks);
}

/** The value, or undefined when it takes longer. */
async function within<T>(value: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, timeoutMs));
  });
  try {
    return await Promise.race([value, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function parse(chunks: Uint8Array[]): Payload {
  // Drops a byte order mark; bytes that are not UTF-8 become U+FFFD.
  const decoder = new TextDecoder();
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
  try {
    return { kind: "object", fields: JSON.parse(text) };
  } catch {
    return { kind: "malformed", problem: "the payload is not valid JSON" };
  }
}
