import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clipped, sessionNamed, sessionNames } from "../../../src/cli/hook-status/session-name.ts";

const id = "0b6cf6f2-3c5c-4a45-9d2c-6a1f2a8a7b11";
const names = (...keys: string[]) => keys.map(sessionNames(keys));

describe("the name of a session", () => {
  test("is as much of a UUID as tells it from the others, whichever agent they are of", () => {
    expect(names(`claude:${id}`, "codex:s1", id.replace("0", "1"))).toEqual([
      "claude:0b6cf6f2",
      "codex:s1",
      "1b6cf6f2",
    ]);
    expect(names(`codex:${id}`, `claude:${id.toUpperCase().replace("4A45", "4A46")}`)).toEqual([
      "codex:0b6cf6f2-3c5c-4a45",
      "claude:0B6CF6F2-3C5C-4A46",
    ]);
    expect(names(`codex:${id}`, `codex:${id.replace(/1$/, "2")}`)[0]).toBe(`codex:${id}`);
  });

  test("grows by no more than tells it apart, for each of the others alone", () => {
    const [early, late] = [id.replace("-3c5c", "-3d5c"), id.replace("-9d2c", "-9d2d")];
    expect(names(`codex:${id}`, `codex:${early}`)).toEqual(["codex:0b6cf6f2-3c", "codex:0b6cf6f2-3d"]);
    expect(names(`codex:${id}`, `codex:${early}`, `grok:${late}`)).toEqual([
      "codex:0b6cf6f2-3c5c-4a45-9d2c",
      "codex:0b6cf6f2-3d",
      "grok:0b6cf6f2-3c5c-4a45-9d2d",
    ]);
  });

  test("of the same id under two agents is told apart by the agent", () => {
    expect(names(`claude:${id}`, `codex:${id}`)).toEqual(["claude:0b6cf6f2", "codex:0b6cf6f2"]);
  });

  test("of any other id is the id, cut where it is long, and never empty", () => {
    expect(names("hermes:20260102_120000_ab12cd", "grok:a:b", "claude:\u200b", "")).toEqual([
      "hermes:20260102_120000_ab12cd",
      "grok:a:b",
      "claude:(an id that cannot be shown)",
      "(an id that cannot be shown)",
    ]);
    expect(names(`qwen:${"x".repeat(512)}`)).toEqual([`qwen:${"x".repeat(27)}…`]);
  });
});

test("what is cut is never wider than it may be, and what fits stays as it is", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      (text, columns) => {
        const shown = clipped(text, columns);
        expect(Bun.stringWidth(shown)).toBeLessThanOrEqual(columns);
        if (Bun.stringWidth(text) <= columns) expect(shown).toBe(text);
      },
    ),
  );
});

describe("a session named by its user", () => {
  const daemon = (...keys: string[]) => {
    let asked = 0;
    return {
      asked: () => asked,
      hookSessions: async () => {
        asked++;
        return { sessions: Object.fromEntries(keys.map((key) => [key, { count: 0 }])) };
      },
    };
  };

  test("is found by what the screen shows of it, with or without its agent", async () => {
    const known = daemon(`claude:${id}`, "claude:other", `codex:${id.replace("0", "1")}`);
    for (const word of [
      "0b6cf6f2",
      "0B6CF6F2",
      "claude:0b6cf6f2",
      id.slice(0, 20),
      `claude:${id.slice(0, 35)}`,
    ])
      expect([word, await sessionNamed(word, known)]).toEqual([word, `claude:${id}`]);
  });

  test("stays as it is where it is whole, too short, no UUID or unknown", async () => {
    const known = daemon(`claude:${id}`, "claude:deadbeef", "claude:deadbeef-1");
    for (const word of ["deadbeef", "claude:deadbeef", "0b6cf6f", "cafecafe", "codex:0b6cf6f2"])
      expect([word, await sessionNamed(word, known)]).toEqual([word, word]);
    const untouched = daemon(`claude:${id}`);
    for (const word of [id, `claude:${id}`, "s1", "", "-", "0b6cf6f2/../x"])
      expect(await sessionNamed(word, untouched)).toBe(word);
    expect(untouched.asked()).toBe(0);
  });

  test("is refused where it stands for two, with both", async () => {
    const other = id.replace(/1$/, "2");
    const known = daemon(`claude:${id}`, `codex:${other}`);
    const error = await sessionNamed("0b6cf6f2", known).catch((reason) => reason);
    expect(error).toMatchObject({
      message: `0b6cf6f2 stands for several sessions: claude:${id}, codex:${other}`,
      hint: "Write more of the id.",
    });
    expect(await sessionNamed("codex:0b6cf6f2", known)).toBe(`codex:${other}`);
  });
});
