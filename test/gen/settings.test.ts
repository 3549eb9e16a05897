import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configKeys } from "../../src/config/keys.ts";
import { readmePath, settingsTable, withSettings } from "./settings.ts";

const docs = join(import.meta.dir, "../../docs");
const readme = readFileSync(readmePath, "utf8");

test("README's table of settings is what the schema says; if not, run `bun run gen`", () => {
  expect(readme).toBe(withSettings(readme));
});

test("every setting that README or a page of docs names exists", () => {
  const table = settingsTable();
  // files.md names fields of a file, and test/reminder/state-page.test.ts looks at it; api.md those of the API.
  const pages = readdirSync(docs).filter((name) => name !== "files.md" && name !== "api.md");
  const texts = pages.map((name) => readFileSync(join(docs, name), "utf8"));
  const prose = [readme.replace(table, ""), ...texts].join("\n");
  const named = [...prose.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name as string);
  const known = new Set(configKeys.flatMap(({ name, path }) => [name, ...path]));
  // Words with underscores that are no settings.
  const others = new Set(["pre_llm_call", "pre_verify", "claude_code"]);
  expect(named.filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});
