import { describe, expect, test } from "bun:test";
import { type CliOptions, runCli } from "./run-cli.ts";
import { root } from "./sample-tree.ts";

const run = (argv: string[], options: CliOptions = {}) => runCli(argv, { root, ...options });
const parsed = async (...argv: string[]) => {
  const result = await run(["install", ...argv]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(result.stdout);
};

describe("traps of citty", () => {
  const rejected: [trap: string, argv: string[], message: RegExp][] = [
    [
      "a removed flag is unknown and names its replacement",
      ["install", "--codex-config", "/x"],
      /unknown flag: --codex-config\. Use --agent codex/,
    ],
    [
      "a misspelt flag is unknown and the near one is named",
      ["install", "--agnet", "codex"],
      /unknown flag: --agnet\. Did you mean --agent\?/,
    ],
    ["surplus positionals are rejected", ["install", "a", "b"], /unexpected argument: b/],
    ["a flag at the end misses its value", ["install", "--agent"], /--agent needs a value/],
    [
      "a flag before another flag misses its value",
      ["install", "--agent", "--quiet"],
      /--agent needs a value/,
    ],
    [
      "a repeated flag is rejected",
      ["install", "--agent", "a", "--agent", "b"],
      /--agent is given more than once/,
    ],
    [
      "a repeated short flag is rejected",
      ["install", "-m", "a", "--message=b"],
      /--message is given more than once/,
    ],
    ["toString is no command", ["toString"], /unknown command: roborev toString/],
    ["constructor is no command", ["constructor"], /unknown command: roborev constructor/],
    ["__proto__ is no command", ["__proto__"], /unknown command: roborev __proto__/],
    ["__proto__ is no flag", ["install", "--__proto__", "x"], /unknown flag: --__proto__/],
    ["constructor is no removed flag", ["install", "--constructor", "x"], /unknown flag: --constructor/],
    [
      "a word behind a parent is no default command's flag value",
      ["nest", "2h"],
      /unknown command: roborev nest 2h/,
    ],
    ["a positional that is missing is named", ["words"], /<word> is missing/],
    ["a switch takes no value", ["install", "--quiet=maybe"], /--quiet is a switch/],
    ["--no- works only where it is declared", ["install", "--no-quiet"], /unknown flag: --no-quiet/],
    [
      "an enum lists its values",
      ["install", "--agent=x", "--kind", "c"],
      /--kind cannot be c\. Use one of: a, b\./,
    ],
    ["--version of a command is unknown", ["install", "--version"], /unknown flag: --version/],
    ["camelCase spellings are unknown", ["install", "--kInd=a"], /unknown flag: --kInd/],
    ["an unknown short flag is rejected", ["install", "-x"], /unknown flag: -x/],
    ["--json is rejected where there is no data", ["words", "--json", "a"], /unknown flag: --json/],
  ];
  for (const [trap, argv, message] of rejected) {
    test(`${trap}: exit 2, nothing on standard output`, async () => {
      const result = await run(argv);
      expect({ ...result, stderr: "" }).toEqual({
        code: 2,
        stdout: argv.includes("--json") ? expect.any(String) : "",
        stderr: "",
      });
      expect(result.stderr.split("\n")[0]).toMatch(message);
      expect(result.stderr).toStartWith("Error: ");
    });
  }

  test("a parent alone prints its help to standard output, exit 0, and runs nothing", async () => {
    for (const argv of [[], ["nest"], ["nest", "--help"], ["--help"], ["help"], ["help", "nest"]]) {
      const result = await run(argv);
      expect(result).toMatchObject({ code: 0, stderr: "" });
      expect(result.stdout).toContain("Usage");
    }
  });

  test("--help behind -- is a positional", async () => {
    expect(await run(["words", "--", "--help", "-x"])).toMatchObject({ code: 3, stdout: "--help|-x\n" });
  });

  test("an error that is none of ours prints one clean line, no stack, exit 1", async () => {
    expect(await run(["broken"])).toEqual({ code: 1, stdout: "", stderr: "Error: a bug [31m\n" });
  });
});

describe("arguments", () => {
  test("given tells flags on the command line from defaults", async () => {
    expect(await parsed("--limit", "50", "-q")).toEqual({
      args: { quiet: true, daemon: true, limit: "50" },
      given: ["limit", "quiet"],
      flags: { verbose: false, json: false },
    });
    expect((await parsed()).given).toEqual([]);
  });

  test("an optional value stands behind = only; a following positional is never swallowed", async () => {
    expect((await parsed("--branch")).args.branch).toBe("HEAD");
    expect((await parsed("--branch=feature/a=b")).args.branch).toBe("feature/a=b");
    const clash = await run(["install", "--branch", "feature"]);
    expect(clash.code).toBe(2);
    expect(clash.stderr).toStartWith(
      "Error: --branch and <target> cannot be used together. Write --branch=<name>.\n",
    );
  });

  test("both spellings of a value work, an explicit empty one too, and negative numbers are values", async () => {
    expect((await parsed("--agent=x", "--limit", "-5")).args).toMatchObject({ agent: "x", limit: "-5" });
    expect((await parsed("--agent", "")).args.agent).toBe("");
    expect((await parsed("--agent=")).args.agent).toBe("");
  });

  test("short flags combine and take glued values", async () => {
    expect((await parsed("-qmhello")).args).toMatchObject({ quiet: true, message: "hello" });
    expect((await parsed("-m=x y")).args.message).toBe("x y");
    expect((await parsed("-vm", "z")).flags.verbose).toBe(true);
  });

  test("a negative switch is declared positively", async () => {
    expect((await parsed("--no-daemon")).args.daemon).toBe(false);
    expect((await parsed("--daemon=false")).args.daemon).toBe(false);
    expect((await run(["install", "--no-daemon", "--daemon"])).code).toBe(2);
  });

  test("values that look like object internals stay values", async () => {
    expect((await parsed("__proto__", "--agent", "constructor")).args).toMatchObject({
      target: "__proto__",
      agent: "constructor",
    });
  });

  test("exclusive and required flags are checked before anything runs", async () => {
    expect((await run(["install", "--agent=a", "-q"])).stderr).toContain(
      "--agent and --quiet cannot be used together",
    );
    expect((await run(["install", "--kind=a"])).stderr).toContain("--kind needs --agent");
  });

  test("global flags stand before or behind the command, once", async () => {
    for (const argv of [
      ["--json", "-v", "--server", "unix:///s", "install"],
      ["install", "--server=unix:///s", "--json", "--verbose"],
    ]) {
      const result = await run(argv);
      expect(JSON.parse(result.stdout).flags).toEqual({ server: "unix:///s", verbose: true, json: true });
    }
    expect((await run(["--json", "install", "--json"])).code).toBe(2);
    expect((await run(["--server"])).stderr).toStartWith("Error: --server needs a value");
    expect((await run(["--serve", "x", "install"])).stderr).toContain("Did you mean --server?");
  });
});

describe("outcome", () => {
  test("usage is shown for a wrong invocation only, on standard error", async () => {
    expect((await run(["install", "a", "b"])).stderr).toBe(
      "Error: unexpected argument: b\nUsage: roborev install [<target>] [flags]\nHelp:  roborev install --help\n",
    );
    expect((await run(["broken", "known"])).stderr).toBe("Error: it broke. Mend it.\n");
  });

  test("with --json an error is also a document on standard output, with the same exit status", async () => {
    const failed = await run(["broken", "known", "--json"]);
    expect(failed).toMatchObject({ code: 1, stderr: "Error: it broke. Mend it.\n" });
    expect(JSON.parse(failed.stdout)).toEqual({
      error: { code: "E_BROKE", message: "it broke", hint: "Mend it." },
    });
    const wrong = await run(["--json", "instal"]);
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.stdout).error).toMatchObject({
      code: "E_USAGE",
      hint: "Did you mean roborev install?",
    });
  });

  test("a silent command exits 0 and says nothing, whatever happens", async () => {
    for (const argv of [["silent"], ["silent", "--nope"], ["silent", "a", "b"]]) {
      expect(await run(argv)).toEqual({ code: 0, stdout: "", stderr: "" });
    }
  });

  test("a command that tidies up decides itself how an interrupt ends", async () => {
    expect(await run(["tidy"], { signal: AbortSignal.abort() })).toMatchObject({ code: 4 });
  });

  test("an interrupted command exits 130 without an error line", async () => {
    expect(await run(["broken"], { signal: AbortSignal.abort() })).toEqual({
      code: 130,
      stdout: "",
      stderr: "",
    });
  });

  test("a removed word names its replacement, an alias works, a near name is offered", async () => {
    expect((await run(["nest", "old"])).stderr).toStartWith(
      "Error: unknown command: roborev nest old. Use roborev words.",
    );
    expect((await run(["setup", "x"])).code).toBe(0);
    expect((await run(["wrods", "x"])).stderr).toContain("Did you mean roborev words?");
  });

  test("control characters of a mistyped word do not reach the terminal", async () => {
    expect((await run(["\x1b[2Jx"])).stderr).not.toContain("\x1b");
    expect((await run(["install", "--\x1b[2J"])).stderr).not.toContain("\x1b");
  });
});
