import { expect, test } from "bun:test";
import { completionPlan } from "../../../src/cli/completion/plan.ts";
import { sourceOf } from "../../../src/cli/completion/sources.ts";
import { everyCommand, root } from "../../../src/cli/tree.ts";

const places = await completionPlan(root);
const at = (path: string) => places.find((place) => place.path === path);
const names = (words: readonly { name: string }[] = []) => words.map(({ name }) => name);

test("every command, flag and argument of the tree that help shows can be completed", async () => {
  for (const { path, leaf } of everyCommand(root).filter((command) => command.leaf.hidden === undefined)) {
    const command = await leaf.load();
    const place = at(path.replace(/^roborev /, ""));
    const flags = Object.entries(command.args).filter(
      ([name, def]) => def.type !== "positional" && !command.hiddenFlags?.includes(name),
    );
    expect(names(place?.flags)).toEqual(
      expect.arrayContaining(
        flags.map(([name, def]) => `--${"negativeDescription" in def ? "no-" : ""}${name}`),
      ),
    );
    expect(place?.slots).toHaveLength(
      Object.keys(command.args).length -
        Object.entries(command.args).filter(([, def]) => def.type !== "positional").length,
    );
  }
});

test("somebody has said of every flag and argument where its values come from", async () => {
  const unsaid: string[] = [];
  for (const { path, leaf } of everyCommand(root)) {
    const { args, rest } = await leaf.load();
    const all = { ...args, ...(rest === undefined ? {} : { [rest.name]: { type: "positional" } as const }) };
    for (const [name, def] of Object.entries(all)) {
      if (def.type === "boolean") continue;
      if (sourceOf(path.replace(/^roborev /, ""), name, def, ["codex"]) === undefined)
        unsaid.push(`${path} ${name}`);
    }
  }
  expect(unsaid).toEqual([]);
});

test("hidden commands and flags are not offered", () => {
  expect(names(at("")?.words)).not.toContain("post-commit");
  expect(at("post-commit")).toBeUndefined();
  expect(names(at("fix")?.flags)).not.toContain("--unaddressed");
  expect(names(at("version")?.flags)).toContain("--json");
  expect(names(at("tui")?.flags)).not.toContain("--json");
});

test("agents are reviewers for reviews, and coding agents for hooks and skills", () => {
  const agents = (path: string) => at(path)?.flags.find(({ name }) => name === "--agent")?.source;
  expect(agents("review")).toMatchObject({ from: "words", words: expect.arrayContaining(["claude-code"]) });
  expect(agents("agent-hook install")).toMatchObject({ words: expect.arrayContaining(["claude", "all"]) });
});

test("help is followed by commands and topics, and by the commands of a group", () => {
  expect(names(at("help")?.words)).toEqual(expect.arrayContaining(["review", "agent-hook", "exit-codes"]));
  expect(names(at("help agent-hook")?.words)).toContain("install");
});
