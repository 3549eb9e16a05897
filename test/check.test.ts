import { expect, test } from "bun:test";
import { countTests, summary } from "./check.ts";

const output = (lines: string) =>
  `bun test v1.4.5\n\nfile.test.ts:\n(pass) prints " 99 fail" [1ms]\n\n${lines}`;

test("counts what bun test prints at its end, todo as skipped", () => {
  const text = output(
    " 10 pass\n 2 skip\n 1 todo\n 3 fail\n 1 error\n 70 expect() calls\nRan 16 tests across 2 files.\n",
  );
  expect(countTests({ exitCode: 1, output: text })).toEqual({ passed: 10, failed: 3, skipped: 3 });
});

test("a run that ends badly without naming a failure counts as one", () => {
  expect(countTests({ exitCode: 134, output: "panic" })).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("the last line has skipped tests only when there are any", () => {
  expect(summary({ passed: 5, failed: 0, skipped: 0 })).toBe("5 passed, 0 failed");
  expect(summary({ passed: 5, failed: 1, skipped: 2 })).toBe("5 passed, 1 failed, 2 skipped");
});
