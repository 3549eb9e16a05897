import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { harnesses } from "../../src/harness/registry.ts";
import type { Trigger } from "../../src/reminder/decision.ts";
import { bytes, fixSessionId, write } from "./written.ts";

const limits = [...new Set(harnesses.map(({ maxTextBytes }) => maxTextBytes))];

const path = fc
  .array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join("/")}`);
const ids = fc.array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 50 });
const what = fc.record({
  by: fc.constantFrom<Trigger["by"]>("failed_reviews", "commit", "stop", "fix_session"),
  ids,
  unnamed: fc.nat(100_000),
  turns: fc.nat(100_000),
  commits: fc.nat(100_000),
  scope: fc.record({
    worktreeRoot: path,
    trackedRoot: path,
    head: fc.constant("c1"),
    branch: fc.string({ unit: "grapheme", maxLength: 300 }),
  }),
  fixSessionId: fc.constant(fixSessionId),
});
const waited = fc.option(fc.record({ instruction: fc.string() }), { nil: undefined });
const closing = fc.option(fc.array(fc.integer({ min: 1, max: 9_999_999 }), { maxLength: 200 }), {
  nil: undefined,
});
const cli = fc.record({
  platform: fc.constant("linux"),
  executable: path,
  server: path.map((socket) => `unix://${socket}`),
});
const userText = fc.oneof(
  fc.constant(""),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.nat(40_000).map((length) => "x".repeat(length)),
  fc.nat(4_000).map((lines) => "täglich\n".repeat(lines)),
  fc.nat(9_000).map((length) => "👍".repeat(length)),
);
const command = (text: string) => /`[^`]* agent-hook fix-done [^`]*`/.exec(text)?.[0];
const optional = ({ queued, closing }: { queued?: unknown; closing?: unknown }) =>
  ({
    ...(queued === undefined ? {} : { queued }),
    ...(closing === undefined ? {} : { closing }),
  }) as Partial<Trigger>;

describe("D25", () => {
  test("our own parts are no longer than 3 KB, with the completion command whole", () => {
    fc.assert(
      fc.property(what, closing, cli, (about, toClose, program) => {
        const queued = about.by === "fix_session" ? undefined : { instruction: "" };
        const closes = about.by === "fix_session" ? toClose : undefined;
        const text = write({ ...about, ...optional({ queued, closing: closes }), cli: program });
        expect(bytes(text)).toBeLessThanOrEqual(3 * 1024);
        expect(command(text)).toEndWith(` ${fixSessionId}\``);
      }),
      { numRuns: 500 },
    );
  });

  test(`whatever the user wrote, the text fits each harness (${limits.join(", ")} bytes), the command whole`, () => {
    fc.assert(
      fc.property(
        what,
        waited,
        closing,
        cli,
        userText,
        userText,
        fc.constantFrom(...limits),
        (about, queued, toClose, program, instruction, fixGuidelines, maxBytes) => {
          const closes = queued === undefined && about.by === "fix_session" ? toClose : undefined;
          const own = { ...about, ...optional({ queued, closing: closes }), cli: program, maxBytes };
          const text = write({ ...own, instruction, fixGuidelines });
          expect(bytes(text)).toBeLessThanOrEqual(maxBytes);
          expect(command(text)).toBe(command(write(own)) as string);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("an instruction and guidelines that fit come whole", () => {
    const instruction = "Line of the instruction.\n".repeat(100);
    const fixGuidelines = "Line of the guidelines.\n".repeat(100);
    const text = write({ instruction, fixGuidelines });
    expect(text).toContain(instruction.trim());
    expect(text).toEndWith(fixGuidelines.trim());
  });

  test("of two that do not fit together the instruction comes first, and both say that they were cut", () => {
    const instruction = "Line of the instruction.\n".repeat(1000);
    const fixGuidelines = "Line of the guidelines.\n".repeat(1000);
    const text = write({ instruction, fixGuidelines, fixSessionId });
    expect(bytes(text)).toBeLessThanOrEqual(9000);
    expect(bytes(text)).toBeGreaterThan(8900);
    expect(text).toContain(
      "Line of the instruction.\n[instruction is too long for this harness and was cut here]",
    );
    expect(text).toEndWith("[fix_guidelines is too long for this harness and was cut here]");
  });

  test("the note names the key as it stands in the section of every harness, Droid's too", () => {
    const text = write({ instruction: "one line\n".repeat(2000) });
    expect(text).toContain("[instruction is too long");
    expect(text).not.toContain("agent_hook.");
  });

  test("a text without a line end is cut between two characters", () => {
    const text = write({ instruction: "👍".repeat(9000) });
    expect(bytes(text)).toBeLessThanOrEqual(9000);
    expect(text).toStartWith("👍👍");
    expect(text).not.toContain("\ufffd");
  });

  test("no placeholders in angle brackets, which some harnesses escape", () => {
    fc.assert(
      fc.property(fc.constantFrom<Trigger["by"]>("failed_reviews", "commit", "stop", "fix_session"), (by) => {
        const closes = by === "fix_session" ? { closing: [1, 2] } : {};
        for (const unnamed of [0, 3]) {
          expect(write({ by, unnamed, ...closes, fixSessionId })).not.toMatch(/[<>]/);
        }
      }),
    );
  });
});
