import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isTooDeep } from "../../src/hook/depth.ts";
import { readPayload } from "../../src/hook/stdin.ts";
import { expectWithin } from "../support/limit.ts";

const limits = { silenceMs: 30, totalMs: 120, maxBytes: 1000 };

/** A pipe that delivers the chunks and is then closed, or left open for ever. */
function pipe(
  chunks: (string | Uint8Array)[],
  end: "closed" | "open" = "closed",
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      if (end === "closed") controller.close();
    },
  });
}

const read = (chunks: (string | Uint8Array)[], end?: "closed" | "open") =>
  readPayload(pipe(chunks, end), limits);
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("one JSON object on standard input", () => {
  test("is read to the end, in any number of pieces", async () => {
    const text = new TextEncoder().encode('  {"a":"ü{\\"}","b":[1,{}]}\n');
    for (let size = 1; size < text.length; size += 3) {
      const pieces = [];
      for (let at = 0; at < text.length; at += size) pieces.push(text.subarray(at, at + size));
      expect(await read(pieces)).toEqual({ kind: "object", fields: { a: 'ü{"}', b: [1, {}] } });
    }
  });

  test("need not be followed by end of input: silence behind it is enough", async () => {
    const start = performance.now();
    expect(await read(['{"a":', '"}"}'], "open")).toEqual({ kind: "object", fields: { a: "}" } });
    expectWithin(performance.now() - start, limits.totalMs);
  });

  test("that never ends is given up at the deadline", async () => {
    const start = performance.now();
    expect((await read(['{"a":"}'], "open")).kind).toBe("malformed");
    expectWithin(performance.now() - start, limits.totalMs * 10);
  });

  test("that arrives too late is told from one that is not there", async () => {
    expect(await read([], "open")).toEqual({
      kind: "malformed",
      problem: "no payload arrived on standard input within 0.12 s",
    });
  });

  test("may begin with a byte order mark and hold bytes that are not UTF-8", async () => {
    expect(await read(["\ufeff{}"])).toEqual({ kind: "object", fields: {} });
    const invalid = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0xfe, 0x22, 0x7d]);
    expect(await read([invalid])).toEqual({ kind: "object", fields: { a: "\ufffd\ufffd" } });
  });

  test("may nest 64 levels and no more, brackets in strings aside", async () => {
    expect((await read([deep(64)])).kind).toBe("object");
    expect(await read([deep(65)])).toEqual({
      kind: "malformed",
      problem: "the payload nests deeper than 64 levels",
    });
    expect((await read([JSON.stringify({ a: '[{"\\'.repeat(70) })])).kind).toBe("object");
    const open = await read(['{"a":'.repeat(70)], "open");
    expect(open.kind).toBe("malformed");
  });

  test("of more than the limit is not read further", async () => {
    expect(await read([`{"a":"${"x".repeat(1000)}"}`])).toEqual({ kind: "oversized" });
  });

  test.each([
    ["", "there is no payload on standard input"],
    [" \n", "there is no payload on standard input"],
    ["[]", "the payload is not a JSON object"],
    ["null", "the payload is not a JSON object"],
    ['"x"', "the payload is not a JSON object"],
    ["{} {}", "the payload is not exactly one JSON object"],
    ["{}x", "the payload is not exactly one JSON object"],
    ["log line {}", "the payload is not exactly one JSON object"],
    ['{"a":', "the payload is not exactly one JSON object"],
    ["{'a':1}", "the payload is not exactly one JSON object"],
  ])("%j is malformed: %s", async (text, problem) => {
    expect(await read([text])).toEqual({ kind: "malformed", problem });
  });

  test("a read error is passed on", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error("EIO")),
    });
    await expect(readPayload(broken, limits)).rejects.toThrow("EIO");
  });
});

test("the depth of a JSON text is what its parser would build", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner)))
      : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 55, max: 66 }), (value, levels) => {
      const text = `${'{"k":'.repeat(levels)}${JSON.stringify(value)}${"}".repeat(levels)}`;
      expect(isTooDeep(text)).toBe(levels + depthOf(value) > 64);
    }),
  );
});
