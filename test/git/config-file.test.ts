import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { lastValue, tryParseConfig } from "../../src/git/config-file.ts";
import { tempDir } from "../support/temp.ts";

test("sections, sub-sections, comments, quotes and bare keys read as git reads them", () => {
  const text = '[Core] bare = false # no\n[remote "O\\"r"]\n\tURL = "a;b" ; c\n\tflag\n[core]\n\tbare\n';
  const entries = tryParseConfig(text);
  expect(entries).toEqual([
    { section: "core", key: "bare", value: "false" },
    { section: "remote", subsection: 'O"r', key: "url", value: "a;b" },
    { section: "remote", subsection: 'O"r', key: "flag" },
    { section: "core", key: "bare" },
  ]);
  expect(lastValue(entries ?? [], "core", "bare")).toBe("true");
});

test("what it is not sure about is left to git", () => {
  for (const text of [
    "[a.b]\nc=d",
    "c = d",
    "[a]\nb = c\\\nd",
    '[a]\nb = "c',
    "[a]\nb = \\q",
    "[a]\nb c = d",
  ])
    expect(tryParseConfig(text)).toBeUndefined();
});

test("where it gives an answer, git gives the same", () => {
  using dir = tempDir();
  const piece = fc.constantFrom(
    ...["[core]", "[Core]", '[core "x"]', "worktree", "bare", "=", " ", "\t", '"', "\\", "#", ";", "\n"],
    ...["\r\n", "a", "/b c", "\\n", "\\\\", "true", "[", "]", "\ufeff", "\u00a0", "x=y"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = `[core]\n\tbare = false\n${pieces.join("")}\n`;
      const entries = tryParseConfig(text);
      if (!entries) return;
      writeFileSync(dir.join("config"), text);
      const run = Bun.spawnSync(["git", "config", "--file", dir.join("config"), "--null", "--list"]);
      expect(run.exitCode).toBe(0);
      const truth = run.stdout.toString().split("\0").slice(0, -1);
      const ours = entries.map(({ section, subsection, key, value }) => {
        const name = [section, ...(subsection === undefined ? [] : [subsection]), key].join(".");
        return value === undefined ? name : `${name}\n${value}`;
      });
      expect(ours).toEqual(truth);
    }),
    { numRuns: 300 },
  );
});
