import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StreamParser, StreamResult } from "../../../src/review/agents/stream/parser.ts";

export const fixture = (name: string): string =>
  readFileSync(join(import.meta.dir, "../../fixtures/agents", name), "utf8");

/** Feeds a text in chunks of `size` bytes. */
export function parseAll(parser: StreamParser, text: string, size = Number.MAX_SAFE_INTEGER): StreamResult {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) parser.feed(bytes.subarray(at, at + size));
  return parser.end();
}

export const lines = (...events: object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");
