import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  danglingLinks,
  interpreterOf,
  launchProblem,
  probeLaunch,
  shimManager,
} from "../../../src/cli/doctor/launch.ts";
import { findOnPath } from "../../../src/install/detect.ts";
import { systemProbe } from "../../../src/install/probe.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

test.each([
  ["/u/.local/share/mise/shims/codex", "mise"],
  ["/u/.asdf/shims/codex", "asdf"],
  ["/u/.volta/bin/codex", "volta"],
  ["/usr/local/bin/codex", undefined],
  ["/u/.nvm/versions/node/v22.0.0/bin/codex", undefined],
  ["/u/mise/shims/deep/codex", undefined],
])("%s is a stand-in of %p", (path, manager) => {
  expect(shimManager(path)).toBe(manager as never);
});

test.each([
  ["#!/usr/bin/env node", "node"],
  ["#!/usr/bin/env -S FOO=1 node --flag", "node"],
  ["#! /bin/sh -e", "/bin/sh"],
  ["\u007fELF", undefined],
  ["", undefined],
  ["#!", undefined],
])("%p is a script for %p", (head, program) => {
  expect(interpreterOf(head)).toBe(program as never);
});

function executable(dir: TempDir, name: string, text: string): string {
  mkdirSync(dirname(dir.join(name)), { recursive: true });
  writeFileSync(dir.join(name), text);
  chmodSync(dir.join(name), 0o755);
  return dir.join(name);
}

/** Where everything is looked up in `bin`, as a program without a shell would. */
const finder = (dir: TempDir) => (name: string) =>
  name.startsWith("/") ? name : findOnPath(name, { PATH: dir.join("bin") }, systemProbe);
const problemOf = async (dir: TempDir, path: string) =>
  launchProblem(
    await probeLaunch(path, { PATH: `${dir.join("bin")}:/usr/bin:/bin`, HOME: dir.path }, finder(dir)),
  );

test("17 a stand-in is asked of its manager: it leads somewhere, nowhere, or the manager is gone", async () => {
  using dir = tempDir();
  const shim = executable(dir, "mise/shims/codex", "#!/usr/bin/env mise\n");
  expect(await problemOf(dir, shim)).toBe(`${shim} is a stand-in of mise, which is not on PATH`);
  executable(dir, "bin/mise", "#!/bin/sh\nexit 1\n");
  expect(await problemOf(dir, shim)).toBe(`${shim} is a stand-in of mise, which has no version of it`);
  executable(dir, "bin/mise", `#!/bin/sh\necho ${dir.join("gone")}\n`);
  expect(await problemOf(dir, shim)).toContain("has no version of it");
  const real = executable(dir, "real/codex", "#!/bin/sh\n");
  executable(
    dir,
    "bin/mise",
    `#!/bin/sh\n[ "$1 $2" = "which codex" ] && [ "$PWD" = "${dir.path}" ] && echo ${real}\n`,
  );
  expect(await problemOf(dir, shim)).toBeUndefined();
});

test("a script whose interpreter is not on PATH does not start, as programs of npm without node", async () => {
  using dir = tempDir();
  const script = executable(dir, "npm/codex", "#!/usr/bin/env node\nconsole.log(1);\n");
  expect(await problemOf(dir, script)).toBe(`${script} needs node, which is not on PATH`);
  executable(dir, "bin/node", "#!/bin/sh\n");
  expect(await problemOf(dir, script)).toBeUndefined();
  expect(await problemOf(dir, executable(dir, "own/codex", "\u007fELF"))).toBeUndefined();
});

test("links to nowhere are found by their name", () => {
  using dir = tempDir({ "a/codex": "", "b/x": "" });
  symlinkSync(dir.join("gone"), dir.join("b/codex"));
  mkdirSync(dir.join("c"));
  symlinkSync(dir.join("a/codex"), dir.join("c/codex"));
  expect(
    danglingLinks(
      "codex",
      ["a", "b", "c", "d"].map((name) => dir.join(name)),
    ),
  ).toEqual([dir.join("b/codex")]);
});
