import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { homes, pendingIds, scenarioIds } from "./scenario-ids.ts";
import { findNamedIds } from "./scenario-names.ts";
import { root } from "./source.ts";

const files = [...new Bun.Glob("test/**/*.{test.ts,txt}").scanSync({ cwd: root })]
  .filter((path) => !path.startsWith("test/arch/") && !path.startsWith("test/fixtures/"))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const named = findNamedIds(files, scenarioIds);
const isNamed = (id: string) => (named.get(id) ?? []).some((path) => (homes[id] ?? path) === path);

test("every scenario is named by a test or a transcript, or is pending with the reason", () => {
  expect(scenarioIds).toHaveLength(92);
  expect(scenarioIds.filter((id) => !isNamed(id) && !(id in pendingIds))).toEqual([]);
});

test("no scenario is pending that a test names: take it off the list", () => {
  expect(Object.keys(pendingIds).filter((id) => !scenarioIds.includes(id) || isNamed(id))).toEqual([]);
});

test("names are found however a test is written, and nothing else is", () => {
  const found = (path: string, text: string) => [...findNamedIds([{ path, text }], scenarioIds).keys()];
  for (const text of [
    'test("A01 x", () => {});',
    "describe('x A01', () => {});",
    'test.each([["S01"]])(\n  "A01 %s",\n  () => {},\n);',
    'test.skipIf(a !== "b")("A01", f);',
    "test(`$" + "{n} A01`, f);",
    'onLinux("A01 x", f);',
  ])
    expect(found("a.test.ts", text)).toEqual(["A01"]);
  for (const text of ["// A01", 'f("A01", 1);', 'test("A1 A011 A99 xA01", f);', 'expect(a).toBe("A01");'])
    expect(found("a.test.ts", text)).toEqual([]);
  expect(found("a.txt", "# A01: x\n$ echo A02\n> A03\n")).toEqual(["A01"]);
});
