import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseHooks } from "../../src/config/hooks-parse.ts";
import { hookEvents } from "../../src/config/hooks-schema.ts";
import { configRows } from "../../src/config/origins.ts";
import { checkConfig, parseGlobalConfig, parseRepoConfig, parseRepoHooks } from "../../src/config/parse.ts";
import type { RoborevError } from "../../src/lib/errors.ts";

const parse = (text: string) => parseGlobalConfig(text, "config.toml");

function problem(text: string): string {
  try {
    parse(text);
  } catch (error) {
    expect((error as RoborevError).code).toBe("E_CONFIG");
    return (error as RoborevError).message;
  }
  return "";
}

const command = `[[hooks]]\nevent = "review.failed"\ncommand = "notify {sha}"\n`;

describe("[[hooks]] of the user", () => {
  test("C12 take every review event and the wildcard, a command or a webhook, a time and branches", () => {
    for (const event of hookEvents) {
      expect(parse(`[[hooks]]\nevent = "${event}"\ncommand = "x"`).config.hooks).toEqual([
        { event, command: "x" },
      ]);
    }
    const full = `[[hooks]]
event = "review.*"
type = "webhook"
url = "https://example.com/x?y=1"
timeout = 30
branches = ["main", "release/*"]
`;
    const webhook = {
      event: "review.*",
      type: "webhook",
      url: "https://example.com/x?y=1",
      timeout: 30,
      branches: ["main", "release/*"],
    };
    const { config, warnings } = parse(`max_workers = 2\n${command}${full}`);
    expect(config).toEqual({
      max_workers: 2,
      hooks: [{ event: "review.failed", command: "notify {sha}" }, webhook as never],
    });
    expect(warnings).toEqual([]);
    expect(parse("max_workers = 2").config).toEqual({ max_workers: 2 });
  });

  test.each([
    ["hooks = 3", "config.toml:1:1: `hooks` must be tables, each below a line [[hooks]]"],
    ["[hooks]\nevent = 'review.*'", "config.toml:1:1: `hooks` must be tables, each below a line [[hooks]]"],
    [
      `${command}[[hooks]]\ncommand = "x"`,
      "config.toml:4:1: hook 2: `event` must be one of review.started, ",
    ],
    [`[[hooks]]\nevent = "job.enqueued"\ncommand = "x"`, "hook 1: `event` must be one of "],
    [`[[hooks]]\nevent = "review.faild"\ncommand = "x"`, "hook 1: `event` must be one of "],
    [`[[hooks]]\nevent = "review.*"`, "hook 1: `command` must be a text of at most 16 KiB"],
    [`[[hooks]]\nevent = "review.*"\ncommand = " "`, "hook 1: `command` must be a text"],
    [`[[hooks]]\nevent = "review.*"\ncommand = ["rm", "-rf"]`, "hook 1: `command` must be a text"],
    [`[[hooks]]\nevent = "review.*"\ncommand = "a\\u0000b"`, "hook 1: `command` must be a text"],
    [`[[hooks]]\nevent = "review.*"\ncommand = "${"x".repeat(20_000)}"`, "hook 1: `command` must be a text"],
    [`[[hooks]]\nevent = "review.*"\nurl = "https://a.b/s3cret"`, "hook 1: a webhook has type = "],
    [`[[hooks]]\nevent = "review.*"\ntype = "webhook"\ncommand = "x"`, "hook 1: a webhook has type = "],
    [
      `[[hooks]]\nevent = "review.*"\ntype = "webhook"\nurl = "file:///s3cret"`,
      "hook 1: a webhook has type = ",
    ],
    [`[[hooks]]\nevent = "review.*"\ntype = "webhook"\nurl = "s3cret"`, "hook 1: a webhook has type = "],
    [`[[hooks]]\nevent = "review.*"\ntype = "shell"\ncommand = "x"`, "hook 1: `type` must be "],
    [`${command}timeout = 0`, "hook 1: `timeout` must be a whole number of seconds from 1 to 3600"],
    [`${command}timeout = "1m"`, "hook 1: `timeout` must be a whole number"],
    [`${command}branches = "main"`, "hook 1: `branches` must be a list"],
    ["[[hooks]]\n".repeat(101), "`hooks` must be at most 100 tables"],
  ])("%j is refused with place and reason, and no value is repeated", (text, expected) => {
    expect(problem(text)).toContain(expected);
    expect(problem(text)).not.toContain("s3cret");
  });

  test("the place is that of a real table, not of one that stands in a text", () => {
    const text = `review_guidelines = """\n[[hooks]]\n"""\n${command}[[ "hooks" ]]\nevent = 1\n`;
    expect(problem(text)).toStartWith("config.toml:7:1: hook 2: ");
  });

  test("kinds of the Go program and unknown keys have no effect, are told, and hinder nothing", () => {
    const text = `[[hooks]]\nevent = "review.*"\ntype = "beads"\n${command}colour = "red"\n`;
    const { config, warnings } = parse(text);
    expect(config.hooks).toEqual([{ event: "review.failed", command: "notify {sha}" }]);
    expect(warnings).toEqual([
      'config.toml:1:1: hook 1: type "beads" is not supported, the hook is left out: use a command',
      'config.toml:4:1: hook 2: "colour" is not a known key',
    ]);
  });

  test("nothing that TOML can say makes them fail in another way", () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withBigInt: true, withNullPrototype: true }), (value) => {
        const { hooks, problems, ignored } = parseHooks(value);
        expect([hooks, problems, ignored].every(Array.isArray)).toBe(true);
      }),
    );
  });

  test("config list shows them without the secrets in addresses and commands", () => {
    const text = `[[hooks]]\nevent = "review.*"\ntype = "webhook"\nurl = "https://u:p@hooks.example.com:8443/s3cret?k=s3cret"
[[hooks]]\nevent = "review.failed"\ncommand = "curl --token s3cret https://x.example"\n`;
    const { rows } = configRows({ env: {}, global: { file: "config.toml", config: parse(text).config } });
    expect(rows.find(({ key }) => key === "hooks")?.value).toEqual([
      "review.*: POST https://hooks.example.com:8443/...",
      "review.failed: curl --token [redacted] https://x.example",
    ]);
  });
});

