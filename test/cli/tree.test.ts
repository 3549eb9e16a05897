import { describe, expect, test } from "bun:test";
import { parseArguments } from "../../src/cli/arguments.ts";
import { commandHelp, groupHelp } from "../../src/cli/help.ts";
import type { Group } from "../../src/cli/node.ts";
import { everyCommand, root } from "../../src/cli/tree.ts";
import { runCli } from "./run-cli.ts";

const commands = everyCommand(root).map(({ path, leaf }) => [path, leaf] as const);

describe("every command", () => {
  for (const [path, leaf] of commands) {
    test(`${path} --help is at most 80 columns wide, has an example, and goes to standard output`, async () => {
      const result = await runCli([...path.split(" ").slice(1), "--help"]);
      expect(result).toMatchObject({ code: 0, stderr: "" });
      for (const line of result.stdout.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
      expect(result.stdout).toContain("Usage\n");
      expect(result.stdout).toContain("Examples\n  roborev ");
    });

    test(`${path} takes the arguments of its own examples`, async () => {
      const command = await leaf.load();
      for (const example of command.examples) {
        const words = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
          (match) => match[1] ?? match[2] ?? match[3] ?? "",
        );
        const redirected = words.indexOf("<");
        const argv = words.slice(path.split(" ").length, redirected < 0 ? undefined : redirected);
        expect(() => parseArguments(command, argv)).not.toThrow();
      }
    });

    test(`${path} names only flags that it declares`, async () => {
      const command = await leaf.load();
      const names = new Set([...Object.keys(command.args), ...(command.rest ? [command.rest.name] : [])]);
      const mentioned = [
        ...(command.hiddenFlags ?? []),
        ...Object.keys(command.optionalValue ?? {}),
        ...(command.exclusive ?? []).flatMap((pair) => pair.names),
        ...(command.requires ?? []).flatMap((pair) => pair.names),
      ];
      expect(mentioned.filter((name) => !names.has(name))).toEqual([]);
      expect(Object.keys(command.removedFlags ?? {}).filter((name) => names.has(name))).toEqual([]);
      expect(commandHelp(path, command)).toContain(command.meta.description.slice(0, 20));
    });
  }
});

test("every visible command stands in exactly one section of the help, no hidden one does", () => {
  const check = (group: Group) => {
    const listed = group.sections.flatMap(([, names]) => names);
    const visible = [...group.commands].filter(([, node]) => !("hidden" in node)).map(([name]) => name);
    expect(listed.toSorted()).toEqual(visible.toSorted());
    for (const node of group.commands.values()) if (node.kind === "group") check(node);
  };
  check(root);
});

test("the help of the program names every group of commands in 80 columns", () => {
  const text = groupHelp("roborev", root);
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  expect(text).toMatchSnapshot();
});

test("every alias leads to a command", () => {
  for (const name of root.aliases.values()) expect(root.commands.has(name)).toBe(true);
});

test("D35 115 removed words fail as unknown and name what replaces them", async () => {
  for (const [argv, hint] of [
    [["agent-hook", "daemon", "stop"], "use roborev daemon"],
    [["agent-hook", "install", "--codex-config", "/x"], "Use --agent codex --config <path>."],
    [["agent-hook", "install", "--claude-config=/x"], "Use --agent claude --config <path>."],
    [["agent-hook", "install", "--scope", "user"], "Leave it out"],
  ] as const) {
    const result = await runCli([...argv]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain("unknown");
    expect(result.stderr).toContain(hint);
  }
});

test("version needs neither daemon nor repository, as text, as JSON and as a flag", async () => {
  const options = { cwd: "/", env: { ROBOREV_DATA_DIR: "relative" } };
  expect(await runCli(["version"], options)).toEqual({ code: 0, stdout: "roborev vdev\n", stderr: "" });
  expect(await runCli(["--version"], options)).toEqual({ code: 0, stdout: "roborev vdev\n", stderr: "" });
  expect(JSON.parse((await runCli(["version", "--json"], options)).stdout)).toEqual({
    name: "roborev",
    version: "vdev",
  });
});

test("agent-hook run never ends with 2, not even for a wrong invocation that reaches the command line", async () => {
  for (const argv of [
    ["--json", "agent-hook", "run"],
    ["--nope", "agent-hook", "run"],
    ["agent-hook", "run", "--nope"],
    ["agent-hook", "run"],
  ]) {
    expect((await runCli(argv)).code).toBe(1);
  }
});
