import type { ArgDef } from "citty";
import { aliasesOf, globalArgs } from "./arguments.ts";
import type { Command } from "./command.ts";
import type { Group } from "./node.ts";

const width = 80;

/** Words of `text` in lines of at most `columns`. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** Two columns, the second one wrapped. */
export function entries(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.min(26, Math.max(0, ...rows.map(([name]) => name.length)));
  return rows.flatMap(([name, description]) => {
    const text = wrapText(description, width - left - 4);
    const first =
      name.length > left ? [`  ${name}`] : [`  ${name.padEnd(left)}  ${text.shift() ?? ""}`.trimEnd()];
    return [...first, ...text.map((line) => `${" ".repeat(left + 4)}${line}`)];
  });
}

/** A heading and its lines; nothing without lines. */
export const section = (title: string, lines: string[]): string[] =>
  lines.length ? ["", title, ...lines] : [];

function positionalLabels(command: Command): string[] {
  const labels = Object.entries(command.args)
    .filter(([, def]) => def.type === "positional")
    .map(([name, def]) => (def.required === false ? `[<${name}>]` : `<${name}>`));
  if (command.rest)
    labels.push(command.rest.required ? `<${command.rest.name}>…` : `[<${command.rest.name}>…]`);
  return labels;
}

/** `roborev review [<commit>] [flags]`. */
export function usageLine(path: string, command: Command): string {
  const hasFlags = Object.values(command.args).some((def) => def.type !== "positional");
  return [path, ...positionalLabels(command), ...(hasFlags ? ["[flags]"] : [])].join(" ");
}

function flagLabel(name: string, def: ArgDef, bare: boolean): string {
  const short = aliasesOf(def).find((alias) => alias.length === 1);
  const negative = "negativeDescription" in def && def.negativeDescription;
  const hint =
    ("options" in def && def.options?.join("|")) || ("valueHint" in def && def.valueHint) || "value";
  const value = def.type === "boolean" ? "" : bare ? `[=<${hint}>]` : ` <${hint}>`;
  return `${short ? `-${short}, ` : ""}--${negative ? "no-" : ""}${name}${value}`;
}

function flagRows(args: Record<string, ArgDef>, command: Command): [string, string][] {
  return Object.entries(args)
    .filter(([name, def]) => def.type !== "positional" && !command.hiddenFlags?.includes(name))
    .map(([name, def]) => {
      const text = ("negativeDescription" in def && def.negativeDescription) || def.description || "";
      const standard = typeof def.default === "string" ? ` (default ${def.default || "none"})` : "";
      return [flagLabel(name, def, command.optionalValue?.[name] !== undefined), `${text}${standard}`];
    });
}

/** Help of one command, at most 80 columns wide. */
export function commandHelp(path: string, command: Command): string {
  const { json: _, ...withoutJson } = globalArgs;
  const positionals = Object.entries(command.args)
    .filter(([, def]) => def.type === "positional")
    .map(([name, def]): [string, string] => [`<${name}>`, def.description ?? ""]);
  if (command.rest) positionals.push([`<${command.rest.name}>…`, command.rest.description]);
  return [
    ...wrapText(command.meta.description, width),
    ...section("Usage", [`  ${usageLine(path, command)}`]),
    ...section("Arguments", entries(positionals)),
    ...section("Flags", entries(flagRows(command.args, command))),
    ...section("Global flags", entries(flagRows(command.json === false ? withoutJson : globalArgs, command))),
    ...section("Details", paragraphs(command.details)),
    ...section(
      "Examples",
      command.examples.map((example) => `  ${example}`),
    ),
    ...section("Exit codes", entries(Object.entries(command.exitCodes ?? {}))),
  ].join("\n");
}

/** Blocks of text between blank lines, each one wrapped. */
export function paragraphs(details?: string): string[] {
  const blocks = (details ?? "").split(/\n\s*\n/).filter((block) => block.trim() !== "");
  return blocks.flatMap((block, index) => [
    ...(index > 0 ? [""] : []),
    ...wrapText(block, width - 2).map((line) => `  ${line}`),
  ]);
}

/** Topics of the group, and of the groups right below that have more to say than their help. */
const topicRows = (group: Group): [string, string][] =>
  group.topics.size === 0
    ? []
    : [
        ...[...group.commands].flatMap(([name, node]): [string, string][] =>
          node.kind === "group" && node.topic ? [[name, node.topic.summary]] : [],
        ),
        ...[...group.topics].map(([name, { summary }]): [string, string] => [name, summary]),
      ];

/** Help of a word that only holds commands. */
export function groupHelp(path: string, group: Group): string {
  const rows = (names: string[]) =>
    entries(names.map((name): [string, string] => [name, group.commands.get(name)?.summary ?? ""]));
  return [
    ...wrapText(group.summary, width),
    ...section("Usage", [`  ${path} <command> [flags]`]),
    ...group.sections.flatMap(([heading, names]) => section(heading, rows(names))),
    ...section(
      "Examples",
      group.examples.map((example) => `  ${example}`),
    ),
    ...section("Topics", entries(topicRows(group))),
    "",
    `Help on a command: ${path} <command> --help`,
    ...(group.topics.size > 0 ? [`Help on a topic:   ${path} help <topic>`] : []),
    ...(group.topic ? [`${group.topic.summary}: ${path.replace(/^roborev/, "roborev help")}`] : []),
  ].join("\n");
}
