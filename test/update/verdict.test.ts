import { expect, test } from "bun:test";
import { isDevelopment, judge, releaseOf } from "../../src/update/verdict.ts";

test.each([
  ["1.2.3+abc", "1.2.4", "install"],
  ["1.2.3+abc", "1.10.0", "install"],
  ["1.2.3-rc.1+abc", "1.2.3", "install"],
  ["1.2.3+abc", "1.2.3", "current"],
  ["1.2.3", "1.2.3-rc.9", "current"],
  ["2.0.0", "1.9.9", "current"],
  ["1.2.3-dev+abc", "9.0.0", "development"],
  ["1.2.3+abc.dirty", "9.0.0", "development"],
  ["dev", "9.0.0", "development"],
] as const)("of %s and a release %s, the verdict is %s", (installed, release, verdict) => {
  expect(judge(installed, release, false)).toBe(verdict);
  expect(judge(installed, release, true)).toBe("install");
});

test("a release is known by its number, a development build by what was added to it", () => {
  expect(releaseOf("v1.2.3-rc.1+abc.dirty")).toBe("1.2.3-rc.1");
  expect(["1.2.3+dev", "1.2.3-device", "1.2.3"].map(isDevelopment)).toEqual([false, false, false]);
});
