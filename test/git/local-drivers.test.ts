import { expect, test } from "bun:test";
import { localDriverSwitches } from "../../src/git/local-drivers.ts";

const settings = (...listed: string[]) => localDriverSwitches(listed).filter((word) => word !== "-c");

test("T11 drivers of the repository are switched off, those of the user stay", () => {
  expect(
    settings("global", "filter.lfs.clean\ngit-lfs clean -- %f", "local", "user.name\nfilter.x.clean"),
  ).toEqual([]);
  expect(settings("local", "filter.a b.clean\nx", "worktree", "diff.c.d.textconv\ny")).toEqual([
    "filter.a b.clean=",
    "filter.a b.smudge=",
    "filter.a b.process=",
    "filter.a b.required=false",
    "diff.c.d.textconv=",
    "diff.c.d.command=",
  ]);
});

test("T11 hooks that a configuration names are off, whoever configured them", () => {
  expect(settings("local", "hook.evil.command\nx", "local", "hook.evil.event\npost-checkout")).toEqual([
    "hook.evil.enabled=false",
  ]);
  expect(settings("global", "hook.mine.command\nx")).toEqual(["hook.mine.enabled=false"]);
  expect(settings("global", "hook.a=b.command\nx")).toEqual([]);
  expect(() => settings("local", "hook.a=b.command\nx")).toThrow("hook.a=b.command");
});
