import { expect, test } from "bun:test";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { runCli } from "./run-cli.ts";

const users = `[[hooks]]
event = "review.failed"
type = "webhook"
url = "https://ada:s3cret@hooks.example.com/s3cret"

[[hooks]]
event = "review.*"
command = "notify --token s3cret {sha}"
`;
const shown = [
  "review.failed: POST https://hooks.example.com/...",
  "review.*: notify --token [redacted] {sha}",
];

function scene() {
  const dir = tempDir({ "data/config.toml": users });
  const repo = testRepo();
  repo.write(".roborev.toml", '[[hooks]]\nevent = "review.failed"\ncommand = "make"\n');
  return {
    repo,
    run: (...argv: string[]) =>
      runCli(["config", ...argv], { cwd: repo.path, env: { ROBOREV_DATA_DIR: dir.join("data") } }),
    [Symbol.dispose]() {
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("config list and config get show the user's hooks without addresses' paths and secrets", async () => {
  using s = scene();
  for (const scope of [[], ["--global"]]) {
    const got = await s.run("get", "hooks", "--json", ...scope);
    expect(JSON.parse(got.stdout)).toMatchObject({ key: "hooks", value: shown });
    const { stdout } = await s.run("list", "--json", ...scope);
    const rows = JSON.parse(stdout) as { key: string; value: unknown }[];
    expect(rows.filter(({ key }) => key === "hooks")).toMatchObject([
      { value: shown, origin: { kind: "global" } },
    ]);
    for (const argv of [["get", "hooks"], ["list"]]) {
      const { code, stdout, stderr } = await s.run(...argv, ...scope);
      expect([code, stdout]).toEqual([0, expect.stringContaining('["review.failed: POST https://hooks.')]);
      expect(stdout + stderr).not.toContain("s3cret");
    }
  }
});

test("config get --local hooks names the command that shows those of a repository, and validate mentions them", async () => {
  using s = scene();
  const got = await s.run("get", "--local", "hooks");
  expect([got.code, got.stdout]).toEqual([2, ""]);
  expect(got.stderr).toContain("hooks of a repository run once you trust them, with roborev repo trust");
  const { code, stderr } = await s.run("validate");
  expect([code, stderr]).toEqual([
    0,
    `Note: ${s.repo.path}/.roborev.toml:1:1: \`hooks\` of a repository run once you trust them, with roborev repo trust\n`,
  ]);
});

test("config validate names a wrong hook with its line, and shows no address", async () => {
  using s = scene();
  s.repo.write(
    ".roborev.toml",
    '[[hooks]]\nevent = "review.failed"\ntype = "webhook"\nurl = "ftp://s3cret"\n',
  );
  const { code, stdout, stderr } = await s.run("validate");
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(".roborev.toml:1:1: hook 1: a webhook has type ="),
  ]);
  expect(stdout + stderr).not.toContain("s3cret");
});

test("config set writes no hooks, whatever is to be set, and says where they stand", async () => {
  using s = scene();
  for (const argv of [
    ["hooks", "x"],
    ["hooks", ""],
    ["--global", "hooks", "[]"],
  ]) {
    const { code, stderr } = await s.run("set", ...argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining("hooks is a list of tables")]);
    expect(stderr).toContain("Write [[hooks]] into the file.");
  }
  const unset = await s.run("set", "--global", "--unset", "hooks");
  expect([unset.code, unset.stderr]).toEqual([1, expect.stringContaining("hooks is a list of tables")]);
});
