import { expect, test } from "bun:test";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { RefMemory } from "../../src/git/ref-memory.ts";
import { refTips } from "../../src/git/ref-tips.ts";
import { testRepo } from "../support/repo.ts";

function scene(nowMs = () => Date.now() + 3_600_000) {
  const repo = testRepo();
  const memory = new RefMemory<ReadonlyMap<string, string>>(nowMs);
  let asked = 0;
  return {
    repo,
    asked: () => asked,
    /** Where main stands according to the memory; tells apart what git was asked. */
    async main() {
      const answer = await memory.of(join(repo.path, ".git"), "main", (look) => {
        asked++;
        return refTips(repo.path, ["refs/heads/main"], look);
      });
      expect(answer.get("refs/heads/main")).toBe(repo.git("rev-parse", "-q", "--verify", "refs/heads/main"));
    },
    [Symbol.dispose]: () => repo[Symbol.dispose](),
  };
}

test("git is asked again exactly when a ref that counts is another one", async () => {
  using s = scene();
  await s.main();
  s.repo.git("branch", "other");
  await s.main();
  expect(s.asked()).toBe(1);
  s.repo.commit("next");
  await s.main();
  expect(s.asked()).toBe(2);
  s.repo.git("pack-refs", "--all");
  await s.main();
  await s.main();
  expect(s.asked()).toBe(3);
});

test("what cannot be looked at is asked about every time", async () => {
  for (const hide of [
    (git: string) => mkdirSync(join(git, "reftable")),
    (git: string) => {
      renameSync(join(git, "refs/heads/main"), join(git, "refs/heads/real"));
      symlinkSync("real", join(git, "refs/heads/main"));
    },
  ]) {
    using s = scene();
    hide(join(s.repo.path, ".git"));
    await s.main();
    await s.main();
    expect(s.asked()).toBe(2);
  }
  using young = scene(() => Date.now() - 1_000);
  await young.main();
  await young.main();
  expect(young.asked()).toBe(2);
});
