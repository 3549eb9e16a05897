import { expect, test } from "bun:test";
import { fakeDaemon } from "../client/fake-daemon.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { type CliOptions, runCli } from "./run-cli.ts";

function scene() {
  const dir = tempDir();
  const repo = testRepo();
  const known = (id: number, root_path: string, name: string, job_count = 0) =>
    ({ id, root_path, name, active: true, created_at: "2026-01-01T00:00:00.000Z", job_count }) as const;
  const repos = [
    known(1, repo.path, "shop", 2),
    known(2, "/gone/one", "twin"),
    known(3, "/gone/two", "twin"),
  ];
  const daemon = fakeDaemon(dir.join("data"), {
    "GET /api/repos": () => ({ repos }),
    "POST /api/repos/delete": () => ({ deleted_jobs: 2 }),
    "POST /api/repos/rename": () => ({ ...repos[0], name: "new" }),
  });
  return {
    dir,
    repo,
    deleted: () => daemon.of("POST /api/repos/delete").map(({ body }) => body),
    renamed: () =>
      daemon.of("POST /api/repos/rename").map(({ body }) => (body as { repo_path: string }).repo_path),
    run: (argv: string[], options: CliOptions = {}) =>
      runCli(["repo", ...argv], {
        cwd: repo.path,
        ...options,
        env: { ROBOREV_DATA_DIR: dir.join("data"), ROBOREV_REVIEW_JOB: undefined, ...options.env },
      }),
    async [Symbol.asyncDispose]() {
      await daemon.stop();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("S12 a repository is meant by its name, a path in it, or a path that is gone", async () => {
  await using s = scene();
  s.repo.write("src/a.ts", "1");
  for (const word of [
    "shop",
    ".",
    "./src",
    s.repo.path,
    `${s.repo.path}/`,
    "/gone/one",
    "../../gone/../gone/one/.",
  ])
    await s.run(["rename", word, "new"], { cwd: word.startsWith("..") ? "/a/b" : s.repo.path });
  const { path } = s.repo;
  expect(s.renamed()).toEqual([path, path, path, path, path, "/gone/one", "/gone/one"]);
});

test("S12 a name of two repositories and one of none are refused with what to do", async () => {
  await using s = scene();
  const twice = await s.run(["rename", "twin", "new"]);
  expect([twice.code, twice.stderr]).toEqual([
    1,
    "Error: 2 repositories are called twin. Name one by its path: /gone/one, /gone/two\n",
  ]);
  const none = await s.run(["rename", "toString", "new"]);
  expect([none.code, none.stderr]).toEqual([
    1,
    "Error: there is no repository toString. roborev repo list shows them.\n",
  ]);
  expect((await s.run(["show"], { cwd: s.dir.path })).stderr).toContain("no repository is known here");
  expect(s.renamed()).toEqual([]);
});

test("S12 delete asks before jobs go, and takes no for an answer", async () => {
  await using s = scene();
  expect((await s.run(["delete", "shop"], { confirm: true })).code).toBe(1);
  expect((await s.run(["delete", "shop", "--cascade"])).code).toBe(2);
  const no = await s.run(["delete", "shop", "--cascade"], { confirm: false });
  expect(no).toEqual({ code: 0, stdout: "", stderr: "Nothing was changed.\n" });
  expect(s.deleted()).toEqual([]);
  expect((await s.run(["delete", "shop", "--cascade"], { confirm: true })).stdout).toBe(
    `shop (${s.repo.path}) is forgotten, with 2 jobs\n`,
  );
  expect(s.deleted()).toEqual([{ repo_path: s.repo.path, cascade: true }]);
});

test("D30 a reviewer changes no repository", async () => {
  await using s = scene();
  for (const argv of [
    ["add"],
    ["rename", "shop", "x"],
    ["move", "shop", "."],
    ["delete", "shop", "--cascade", "--yes"],
    ["merge", "shop", "."],
  ]) {
    const { code, stderr } = await s.run(argv, { env: { ROBOREV_REVIEW_JOB: "3" } });
    expect([code, stderr]).toEqual([1, expect.stringContaining("a reviewer cannot change repositories")]);
  }
  expect([s.deleted(), s.renamed()]).toEqual([[], []]);
});
