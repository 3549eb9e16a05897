import { expect, test } from "bun:test";
import { dataPaths, resolveDataDir } from "../../src/config/paths.ts";

test("the data directory is what ROBOREV_DATA_DIR says, else .roborev in the home directory", () => {
  expect(resolveDataDir({ ROBOREV_DATA_DIR: " /d ", HOME: "/h" })).toBe("/d");
  expect(resolveDataDir({ ROBOREV_DATA_DIR: " ", HOME: "/h" })).toBe("/h/.roborev");
  expect(dataPaths("/d").config).toBe("/d/config.toml");
});

test("a relative one would be another directory for each caller: refused, whoever names it", () => {
  expect(() => resolveDataDir({ ROBOREV_DATA_DIR: "d", HOME: "/h" })).toThrow(
    "ROBOREV_DATA_DIR must be an absolute path, got d",
  );
  expect(() => resolveDataDir({ HOME: "h" })).toThrow("HOME must be an absolute path, got h");
});
