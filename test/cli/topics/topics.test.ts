import { describe, expect, test } from "bun:test";
import { root } from "../../../src/cli/tree.ts";
import { environmentVariables } from "../../../src/config/environment.ts";
import { configKeys } from "../../../src/config/keys.ts";
import { runCli } from "../run-cli.ts";

const topics = ["config", ...root.topics.keys()];

describe("roborev help", () => {
  for (const name of topics) {
    test(`${name} is at most 80 columns wide and named in the help of the program`, async () => {
      const { code, stdout, stderr } = await runCli(["help", name]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout.split("\n").filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
      expect((await runCli(["help"])).stdout).toMatch(new RegExp(`^Topics$(.|\n)*^  ${name} `, "m"));
    });
  }

  test("environment names every variable that the program reads, and what never to export", async () => {
    const { stdout } = await runCli(["help", "environment"]);
    for (const { name } of environmentVariables) expect(stdout).toContain(name);
    for (const name of ["NO_COLOR", "CLAUDE_CONFIG_DIR", "BUN_BE_BUN", "ROBOREV_FINDINGS"])
      expect(stdout).toContain(name);
  });

  test("exit-codes has the general ones and those of each command that has its own", async () => {
    const { stdout } = await runCli(["help", "exit-codes"]);
    for (const code of [0, 1, 2, 130]) expect(stdout).toMatch(new RegExp(`^  ${code} +\\S`, "m"));
    expect(stdout).toMatch(/^ {2}roborev show\n {4}0 {2}shown\n {4}1 {2}/m);
    expect(stdout).toMatch(/^ {2}roborev post-commit\n {4}0 {2}always/m);
  });

  test("config says of every setting or kind of settings where it stands, its default and what it takes", async () => {
    const { stdout } = await runCli(["help", "config"]);
    for (const { path, about } of configKeys) expect(stdout).toContain(`  ${about.family ?? path.at(-1)}`);
    expect(stdout).toMatch(
      /^In your configuration$(.|\n)*^ {2}max_workers +Reviews at the same time: a whole number/m,
    );
    expect(stdout).toMatch(/^In a repository's \.roborev\.toml$(.|\n)*^ {2}display_name /m);
  });

  test("a command's help is the same by its name and by --help", async () => {
    for (const path of [["show"], ["agent-hook", "install"], ["respond"]])
      expect(await runCli(["help", ...path])).toEqual(await runCli([...path, "--help"]));
  });
});

describe("a mistyped word is answered with the nearest one", () => {
  test.each([
    ["command", ["fxi"], "roborev fxi. Did you mean roborev fix?"],
    ["command", ["repsond", "x"], "Did you mean roborev respond?"],
    ["command", ["hlep"], "Did you mean roborev help?"],
    ["subcommand", ["agent-hook", "stauts"], "Did you mean roborev agent-hook status?"],
    ["subcommand behind help", ["help", "config", "gte"], "Did you mean roborev help config get?"],
    ["topic", ["help", "enviroment"], "Did you mean roborev help environment?"],
    ["topic or command", ["help", "shwo"], "Did you mean roborev help show?"],
    ["flag", ["init", "--frce"], "Did you mean --force?"],
    ["negative flag", ["init", "--no-daemn"], "Did you mean --no-daemon?"],
    ["global flag", ["--verbos", "list"], "Did you mean --verbose?"],
    ["word of a list", ["list", "--status=dnoe"], "Did you mean done?"],
  ])("%s: %p", async (_, argv, hint) => {
    const result = await runCli(argv);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr.split("\n")[0]).toContain(hint);
  });

  test("a flag that help does not show is not suggested", async () => {
    expect((await runCli(["agent-hook", "run", "--sorce"])).stderr).not.toContain("--source");
  });

  test("nothing may follow a topic", async () => {
    expect(await runCli(["help", "exit-codes", "more"])).toMatchObject({ code: 2, stdout: "" });
  });
});
