import type { Command } from "../../../src/cli/command.ts";
import type { Group, Leaf } from "../../../src/cli/node.ts";
import { root } from "../../../src/cli/tree.ts";

/** The words of a command, without the program's. */
export type Words = string[];

/** Every command of the tree with what it declares. New ones are here by themselves. */
export async function everyCommand(): Promise<{ words: Words; command: Command }[]> {
  const leaves = (group: Group, words: Words): [Words, Leaf][] =>
    [...group.commands].flatMap(([name, node]): [Words, Leaf][] =>
      node.kind === "command" ? [[[...words, name], node]] : leaves(node, [...words, name]),
    );
  return Promise.all(leaves(root, []).map(async ([words, leaf]) => ({ words, command: await leaf.load() })));
}

/** Groups have examples as well. */
export function everyGroup(group: Group = root, words: Words = []): { words: Words; group: Group }[] {
  const below = [...group.commands].flatMap(([name, node]) =>
    node.kind === "group" ? everyGroup(node, [...words, name]) : [],
  );
  return [{ words, group }, ...below];
}
