import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { changeEvidence } from "../../../src/review/verdict/evidence-names.ts";
import { parsePlainVerdict } from "../../../src/review/verdict/plain.ts";
import { readVerdict } from "../../../src/review/verdict/verdict.ts";

const names = { files: ["src/a.ts", "odd name.ts"], identifiers: ["someName"] };
const fragments = fc.constantFrom(
  "High: x",
  "**Severity**: Low",
  "Severity levels:",
  "No issues found.",
  "SEVERITY_THRESHOLD_MET",
  "UNABLE TO REVIEW: x",
  '{"schema_version":2,"verdict":"pass","findings":[]}',
  "```",
  "```json",
  "---",
  "## Findings",
  "**Location**: a.ts:1",
  "\r\n",
  "\u0000",
  "\ud800",
  "|",
);
const texts = fc
  .array(fc.oneof(fragments, fc.string({ unit: "binary" })), { maxLength: 30 })
  .map((all) => all.join("\n"));

describe("any output at all", () => {
  test("is read without an exception, and a result is whole", () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(undefined, "high" as const),
        fc.nat(40),
        (output, floor, changedLines) => {
          const result = readVerdict(output, { ...(floor && { floor }), changedLines, names });
          if (result.kind === "none") expect(result.reason).toMatch(/^[^\n]+$/);
          else {
            expect(["P", "F"]).toContain(result.verdict);
            for (const finding of result.findings) expect(finding.problem.trim()).not.toBe("");
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("never passes while a label at the floor stands in it and no block decides", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        fc.pre(!/[:：]\W*$/m.test(before)); // a legend may swallow it
        expect(parsePlainVerdict(`${before}\nHigh: real\n${after}`).verdict).toBe("F");
      }),
    );
  });

  test("a change of any text has names", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(changeEvidence({ text, files: [] }).changedLines).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("2 MB of output", () => {
  const size = 2_000_000;
  const fill = (unit: string) => unit.repeat(Math.ceil(size / unit.length));
  const large: Record<string, string> = {
    dots: fill("."),
    "dots before a letter": `${fill(".")}x`,
    spaces: `low${fill(" ")}x`,
    stars: `${fill("*")}High`,
    hashes: fill("#"),
    backticks: `${fill("`")}x`,
    "fences and spaces": fill("```  \n"),
    "open braces": fill("{"),
    "closing braces": fill("}"),
    quotes: `${fill('"')}}`,
    backslashes: `{"${fill("\\")}"}`,
    "deep arrays": `{"schema_version":2,"findings":${fill("[")}}`,
    labels: fill("High: x\n"),
    legends: fill("Severity levels:\nHigh: x\n"),
    "field lines": fill("**Location**: a.ts:1\n"),
    "one label and many parts": `High: ${fill("a; ")}`,
    "pass phrases": fill("x no issues found "),
    "colons and digits": fill(":1"),
    "path dots": fill("a/."),
    identifiers: fill("some_name "),
    "carriage returns": fill("\r"),
    "wide characters": fill("深"),
  };
  for (const [name, output] of Object.entries(large)) {
    test(`of ${name} is read in linear time`, () => {
      const start = process.cpuUsage();
      readVerdict(output, { changedLines: 30, names });
      readVerdict(`No issues found.\n${output}`, { changedLines: 30, names });
      const { user, system } = process.cpuUsage(start); // others may be using the processor as well
      expect((user + system) / 1000).toBeLessThan(15_000); // a quadratic step would take minutes
    }, 120_000);
  }
});
