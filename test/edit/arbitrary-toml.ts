import fc from "fast-check";
import { generator } from "./arbitrary-json.ts";

/** A value with the text that stands for it, or a table. */
export type TomlNode = { text: string; isCommented?: true } | { members: Record<string, TomlNode> };

/** A way of writing TOML down, always the same for the same seed. */
export interface TomlLayout {
  eol: string;
  byteOrderMark: boolean;
  finalBreak: boolean;
  indent: string;
  equals: string;
  noise: boolean;
  seed: number;
}

export const tomlLayouts: fc.Arbitrary<TomlLayout> = fc.record({
  eol: fc.constantFrom("\n", "\r\n"),
  byteOrderMark: fc.boolean(),
  finalBreak: fc.boolean(),
  indent: fc.constantFrom("", "", "  ", "\t"),
  equals: fc.constantFrom(" = ", "=", "  =   "),
  noise: fc.boolean(),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
});

/** Few names, so that documents and edits meet. */
export const tomlKeys = fc.constantFrom("a", "b", "c", "d-1", "x y", "ü", "__proto__", "constructor", "");

const scalars = fc.constantFrom(
  ...["0", "-17", "1_000", "0xff", "9223372036854775807", "1.0", "-0.0", "6e23", "inf", "true", "false"],
  ...['""', '"a # b"', '"ünï😀"', "'C:\\x'", '"\\u00e9\\n[t]"', "''", '"]"', '"a = 1"'],
  ...["1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00.5"],
  ...['"""\nline\n# no comment\na = 1\n"""', "'''\n[x]\n'''", '"""one \\\n  two"""', '""""quoted""""'],
  ...["[]", '["a", "b"]', "['x']", '[ "a", ]', "[1, [2, 'z']]", "[{a = 1}, {b = '}'}]"],
);
const lists = fc.constantFrom('[\n  "a",\n  "b",\n]', "[\n    'a',\n    'b' ]", '["a",\n "b"\n]');
const commentedLists = fc.constantFrom('[\n  "a", # x\n  "b", # y\n]', "[ # x\n  'a'\n  # y\n]");

const leaves: fc.Arbitrary<TomlNode> = fc.oneof(
  scalars.map((text) => ({ text })),
  lists.map((text) => ({ text })),
  commentedLists.map((text) => ({ text, isCommented: true as const })),
);

export const tomlDocuments: fc.Arbitrary<Record<string, TomlNode>> = fc.letrec<{
  members: Record<string, TomlNode>;
}>((tie) => ({
  members: fc
    .uniqueArray(
      fc.tuple(
        tomlKeys,
        fc.oneof(
          { maxDepth: 3 },
          leaves,
          tie("members").map((members) => ({ members })),
        ),
      ),
      { maxLength: 5, selector: ([key]) => key },
    )
    // Not Object.fromEntries alone: `__proto__` is a key like any other.
    .map((entries) => Object.assign(Object.create(null), Object.fromEntries(entries))),
})).members;

const keyText = (key: string, quoted: boolean) =>
  /^[A-Za-z0-9_-]+$/.test(key) && !quoted
    ? key
    : quoted && /^[ -&(-~]+$/.test(key)
      ? `'${key}'`
      : JSON.stringify(key);

export function writeToml(document: Record<string, TomlNode>, layout: TomlLayout): string {
  const random = generator(layout.seed);
  const chance = (probability: number) => random() < probability;
  const lines: string[] = [];
  let comments = 0;
  const noise = (probability: number) => layout.noise && chance(probability);
  const comment = () => (noise(0.3) ? `${chance(0.5) ? " " : ""}# c${comments++} [x] = "` : "");
  const between = () => {
    if (noise(0.3)) lines.push("");
    if (noise(0.3)) lines.push(`${layout.indent}# c${comments++} a = 1`);
  };
  const name = (key: string) => keyText(key, noise(0.2));
  const isInlineable = (node: TomlNode): boolean =>
    "members" in node ? Object.values(node.members).every(isInlineable) : !node.text.includes("\n");
  const inline = (node: TomlNode): string => {
    if (!("members" in node)) return node.text;
    const pad = chance(0.5) ? " " : "";
    const pairs = Object.entries(node.members).map(([key, child]) => `${name(key)} = ${inline(child)}`);
    return pairs.length === 0 ? "{}" : `{${pad}${pairs.join(chance(0.5) ? ", " : ",")}${pad}}`;
  };
  /** Members that stay in the body of their table, then the others under headers of their own. */
  const body = (members: Record<string, TomlNode>, path: string[], indent: string): void => {
    const tables: [string, Record<string, TomlNode>][] = [];
    for (const [key, node] of Object.entries(members)) {
      if ("members" in node && (!isInlineable(node) || chance(0.5))) {
        if (Object.keys(node.members).length > 0 && chance(0.3)) dotted([key], node.members, indent);
        else tables.push([key, node.members]);
      } else pair([key], inline(node), indent);
    }
    for (const [key, inner] of tables) {
      const here = [...path, key];
      between();
      const onlyTables =
        Object.values(inner).every((node) => "members" in node) && Object.keys(inner).length > 0;
      const start = lines.length;
      lines.push(`[${here.map(name).join(noise(0.2) ? " . " : ".")}]${comment()}`);
      body(inner, here, layout.indent);
      // A table that only holds tables needs no header, unless nothing else would make it.
      if (onlyTables && chance(0.5) && /^\s*\[/.test(lines[start + 1] ?? "")) lines.splice(start, 1);
    }
  };
  const pair = (path: string[], text: string, indent: string) => {
    between();
    const value = text.replaceAll("\n", layout.eol);
    lines.push(`${indent}${path.map(name).join(".")}${layout.equals}${value}${comment()}`);
  };
  /** Members as `key.member = …`: in one body, however deep. */
  const dotted = (path: string[], members: Record<string, TomlNode>, indent: string): void => {
    for (const [key, node] of Object.entries(members)) {
      if ("members" in node && Object.keys(node.members).length > 0)
        dotted([...path, key], node.members, indent);
      else pair([...path, key], inline(node), indent);
    }
  };
  body(document, [], "");
  between();
  const text = lines.join(layout.eol) + (layout.finalBreak && lines.length > 0 ? layout.eol : "");
  return (layout.byteOrderMark ? "\ufeff" : "") + text;
}
