import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path, { join } from "node:path";
import { eventDirectory } from "../../../src/daemon/agent-hook/directory.ts";
import type { HookEventBody } from "../../../src/daemon/api/hook-event.ts";
import { type CommitCommand, recogniseCommit } from "../../../src/lib/shell-commit.ts";
import { tempDir } from "../../support/temp.ts";

const event = (fields: Partial<HookEventBody>): HookEventBody => ({
  session_id: "s",
  hook_event_name: "PostToolUse",
  ...fields,
});

/** Where a command that runs in `cwd` commits. */
function directoryOf(cwd: string, command: string, more: Partial<HookEventBody> = {}): string | undefined {
  const commit = recogniseCommit(command);
  if (!commit) throw new Error(`not recognised: ${command}`);
  return eventDirectory(event({ cwd, commit, ...more }));
}

const root = tempDir();
for (const directory of ["sub/deep", "other", "a b", "frontend"])
  mkdirSync(join(root.path, directory), { recursive: true });
writeFileSync(join(root.path, "file"), "");
afterAll(() => root[Symbol.dispose]());
const at = (...below: string[]) => join(root.path, ...below);

describe("the directory of a commit command, in real directories", () => {
  test("1, 2 the working directory, or that of `-C`", () => {
    expect(directoryOf(at(), "git commit")).toBe(at());
    expect(directoryOf(at(), `git -C ${at("other")} cherry-pick x`)).toBe(at("other"));
  });

  test("3 a quoted one with a space", () => {
    expect(directoryOf(at(), 'git -C "a b" commit')).toBe(at("a b"));
    expect(directoryOf(at("sub"), `git -C "${at("a b")}" commit`)).toBe(at("a b"));
  });

  test("4, 5 one that only the shell knows is left out", () => {
    for (const where of ["$X", "\u0024{X}", "$(pwd)", "$(git rev-parse --show-toplevel)"])
      expect(directoryOf(at("sub"), `git -C ${where} commit`)).toBe(at("sub"));
    expect(directoryOf(at(), "git -C $X -C sub commit")).toBe(at("sub"));
    expect(directoryOf(at(), "git -c k=$(pwd) commit")).toBe(at());
  });

  test("7, 8, 9 that of the git which commits", () => {
    expect(directoryOf(at(), "git add -A && git commit")).toBe(at());
    expect(directoryOf(at(), "git -C sub status && git commit -m x")).toBe(at());
    expect(directoryOf(at(), "git status && git -C sub commit")).toBe(at("sub"));
  });

  test("10 a step that is no directory is left out, the next one goes from where we are", () => {
    expect(directoryOf(at(), "git -C /nope commit")).toBe(at());
    expect(directoryOf(at(), "git -C nope -C sub commit")).toBe(at("sub"));
    expect(directoryOf(at(), "git -C sub -C nope -C deep commit")).toBe(at("sub", "deep"));
    expect(directoryOf(at(), "git -C file commit")).toBe(at());
    expect(directoryOf(at(), "cd nope; git commit")).toBe(at());
  });

  test.each<[command: string, ...below: string[]]>([
    ["cd sub && git commit", "sub"],
    ["cd sub; cd deep; git commit", "sub", "deep"],
    ["(cd sub; git commit)", "sub"],
    ["(cd sub; ls); git commit"],
    ["cd sub && (cd deep && make) && git commit", "sub"],
    ["bash -c 'cd sub && git -C ../other commit'", "other"],
    ["cd sub && cd - && git commit"],
    ["mkdir out && cd out && cmake .. && cd .. && git commit"],
    ["cd frontend || cd ../frontend; git commit", "frontend"],
    ["cd nope || cd other; git commit", "other"],
    ["git --git-dir=sub/.git --work-tree=sub commit", "sub"],
    ["GIT_WORK_TREE=sub git -C other commit", "other"],
    ["R=$PWD; cd sub && make; cd $R/other && git commit", "other"],
    ["env -C sub git commit", "sub"],
    ["ls | xargs -I{} git -C {} commit"],
  ])("of %j", (command, ...below) => expect(directoryOf(at(), command)).toBe(at(...below)));

  test("`cd /a || cd /b` is in the one that is there, the first of two", () => {
    const [a, b] = [at("sub"), at("other")];
    expect(directoryOf(at(), `cd ${a} || cd ${b}; git commit`)).toBe(a);
    expect(directoryOf(at(), `cd ${a}/nope || cd ${b}; git commit`)).toBe(b);
    expect(directoryOf(at(), `cd ${a} || cd ${b}/nope; git commit`)).toBe(a);
  });

  test("begins at the tool input's own directory, which begins at the payload's", () => {
    const directory = { tool_directory: "sub" };
    expect(directoryOf(at(), "git commit", directory)).toBe(at("sub"));
    expect(directoryOf(at(), "cd deep && git commit", directory)).toBe(at("sub", "deep"));
    expect(directoryOf(at(), "git commit", { tool_directory: "nope" })).toBe(at());
    expect(eventDirectory(event({ cwd: at(), ...directory }))).toBe(at("sub"));
    expect(eventDirectory(event({ cwd: at() }))).toBe(at());
  });

  test("`~` is the home directory", () => {
    mkdirSync(join(homedir(), "proj"), { recursive: true });
    expect(directoryOf(at(), "cd ~/proj && git commit")).toBe(join(homedir(), "proj"));
    expect(directoryOf(at(), "cd && git commit")).toBe(homedir());
    expect(directoryOf(at(), "cd '~/proj' && git commit")).toBe(at());
  });
});

test("a directory that no file system can have is none, and is never that of this process", () => {
  expect(eventDirectory(event({ cwd: `${at()}\0x` }))).toBeUndefined();
  expect(eventDirectory(event({ cwd: "sub" }))).toBeUndefined();
  expect(eventDirectory(event({ tool_directory: at("sub") }))).toBeUndefined();
  expect(eventDirectory(event({ cwd: at(), tool_directory: "sub\0" }))).toBe(at());
  expect(directoryOf(at(), `cd ${"x".repeat(300)} && git commit`)).toBe(at());
});

test("on Windows, backslashes stand between directories, and Git Bash names drives its own way", () => {
  const there = ["C:\\r\\src\\app", "D:\\other", "C:\\r\\my dir"];
  const windowsDirectory = (command: string) =>
    eventDirectory(
      event({ cwd: "C:\\r", commit: recogniseCommit(command) as CommitCommand }),
      (directory) => there.includes(directory),
      path.win32,
    );
  expect(windowsDirectory("cd .\\src\\app; git commit")).toBe("C:\\r\\src\\app");
  expect(windowsDirectory("cd src/app && git commit")).toBe("C:\\r\\src\\app");
  expect(windowsDirectory("Set-Location D:\\other\\; git commit")).toBe("D:\\other");
  expect(windowsDirectory('git -C "C:\\r\\my dir" commit')).toBe("C:\\r\\my dir");
  expect(windowsDirectory("cd /d/other && git commit")).toBe("D:\\other");
  expect(windowsDirectory("cd /nope/other && git commit")).toBe("C:\\r");
});
