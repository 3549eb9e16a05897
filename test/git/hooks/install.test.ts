import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { installGitHooks } from "../../../src/git/hooks/install.ts";
import { hookBlock } from "../../../src/git/hooks/script.ts";
import { gitHookStatus } from "../../../src/git/hooks/status.ts";
import { uninstallGitHooks } from "../../../src/git/hooks/uninstall.ts";
import { hookedRepo, modeOf } from "./hooked-repo.ts";

const results = (outcomes: { result: string }[]) => outcomes.map(({ result }) => result);

test("H01 a fresh install writes both hooks, executable, with the absolute path and the current marker", async () => {
  using place = await hookedRepo();
  const { checkout, binary } = place;
  expect(await installGitHooks(checkout, { binary })).toEqual([
    { hook: "post-commit", path: place.hook("post-commit"), result: "installed", warnings: [] },
    { hook: "post-rewrite", path: place.hook("post-rewrite"), result: "installed", warnings: [] },
  ]);
  for (const name of ["post-commit", "post-rewrite"] as const) {
    expect(place.readHook(name)).toStartWith(`#!/bin/sh\n# roborev ${name} hook v5`);
    expect(place.readHook(name)).toContain(`ROBOREV="${binary}"`);
    expect(modeOf(place.hook(name))).toBe(0o755);
  }
  expect(modeOf(join(checkout.commonDir, "roborev/git-hooks.json"))).toBe(0o600);
  const { hooks } = await gitHookStatus(checkout);
  expect(hooks.map(({ state, binary }) => [state, binary?.executable])).toEqual([
    ["current", true],
    ["current", true],
  ]);
});

test("H03 a foreign hook without a shebang gets the block in front, every byte kept", async () => {
  using place = await hookedRepo();
  place.writeHook("post-commit", "echo théirs\r\n\techo 2");
  await installGitHooks(place.checkout, { binary: place.binary });
  const block = Buffer.from(hookBlock("post-commit", place.binary), "latin1").toString();
  expect(place.readHook("post-commit")).toBe(`${block}echo théirs\r\n\techo 2`);
});

describe("H04 a hook in another language", () => {
  for (const head of [
    "#!/usr/bin/env python3",
    "#!/usr/bin/node",
    "#!/usr/bin/env -S deno run",
    "\x7fELF\0\0",
  ]) {
    test(`${JSON.stringify(head)} is refused with what to add by hand; the other hook is installed`, async () => {
      using place = await hookedRepo();
      place.writeHook("post-commit", `${head}\nprint()\n`);
      const outcomes = await installGitHooks(place.checkout, { binary: place.binary });
      expect(results(outcomes)).toEqual(["non-shell", "installed"]);
      expect(outcomes[0]?.snippet).toContain(place.binary);
      expect(place.readHook("post-commit")).toBe(`${head}\nprint()\n`);
    });
  }

  test("is replaced by --force, with a backup that uninstalling takes away again", async () => {
    using place = await hookedRepo();
    const theirs = "#!/usr/bin/env python3\nprint()\n";
    place.writeHook("post-commit", theirs, 0o644);
    const outcomes = await installGitHooks(place.checkout, { binary: place.binary, force: true });
    const backup = outcomes[0]?.backup ?? "";
    expect(backup).toBe(`${place.hook("post-commit")}.roborev-backup`);
    expect(readFileSync(backup, "utf8")).toBe(theirs);
    expect(modeOf(place.hook("post-commit"))).toBe(0o755);
    await uninstallGitHooks(place.checkout);
    expect(place.readHook("post-commit")).toBe(theirs);
    expect(modeOf(place.hook("post-commit"))).toBe(0o644);
    expect(existsSync(backup)).toBe(false);
  });
});

test("H05 a second install writes nothing and says so", async () => {
  using place = await hookedRepo();
  place.writeHook("post-rewrite", "#!/bin/bash\necho theirs\n");
  await installGitHooks(place.checkout, { binary: place.binary });
  const stamps = () =>
    ["post-commit", "post-rewrite"].map((name) => statSync(place.hook(name), { bigint: true }).mtimeNs);
  const before = stamps();
  expect(results(await installGitHooks(place.checkout, { binary: place.binary }))).toEqual([
    "current",
    "current",
  ]);
  expect(stamps()).toEqual(before);
});

test("another program replaces the block and nothing else", async () => {
  using place = await hookedRepo();
  place.writeHook("post-commit", "#!/bin/sh\necho theirs\n");
  await installGitHooks(place.checkout, { binary: place.binary });
  const outcomes = await installGitHooks(place.checkout, { binary: "/opt/other/roborev" });
  expect(results(outcomes)).toEqual(["upgraded", "upgraded"]);
  expect(place.readHook("post-commit")).not.toContain(place.binary);
  await uninstallGitHooks(place.checkout);
  expect(place.readHook("post-commit")).toBe("#!/bin/sh\necho theirs\n");
  expect(place.readHook("post-rewrite")).toBeUndefined();
});

test("a hook that git ignores is chained and the user is told", async () => {
  using place = await hookedRepo();
  place.writeHook("post-commit", "#!/bin/sh\necho theirs\n", 0o644);
  const [outcome] = await installGitHooks(place.checkout, { binary: place.binary });
  expect(outcome?.warnings).toEqual([expect.stringContaining("not executable")]);
  expect(modeOf(place.hook("post-commit"))).toBe(0o644);
});

test("a hook that is a link stays one; its target is changed and restored", async () => {
  using place = await hookedRepo();
  mkdirSync(join(place.repo.path, ".git/hooks"), { recursive: true });
  writeFileSync(place.side.join("shared"), "#!/bin/sh\necho theirs\n", { mode: 0o755 });
  symlinkSync(place.side.join("shared"), place.hook("post-commit"));
  await installGitHooks(place.checkout, { binary: place.binary });
  expect(readFileSync(place.side.join("shared"), "utf8")).toContain("roborev post-commit hook v5");
  expect(readlinkSync(place.hook("post-commit"))).toBe(place.side.join("shared"));
  await uninstallGitHooks(place.checkout);
  expect(readFileSync(place.side.join("shared"), "utf8")).toBe("#!/bin/sh\necho theirs\n");
});

test("one hook that cannot be written does not keep the other from being installed, and is an error", async () => {
  using place = await hookedRepo();
  mkdirSync(place.hook("post-commit"), { recursive: true });
  const install = installGitHooks(place.checkout, { binary: place.binary });
  await expect(install).rejects.toMatchObject({ code: "E_GIT_HOOKS" });
  expect(place.readHook("post-rewrite")).toContain("roborev");
});

test("a relative program, or one with a line break, is refused before anything is written", async () => {
  using place = await hookedRepo();
  for (const binary of ["roborev", "./roborev", "/a\nb"])
    await expect(installGitHooks(place.checkout, { binary })).rejects.toMatchObject({ exitCode: 2 });
  expect(existsSync(join(place.checkout.commonDir, "roborev"))).toBe(false);
});
