import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleaned } from "../../../src/cli/completion/values.ts";
import { testRepo } from "../../support/repo.ts";
import { tempDir } from "../../support/temp.ts";
import { testJob } from "../fixtures.ts";
import { place } from "../place.ts";
import { runCli } from "../run-cli.ts";

const nothing = { code: 0, stdout: "", stderr: "" };

describe("completion-values", () => {
  test("prints jobs of this repository, behind a tab what each is", async () => {
    await using at = place({
      "GET /api/jobs": () => ({
        jobs: [
          testJob({ commit_subject: "shop:\tnew\u001b[31m" }),
          testJob({ id: 6, status: "running", verdict: undefined as never }),
        ],
        has_more: false,
      }),
    });
    expect((await at.cli(["completion-values", "job"])).stdout).toBe(
      "7\tfailed review aaaaaaa shop: new [31m\n6\trunning aaaaaaa\n",
    );
    expect(at.daemon.of("GET /api/jobs")[0]?.query).toMatchObject({ repo: at.repo.path });
  });

  test("prints sessions without their agent, and repositories by name", async () => {
    await using at = place({
      "GET /api/agent-hook/sessions": () => ({ sessions: { "claude:0b7e-1": {}, "codex:a;b": {} } }),
      "GET /api/repos": () => ({
        repos: [
          { name: "shop", root_path: "/w/shop" },
          { name: "two words", root_path: "/w/t" },
        ],
      }),
    });
    expect((await at.cli(["completion-values", "session"])).stdout).toBe("0b7e-1\tclaude\n");
    expect((await at.cli(["completion-values", "repo"])).stdout).toBe("shop\t/w/shop\n");
  });

  test("prints branches and other names of commits from git, without a daemon", async () => {
    using repo = testRepo();
    repo.git("branch", "side/one");
    repo.git("tag", "v1");
    const cli = async (kind: string) =>
      (await runCli(["completion-values", kind], { cwd: repo.path })).stdout.split("\n").sort();
    expect(await cli("branch")).toEqual(["", "main", "side/one"]);
    expect(await cli("ref")).toEqual(["", "main", "side/one", "v1"]);
    expect(await cli("review")).toEqual(["", "HEAD", "main", "side/one", "v1"]);
  });

  test("without a daemon, without a repository, for a daemon that says no, and for nonsense: nothing, exit 0, nothing created", async () => {
    using dir = tempDir();
    const env = { ROBOREV_DATA_DIR: dir.join("data") };
    for (const kind of ["job", "session", "repo", "branch", "nonsense"])
      expect(await runCli(["completion-values", kind], { cwd: dir.path, env })).toEqual(nothing);
    expect(await runCli(["completion-values"], { cwd: dir.path, env })).toEqual(nothing);
    expect(
      await runCli(["completion-values", "job"], { cwd: dir.path, env: { ROBOREV_DATA_DIR: "relative" } }),
    ).toEqual(nothing);
    expect(existsSync(dir.join("data"))).toBe(false);
    await using at = place();
    expect(await at.cli(["completion-values", "repo"])).toEqual(nothing);
  });

  test("a daemon that never answers is not waited for", async () => {
    await using at = place({ "GET /api/repos": () => new Promise(() => {}) });
    const startedMs = performance.now();
    expect(await at.cli(["completion-values", "repo"])).toEqual(nothing);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});

test.each([
  "$(touch pwned)",
  "`touch pwned`",
  "a;b",
  "a&b",
  "a|b",
  "a>b",
  "a b",
  "a\tb",
  "a\nb",
  "a'b",
  'a"b',
  "a\\b",
  "a!b",
  "a*b",
  "a?b",
  "a{b,c}",
  "a[b]",
  "~root",
  "-rf",
  "#a",
  "=ls",
  "a\u001b[31mb",
  "a\u200bb",
  "a\u202eb",
  "",
  "a".repeat(201),
])("%p is not offered: a shell would have to quote it", (name) => {
  expect(cleaned({ name, about: "" })).toBeUndefined();
});

test("other names are offered as they are, with a short text on one line", () => {
  expect(cleaned({ name: "feature/größe#1", about: `x\u0007${"y".repeat(80)}` })).toEqual({
    name: "feature/größe#1",
    about: `x ${"y".repeat(58)}`,
  });
});

test("a ref that git itself would not have made is not offered either", async () => {
  using repo = testRepo();
  const head = repo.git("rev-parse", "HEAD");
  writeFileSync(
    join(repo.path, ".git/packed-refs"),
    `${head} refs/heads/a\u001b]0;x\n${head} refs/heads/fine\n`,
  );
  expect((await runCli(["completion-values", "branch"], { cwd: repo.path })).stdout).not.toContain("\u001b");
});
