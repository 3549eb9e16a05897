import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { commitStaged, failedHook } from "../../src/git/user-commit.ts";
import { type TestRepo, testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

function hook(repo: TestRepo, name: string, shell: string): void {
  mkdirSync(`${repo.path}/.git/hooks`, { recursive: true });
  writeFileSync(`${repo.path}/.git/hooks/${name}`, `#!/bin/sh\n${shell}\n`);
  chmodSync(`${repo.path}/.git/hooks/${name}`, 0o755);
}

test("a commit is the user's own: hooks run, the message stays as it is, no variable leads git elsewhere", async () => {
  using repo = testRepo();
  using dir = tempDir();
  hook(
    repo,
    "pre-commit",
    `env | grep -c -E '^GIT_(WORK_TREE|AUTHOR_DATE|TRACE)=' >'${dir.join("count")}'; echo "$MINE" >'${dir.join("mine")}'`,
  );
  repo.git("config", "commit.cleanup", "strip");
  repo.write("a.txt", "a");
  repo.git("add", "a.txt");
  const env = {
    ...process.env,
    ...{ GIT_DIR: "/nowhere", GIT_INDEX_FILE: "/nowhere", GIT_AUTHOR_DATE: "2001-01-01T00:00:00Z" },
    ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com", MINE: "kept" },
  };
  const options = { cwd: repo.path, env, timeoutMs: 30_000, scratchDirectory: dir.path };
  expect(await commitStaged("Subject\n\n# not a comment\n", options)).toBeUndefined();
  expect(repo.git("log", "-1", "--format=%an %ae|%B")).toBe("Ada ada@example.com|Subject\n\n# not a comment");
  expect(repo.git("log", "-1", "--format=%ad", "--date=format:%Y")).not.toBe("2001");
  expect(await Bun.file(dir.join("mine")).text()).toBe("kept\n");
  expect(readdirSync(dir.path).filter((name) => name.startsWith("commit-"))).toEqual([]);
});

test("a commit carries the author and the co-author that its user wants, and the user commits it", async () => {
  using repo = testRepo();
  using dir = tempDir();
  repo.write("a.txt", "a");
  repo.git("add", "a.txt");
  const env = { ...process.env, GIT_AUTHOR_NAME: "Ada", GIT_COMMITTER_NAME: "Ada" };
  expect(
    await commitStaged("Subject\n\nBody: of the message\n", {
      ...{ cwd: repo.path, env, timeoutMs: 30_000, scratchDirectory: dir.path },
      ...{ author: "Roborev Bot <bot@example.com>", coAuthor: "Zoë <z@example.com>" },
    }),
  ).toBeUndefined();
  expect(repo.git("log", "-1", "--format=%an|%ae|%cn|%(trailers:key=Co-authored-by,valueonly)")).toBe(
    "Roborev Bot|bot@example.com|Ada|Zoë <z@example.com>",
  );
});

test("C08 a hook that refuses is told from everything else that keeps git from committing", async () => {
  using repo = testRepo();
  using dir = tempDir();
  const options = { cwd: repo.path, env: process.env, timeoutMs: 30_000, scratchDirectory: dir.path };
  await expect(commitStaged("nothing staged", options)).rejects.toMatchObject({ code: "E_GIT" });
  repo.write("a.txt", "a");
  repo.git("add", "a.txt");
  // One that fails and is then content is no refusal; nor is a git that it runs.
  hook(repo, "pre-commit", "git rev-parse --verify nothing; echo fine");
  hook(repo, "commit-msg", "echo out; echo err >&2; exit 7");
  const refusal = await commitStaged("message", options);
  expect(refusal?.hook).toBe("commit-msg");
  expect(refusal?.output).toContain("err");
  expect(refusal?.output).toContain("out");
  hook(repo, "commit-msg", "exit 0");
  repo.write(".git/index.lock", "");
  await expect(commitStaged("message", options)).rejects.toMatchObject({
    message: expect.stringContaining("index.lock"),
  });
});

test("the trace of git tells which hook failed, whatever else is in it", () => {
  const event = (more: object) => JSON.stringify({ sid: "a", ...more });
  const start = event({ event: "child_start", child_id: 0, child_class: "hook", hook_name: "pre-commit" });
  const end = (code: number) => event({ event: "child_exit", child_id: 0, code });
  expect(failedHook(`${start}\n${end(1)}\n`)).toBe("pre-commit");
  expect(failedHook(`${start}\n${end(0)}\n`)).toBeUndefined();
  expect(failedHook(`${start}\nnot json\nnull\n{"sid":"a"`)).toBeUndefined();
  const nested = [start, end(1)].map((line) => line.replace('"sid":"a"', '"sid":"a/b"')).join("\n");
  expect(failedHook(nested)).toBeUndefined();
  expect(
    failedHook(`${event({ event: "child_start", child_id: 0, child_class: "editor" })}\n${end(1)}`),
  ).toBeUndefined();
});
