import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nearest } from "../../src/cli/nearest.ts";
import { chunkMappings, parseRewritten } from "../../src/cli/rewritten.ts";
import { elapsedText, jobTime, shortRef } from "../../src/lib/job-text.ts";
import { shellWord } from "../../src/lib/shell-word.ts";
import type { Job } from "../../src/store/schema.ts";

const sha = (digit: string) => digit.repeat(40);

describe("shortRef", () => {
  test("keeps seven characters of a SHA, of both ends of a range, and a trailing ^", () => {
    expect(shortRef(sha("a"))).toBe("aaaaaaa");
    expect(shortRef("b".repeat(64))).toBe("bbbbbbb");
    expect(shortRef(`${sha("a")}..${sha("b")}`)).toBe("aaaaaaa..bbbbbbb");
    expect(shortRef(`${sha("a")}^..${sha("b")}`)).toBe("aaaaaaa^..bbbbbbb");
  });
  test("leaves every other word alone", () => {
    for (const word of ["dirty", "HEAD", "main", "deadbee", "feature/abcdef1234567", "v1.2.3", ""]) {
      expect(shortRef(word)).toBe(word);
    }
  });
});

test("elapsed time has two units at most", () => {
  expect(
    [0, 999, 59_400, 60_000, 3_599_000, 3_600_000, 90_061_000, 187_200_000, -5].map(elapsedText),
  ).toEqual(["0s", "1s", "59s", "1m00s", "59m59s", "1h00m", "25h01m", "2d04h", "0s"]);
});

test("a running job shows its time so far, a queued one none", () => {
  const now = new Date("2026-01-01T00:01:00Z");
  const job = (more: Partial<Job>) => ({ status: "running", ...more }) as Job;
  expect(jobTime(job({ started_at: "2026-01-01T00:00:30Z" }), now)).toBe("30s...");
  expect(
    jobTime(
      job({ status: "done", started_at: "2026-01-01T00:00:00Z", finished_at: "2026-01-01T00:00:05Z" }),
      now,
    ),
  ).toBe("5s");
  expect(jobTime(job({ status: "queued" }), now)).toBe("");
  expect(jobTime(job({ status: "queued", started_at: "2026-01-01T00:00:30Z" }), now)).toBe("");
  expect(jobTime(job({ started_at: "garbage" }), now)).toBe("");
});

describe("nearest", () => {
  test("finds a word at most two edits away", () => {
    const words = ["review", "remap", "status", "close"];
    expect(nearest("reveiw", words)).toBe("review");
    expect(nearest("statsu", words)).toBe("status");
    expect(nearest("clos", words)).toBe("close");
    expect(nearest("frobnicate", words)).toBeUndefined();
  });
  test("does not offer something unlike for a short word", () => {
    expect(nearest("ab", ["cd", "xy"])).toBeUndefined();
  });
});

describe("pairs of a rewrite", () => {
  test("only full SHAs count, what git adds behind them is left out", () => {
    const text = [
      `${sha("a")} ${sha("b")} extra`,
      `${"c".repeat(64)}\t${"d".repeat(64)}`,
      "abc def",
      "",
      `${sha("e")} ${sha("e")}`,
      `${sha("A")} ${sha("b")}`,
    ].join("\n");
    expect(parseRewritten(text)).toEqual([
      { old_sha: sha("a"), new_sha: sha("b") },
      { old_sha: "c".repeat(64), new_sha: "d".repeat(64) },
    ]);
  });
  test("never throws, and every pair of chunks is kept in order", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseRewritten(text)));
    const many = Array.from({ length: 2500 }, (_, index) => ({ old_sha: String(index), new_sha: "x" }));
    const chunks = chunkMappings(many);
    expect(chunks.map((chunk) => chunk.length)).toEqual([1000, 1000, 500]);
    expect(chunks.flat()).toEqual(many);
  });
});

test("a quoted word reads back as itself in a shell", () => {
  for (const word of ["plain", "two words", "it's", '$HOME `x` "q"', "-a", "a;b", ""]) {
    const read = Bun.spawnSync(["/bin/sh", "-c", `printf %s ${shellWord(word)}`]);
    expect(read.stdout.toString()).toBe(word);
  }
});
