import { expect, test } from "bun:test";
import { findEagerModules, findForbiddenImports } from "./check-imports.ts";
import {
  findBarrels,
  findForbiddenCode,
  findLongFiles,
  findUnfitNames,
  findUnfitText,
} from "./check-text.ts";
import { folderOf, readSources } from "./source.ts";

const files = readSources();

test("there is something to check", () => {
  expect(files.length).toBeGreaterThan(50);
});

test("every import is allowed by the import table", () => {
  expect(findForbiddenImports(files)).toEqual([]);
});

test("nothing that main.ts or the hook loads eagerly is a node: or npm module", () => {
  const entries = files
    .map(({ path }) => path)
    .filter((path) => path === "src/main.ts" || folderOf(path) === "hook");
  expect(entries).toContain("src/main.ts");
  expect(entries.flatMap((entry) => findEagerModules(files, entry))).toEqual([]);
});

test("processes, console, process.exit, shells and impurities stand only where they may", () => {
  expect(findForbiddenCode(files)).toEqual([]);
});

test("no file is longer than 300 lines", () => {
  expect(findLongFiles(files)).toEqual([]);
});

test("file names are kebab-case and say what is inside", () => {
  expect(findUnfitNames(files)).toEqual([]);
});

test("nothing is marked unfinished, and no source names a path of one machine", () => {
  expect(findUnfitText(files)).toEqual([]);
});

test("no file only re-exports others", () => {
  expect(findBarrels(files)).toEqual([]);
});
