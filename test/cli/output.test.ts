import { describe, expect, test } from "bun:test";
import { createOutput, errorBody, errorLine, mayColour } from "../../src/cli/output.ts";
import { tableLines } from "../../src/cli/table.ts";
import { RoborevError } from "../../src/lib/errors.ts";

describe("colour", () => {
  const cases: [what: string, env: Record<string, string>, terminal: boolean, colour: boolean][] = [
    ["a terminal has colour", {}, true, true],
    ["a pipe has none", {}, false, false],
    ["NO_COLOR switches it off, whatever its value", { NO_COLOR: "0" }, true, false],
    ["an empty NO_COLOR means nothing", { NO_COLOR: "" }, true, true],
    ["NO_COLOR beats FORCE_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    ["FORCE_COLOR switches it on in a pipe", { FORCE_COLOR: "1" }, false, true],
    ["FORCE_COLOR=0 switches it off", { FORCE_COLOR: "0" }, true, false],
    ["a dumb terminal has none", { TERM: "dumb" }, true, false],
    ["ROBOREV_COLOR_MODE=none switches it off", { ROBOREV_COLOR_MODE: "none" }, true, false],
    ["ROBOREV_COLOR_MODE=dark leaves it to the terminal", { ROBOREV_COLOR_MODE: "dark" }, false, false],
  ];
  for (const [what, env, terminal, colour] of cases) {
    test(what, () => expect(mayColour(env, terminal)).toBe(colour));
  }
});

test("data goes to standard output, messages to standard error, details only when asked for", () => {
  const written: string[] = [];
  const sink = (name: string) => ({
    write: (text: string) => void written.push(`${name} ${text}`),
    isTerminal: true,
  });
  const say = (verbose: boolean) => {
    const out = createOutput({ stdout: sink("out"), stderr: sink("err"), env: {}, verbose });
    out.print(out.paint("red", "x"));
    out.json({ a: 1 });
    out.note("n");
    out.detail("d");
  };
  say(false);
  say(true);
  expect(written).toEqual([
    "out \x1b[31mx\x1b[39m\n",
    'out {\n  "a": 1\n}\n',
    "err n\n",
    "out \x1b[31mx\x1b[39m\n",
    'out {\n  "a": 1\n}\n',
    "err n\n",
    "err d\n",
  ]);
});

test("an error is one line with its hint, and the same as JSON", () => {
  const error = new RoborevError("it broke\nbadly", { code: "E_X", hint: "Mend it." });
  expect(errorLine(error)).toBe("Error: it broke badly. Mend it.");
  expect(errorBody(error)).toEqual({ error: { code: "E_X", message: "it broke badly", hint: "Mend it." } });
  expect(errorLine(new RoborevError("Really?", { hint: "No." }))).toBe("Error: Really? No.");
  expect(errorLine("text")).toBe("Error: text");
  expect(errorLine(new Error(""))).toBe("Error: unknown failure");
  expect(errorBody(new TypeError("x")).error.code).toBe("E_INTERNAL");
});

test("table columns line up by what a terminal shows, not by characters or colour codes", () => {
  expect(
    tableLines(
      ["A", "Name", "B"],
      [
        ["1", "日本", "x"],
        ["22", "e\u0301", "y"],
        ["3", "", ""],
      ],
    ),
  ).toEqual(["A   Name  B", "1   日本  x", "22  e\u0301     y", "3"]);
  expect(
    tableLines(["A", "B"], [["F", "x"]], (text, column) =>
      column === 0 ? `\x1b[31m${text}\x1b[39m` : text,
    )[1],
  ).toBe("\x1b[31mF\x1b[39m  x");
});

test("a hostile cell cannot break its line or move the cursor", () => {
  const [, line] = tableLines(["A", "B"], [["x\ny\x1b[2J\u202e", "z"]]);
  expect(line).toBe("x y [2J  z");
});
