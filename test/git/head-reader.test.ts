import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { findCheckout, resolveCheckout } from "../../src/git/checkout.ts";
import { readCheckout } from "../../src/git/head-reader.ts";
import { RoborevError } from "../../src/lib/errors.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { shapes } from "./shapes.ts";

for (const [name, shape] of Object.entries(shapes)) {
  test(`from ${name} the reader ${shape.reader === "ask" ? "asks git" : "says what git says"}`, async () => {
    using repo = testRepo(shape.empty ? { empty: true } : {});
    using side = tempDir();
    const directory = shape.prepare(repo, side.join);
    const read = readCheckout(directory);
    if (shape.git === "error") {
      expect(read).toBe("ask-git");
      await expect(findCheckout(directory)).rejects.toBeInstanceOf(RoborevError);
      return;
    }
    const truth = await findCheckout(directory);
    expect(truth === undefined).toBe(shape.git === "nothing");
    expect(read).toEqual(shape.reader === "ask" ? "ask-git" : truth);
    expect(await resolveCheckout(directory)).toEqual(truth);
  });
}

test("whatever HEAD and the branch file hold, the reader says what git says or asks", async () => {
  using repo = testRepo();
  const sha = repo.git("rev-parse", "HEAD");
  const content = fc.oneof(
    fc.constantFrom(sha, `${sha}\n`, `${sha}\n\n`, "", "ref: refs/heads/main\n", "ref: refs/heads/new"),
    fc.constantFrom("ref:refs/heads/main\n", "ref: refs/tags/x\n", "ref: refs/heads/.invalid\n", "0\n"),
    fc.string({ maxLength: 30 }).map((text) => `ref: refs/heads/${text}\n`),
  );
  await fc.assert(
    fc.asyncProperty(content, fc.constantFrom("HEAD", "refs/heads/main"), async (text, file) => {
      writeFileSync(join(repo.path, ".git/HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(repo.path, ".git/refs/heads/main"), `${sha}\n`);
      writeFileSync(join(repo.path, ".git", file), text);
      const read = readCheckout(repo.path);
      if (read !== "ask-git") expect(read).toEqual(await findCheckout(repo.path));
    }),
    { numRuns: 80 },
  );
});

test("a pipe in place of HEAD does not block the reader", () => {
  using repo = testRepo();
  rmSync(join(repo.path, ".git/HEAD"));
  Bun.spawnSync(["mkfifo", join(repo.path, ".git/HEAD")]);
  expect(readCheckout(repo.path)).toBe("ask-git");
});
