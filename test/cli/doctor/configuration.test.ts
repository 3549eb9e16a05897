import { expect, test } from "bun:test";
import { judgeConfiguration } from "../../../src/cli/doctor/configuration.ts";
import { found } from "./found.ts";

test("a configuration that is refused is an error, one with mere mistakes a warning", () => {
  const file = {
    scope: "global" as const,
    file: "/c",
    exists: true,
    problems: ["/c:1:1: bad"],
    notes: ["old"],
  };
  const repair = "Mend /c by hand, then: roborev config validate";
  expect(found(judgeConfiguration([{ ...file, refused: true }]))).toEqual([
    `error config: ${repair}`,
    "note config-note",
  ]);
  expect(found(judgeConfiguration([{ ...file, refused: false }]))[0]).toBe(`warning config: ${repair}`);
});