describe("config validate", () => {
  test("names every wrong hook of either file and takes the others", () => {
    const text = `max_workers = 0\n${command}[[hooks]]\nevent = 1\n[[hooks]]\nevent = "review.*"\ntype = "kata"\n`;
    const file = `${text}${command}colour = "red"\n`.replace("max_workers = 0", "max_prompt_size = 0");
    const user = checkConfig(text, "f", "global");
    expect(user.problems).toEqual([
      `f:5:1: hook 2: \`event\` must be one of ${hookEvents.join(", ")}`,
      "f:1:1: `max_workers` must be a whole number from 1 to 64, got 0",
    ]);
    expect(user.notes).toEqual([
      'f:7:1: hook 3: type "kata" is not supported, the hook is left out: use a command',
    ]);
    expect(user.config.hooks).toEqual([{ event: "review.failed", command: "notify {sha}" }]);
    const repo = checkConfig(file, "f", "repo");
    expect(repo.config).toEqual({});
    expect(repo.problems.map((line) => line.slice(0, 20))).toEqual([
      "f:5:1: hook 2: `even",
      "f:1:1: `max_prompt_s",
      'f:10:1: hook 4: "col',
    ]);
    expect(repo.notes).toEqual([
      expect.stringContaining("f:7:1: hook 3: "),
      "f:2:1: `hooks` of a repository run once you trust them, with roborev repo trust",
    ]);
  });

  test("any number of wrong hooks costs a bounded number of lines", () => {
    const text = `${"[[hooks]]\nx = 1\n".repeat(100)}`;
    const { problems } = checkConfig(text, "f", "global");
    expect(problems.length).toBe(42);
    expect(problems).toContain("f: further wrong values are not listed");
    expect(problems).toContain("f: further keys without effect are not listed");
  });

  test("says of allow_repo_hooks that each repository is trusted by itself", () => {
    const line =
      "f:1:1: `allow_repo_hooks` has no effect: hooks of a repository run once you trust them, with roborev repo trust";
    const text = "allow_repo_hooks = true";
    expect(checkConfig(text, "f", "global")).toEqual({ config: {}, problems: [], notes: [line] });
    expect(checkConfig(text, "f", "repo")).toEqual({ config: {}, problems: [line], notes: [] });
  });
});

describe("[[hooks]] of a repository", () => {
  test("are no part of its configuration, and nothing about them stops a review", () => {
    for (const text of [command, "hooks = 3", `[[hooks]]\nevent = 7\n`]) {
      expect(parseRepoConfig(text, ".roborev.toml")).toEqual({ config: {}, warnings: [] });
    }
  });

  test("are those that can be run, with a line for each that cannot", () => {
    expect(parseRepoHooks("agent = 'codex'", ".roborev.toml")).toBeUndefined();
    expect(parseRepoHooks("hooks = []", ".roborev.toml")).toBeUndefined();
    const found = parseRepoHooks(`${command}[[hooks]]\nevent = "x"\n`, ".roborev.toml");
    expect(found?.hooks).toEqual([{ event: "review.failed", command: "notify {sha}" }]);
    expect(found?.problems).toEqual([
      expect.stringContaining(".roborev.toml:4:1: hook 2: `event` must be one of"),
    ]);
    expect(() => parseRepoHooks("[[hooks", ".roborev.toml")).toThrow(".roborev.toml:1:");
  });

  test("C12 have a digest that changes with everything that is said about them, and with nothing else", () => {
    const digest = (text: string) => parseRepoHooks(text, "f")?.digest;
    const own = digest(command);
    expect(own).toMatch(/^[0-9a-f]{64}$/);
    for (const same of [
      `# a comment\n${command}`,
      `agent = "codex"\n${command}`,
      command.replaceAll(" = ", "="),
    ])
      expect(digest(same)).toBe(own as string);
    for (const other of [
      command.replace("{sha}", "{repo}"),
      command.replace("notify", "notify "),
      command.replace("failed", "*"),
      `${command}timeout = 3`,
      `${command}branches = ["main"]`,
      `${command}not_known_yet = 1`,
      command + command,
      `[[hooks]]\nevent = "no such event"\ncommand = "notify {sha}"\n`,
    ])
      expect(digest(other)).not.toBe(own as string);
  });
});
