import { aliasesOf, globalArgs } from "../arguments.ts";
import type { Command } from "../command.ts";
import type { Group, Node } from "../node.ts";
import { type Source, sourceOf } from "./sources.ts";

/** A word with what it stands for. */
export interface Word {
  name: string;
  about: string;
}

export interface Flag extends Word {
  /** Takes a value. */
  source?: Source;
  /** The value may be left out, and else stands behind an equals sign. */
  bare: boolean;
}

/** What may follow one command. */
export interface Place {
  /** Words of the command, without the program's name: `agent-hook install`; empty for the program itself. */
  path: string;
  /** Commands below it. */
  words: Word[];
  /** Other words that lead to one of them. */
  aliases: [alias: string, name: string][];
  flags: Flag[];
  /** Sources of the arguments, in their order. */
  slots: Source[];
  /** Of all further arguments. */
  rest?: Source;
}

/** Everything that can be typed, read off the tree of commands. */
export async function completionPlan(root: Group): Promise<Place[]> {
  const { reviewerNames } = await import("../../review/agents/registry.ts");
  const places: Place[] = [];
  const visit = async (group: Group, path: string): Promise<void> => {
    places.push(placeOfGroup(group, path));
    for (const [name, node] of visible(group)) {
      const below = path === "" ? name : `${path} ${name}`;
      if (node.kind === "group") await visit(node, below);
      else places.push(placeOfCommand(await node.load(), below, reviewerNames()));
    }
  };
  await visit(root, "");
  return [...places, ...helpPlaces(places, root)];
}

const visible = (group: Group): [string, Node][] =>
  [...group.commands].filter(([, node]) => !("hidden" in node));

function placeOfGroup(group: Group, path: string): Place {
  const words = visible(group).map(([name, { summary }]) => ({ name, about: summary }));
  const isVisible = (name: string) => words.some((word) => word.name === name);
  const { json: _, ...flags } = globalArgs;
  const version: Flag = { name: "--version", about: "Print the version", bare: false };
  return {
    path,
    words: path === "" ? [...words, { name: "help", about: "Help on a command or a topic" }] : words,
    aliases: [...group.aliases].filter(([, name]) => isVisible(name)),
    flags: [...flagsOf(path, flags, []), ...(path === "" ? [version] : [])],
    slots: [],
  };
}

function placeOfCommand(command: Command, path: string, reviewers: readonly string[]): Place {
  const { json: _, ...withoutJson } = globalArgs;
  const args = { ...command.args, ...(command.json === false ? withoutJson : globalArgs) };
  const shown = Object.fromEntries(
    Object.entries(args).filter(([name]) => !command.hiddenFlags?.includes(name)),
  );
  const positionals = Object.entries(command.args).filter(([, def]) => def.type === "positional");
  const source = (name: string, def: Command["args"][string]) =>
    sourceOf(path, name, def, reviewers) ?? { from: "nowhere" as const };
  return {
    path,
    words: [],
    aliases: [],
    flags: flagsOf(path, shown, reviewers, command.optionalValue),
    slots: positionals.map(([name, def]) => source(name, def)),
    ...(command.rest === undefined ? {} : { rest: source(command.rest.name, { type: "positional" }) }),
  };
}

function flagsOf(
  path: string,
  args: Command["args"],
  reviewers: readonly string[],
  optional: Command["optionalValue"] = {},
): Flag[] {
  return Object.entries(args)
    .filter(([, def]) => def.type !== "positional")
    .flatMap(([name, def]): Flag[] => {
      const negative = "negativeDescription" in def ? def.negativeDescription : undefined;
      const about = negative ?? def.description ?? "";
      if (def.type === "boolean") return [{ name: `--${negative ? "no-" : ""}${name}`, about, bare: false }];
      const source = sourceOf(path, name, def, reviewers) ?? { from: "nowhere" as const };
      const long = { name: `--${name}`, about, source, bare: optional[name] !== undefined };
      // Short flags are known, so that their value is, but not offered.
      const shorts = aliasesOf(def).map((alias) => ({ ...long, name: `-${alias}`, about: "" }));
      return [long, ...shorts];
    });
}

/** `roborev help …` takes the commands, and the topics. */
function helpPlaces(places: readonly Place[], root: Group): Place[] {
  const groups = places.filter(({ words }) => words.length > 0);
  const topics = [...root.topics].map(([name, { summary }]) => ({ name, about: summary }));
  return groups.map(({ path, words, aliases }) => ({
    path: path === "" ? "help" : `help ${path}`,
    words: path === "" ? [...words.filter(({ name }) => name !== "help"), ...topics] : words,
    aliases,
    flags: [],
    slots: [],
  }));
}
