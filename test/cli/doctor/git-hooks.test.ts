import { describe, expect, test } from "bun:test";
import { type GitHooks, judgeGitHooks, probeGitHooks } from "../../../src/cli/doctor/git-hooks.ts";
import { hookSnippets } from "../../../src/cli/doctor/hook-tools.ts";
import { requireCheckout } from "../../../src/cli/place.ts";
import { installGitHooks } from "../../../src/git/hooks/install.ts";
import type { HookStatus } from "../../../src/git/hooks/status.ts";
import { type TestRepo, testRepo } from "../../support/repo.ts";

const hook = (more: Partial<HookStatus> = {}): HookStatus => ({
  ...{ hook: "post-commit", path: "/h/post-commit", state: "current", executable: true, alone: true },
  ...more,
});
const second = hook({ hook: "post-rewrite", path: "/h/post-rewrite" });
const hooks = (...all: HookStatus[]): GitHooks => ({
  ...{ hooks: all, directory: "/h", isPrivate: true, tools: [], launches: {} },
});

describe("git hooks", () => {
  test("that are in place are fine, and outside of a repository there are none", () => {
    expect(judgeGitHooks(hooks(hook(), second)).findings).toEqual([]);
    expect(judgeGitHooks(undefined)).toMatchObject({ summary: "not in a repository", findings: [] });
  });

  test.each([
    ["missing", hook({ state: "missing" }), "error", "hook-missing", true],
    ["of an older version", hook({ state: "outdated" }), "warning", "hook-outdated", true],
    ["cut by hand", hook({ state: "damaged" }), "error", "hook-damaged", true],
    ["not executable and ours alone", hook({ executable: false }), "error", "hook-not-executable", true],
    [
      "not executable and partly somebody else's",
      hook({ executable: false, alone: false }),
      "error",
      "hook-not-executable",
      false,
    ],
    [
      "with a program that is gone",
      hook({ binary: { path: "/x", executable: false } }),
      "warning",
      "hook-program",
      true,
    ],
    ["of somebody else", hook({ state: "foreign", alone: false }), "error", "hook-foreign", false],
  ] as const)("one that is %s", (_, status, severity, code, fixable) => {
    const { findings } = judgeGitHooks(hooks(status, second));
    expect(findings).toMatchObject([{ severity, code }]);
    expect(findings[0]?.repair).toBeString();
    expect(findings[0]?.mend !== undefined).toBe(fixable);
  });

  test("outside of the git directory they are nobody's to write without being asked", () => {
    const { findings } = judgeGitHooks({ ...hooks(hook({ state: "outdated" }), second), isPrivate: false });
    expect(findings[0]?.mend).toBeUndefined();
  });

  test("whose program is a stand-in that leads nowhere start nothing", () => {
    const { findings } = judgeGitHooks({
      ...hooks(hook(), second),
      launches: { "post-commit": "mise has none" },
    });
    expect(findings).toMatchObject([
      { severity: "error", code: "hook-shim", repair: "roborev init --binary PATH" },
    ]);
  });

  test("none of ours: the way is init, or what the tool that writes the hooks wants to be told", () => {
    const none = hooks(hook({ state: "missing" }), { ...second, state: "missing" });
    expect(judgeGitHooks(none).findings).toMatchObject([{ severity: "warning", repair: "roborev init" }]);
    const tool = { name: "husky" as const, file: "/r/.husky/post-commit", runsUs: false };
    expect(judgeGitHooks({ ...none, tools: [tool] }).findings).toMatchObject([
      { repair: hookSnippets.husky },
    ]);
    expect(judgeGitHooks({ ...none, tools: [{ ...tool, runsUs: true }] })).toMatchObject({
      summary: "called by husky, see /r/.husky/post-commit",
      findings: [],
    });
  });
});

async function probe(repo: TestRepo) {
  return await probeGitHooks(await requireCheckout(repo.path, (child) => child), process.env);
}

test("the tools that write git hooks are known by their files, and by whether those call us", async () => {
  using repo = testRepo();
  const tools = async () => (await probe(repo))?.tools;
  expect(await tools()).toEqual([]);
  repo.write("lefthook.yml", "pre-commit: {}\n");
  repo.write(
    ".pre-commit-config.yaml",
    "repos:\n- repo: local\n  hooks:\n  - id: r\n    entry: roborev post-commit\n",
  );
  repo.write(".husky/post-commit", "roborev post-commit\n"); // without core.hooksPath git does not look there
  expect(await tools()).toEqual([
    { name: "lefthook", file: `${repo.path}/lefthook.yml`, runsUs: false },
    { name: "pre-commit", file: `${repo.path}/.pre-commit-config.yaml`, runsUs: true },
  ]);
  repo.write(
    "lefthook-local.yml",
    "post-commit:\n  commands:\n    roborev:\n      run: roborev post-commit\n",
  );
  expect((await tools())?.[0]).toMatchObject({ name: "lefthook", runsUs: true });
  repo.write(".husky/_/h", "");
  repo.git("config", "core.hooksPath", ".husky/_");
  expect((await tools())?.[0]).toEqual({
    name: "husky",
    file: `${repo.path}/.husky/post-commit`,
    runsUs: true,
  });
});

test("hooks in a directory of the work tree are not ours alone, those in the git directory are", async () => {
  using repo = testRepo();
  const checkout = await requireCheckout(repo.path, (child) => child);
  await installGitHooks(checkout, { binary: process.execPath });
  expect(await probe(repo)).toMatchObject({
    isPrivate: true,
    hooks: [{ state: "current", alone: true }, {}],
  });
  repo.write("hooks/post-commit", "#!/bin/sh\n");
  repo.git("config", "core.hooksPath", `${repo.path}/hooks`);
  expect(await probe(repo)).toMatchObject({ isPrivate: false, directory: `${repo.path}/hooks` });
});
