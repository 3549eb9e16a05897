import { expect, test } from "bun:test";
import { placeName } from "../../../src/cli/hook-status/place-name.ts";

test.each([
  ["/r\0main", 'on "main" of /r'],
  ["/r", "in /r"],
  ["/r\0worktree\0/w", "in /w"],
  [`/r\0detached\0/w\0${"a".repeat(40)}`, "on a detached HEAD from aaaaaaa in /w"],
])("the key %j is shown as %s", (key, shown) => expect(placeName(key)).toBe(shown));

test.each(["worktree", "detached", "lineage"])("a branch called %s is a branch like any other", (branch) => {
  expect(placeName(`/r\0${branch}`)).toBe(`on "${branch}" of /r`);
});
