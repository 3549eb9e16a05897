import { expect, test } from "bun:test";
import { type Check, error, note, warning } from "../../../src/cli/doctor/finding.ts";
import { doctorScreen } from "../../../src/cli/doctor/text.ts";

const plain = { paint: (_: string, text: string) => text };
const check = (title: string, ...findings: Check["findings"]): Check => ({
  name: title,
  title,
  summary: "so it is",
  findings,
});
const mend = { mend: { do: "start-daemon" as const } };

test("what is well takes a line, problems are numbered with errors first, and what --fix does is said", () => {
  const screen = doctorScreen(
    [
      check("Fine"),
      check("Odd", warning("w", "it is odd", "roborev a", mend)),
      check("Broken", error("e", "it is broken!", "roborev b"), note("n", "by the way", "a:\n  b\u001b[1m")),
      check("Both", error("e", "more", undefined, mend), warning("w", "and more")),
    ],
    plain,
  );
  expect(screen.split("\n")).toEqual([
    "+ Fine            so it is",
    "! Odd             so it is (see 3)",
    "x Broken          so it is (see 1)",
    "x Both            so it is (see 2 and 4)",
    "",
    "2 errors and 2 warnings:",
    "  1. error: It is broken!",
    "     roborev b",
    "  2. error: More.",
    "  3. warning: It is odd.",
    "     roborev a",
    "  4. warning: And more.",
    "",
    "Notes:",
    "  - By the way.",
    "    a:",
    "      b [1m",
    "",
    "roborev doctor --fix mends 2 and 3.",
  ]);
});

test("without problems there is one verdict, and with one that can be mended all of it is", () => {
  expect(doctorScreen([check("Fine")], plain)).toEndWith("\n\nAll well.");
  expect(doctorScreen([check("Odd", warning("w", "odd", "x", mend))], plain)).toEndWith(
    "1 warning:\n  1. warning: Odd.\n     x\n\nroborev doctor --fix mends it.",
  );
});
