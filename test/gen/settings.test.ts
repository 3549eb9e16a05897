import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { configKeys } from "../../src/config/keys.ts";
import { readmePath, settingsTable, withSettings } from "./settings.ts";

const readme = readFileSync(readmePath, "utf8");

test("README's table of settings is what the schema says; if not, run `bun run gen`", () => {
  expect(readme).toBe(withSettings(readme));
});

test("every setting that README names anywhere exists", () => {
  const table = settingsTable();
  // The section State names fields of a file, and test/reminder/state-readme.test.ts looks at it.
  const prose = readme.replace(table, "").replace(/### State\n[\s\S]*?\n## /, "## ");
  const named = [...prose.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name as string);
  const known = new Set(configKeys.flatMap(({ name, path }) => [name, ...path]));
  // Words with underscores that are no settings.
  const others = new Set(["pre_llm_call", "pre_verify", "claude_code"]);
  expect(named.filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});
