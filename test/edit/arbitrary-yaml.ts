import fc from "fast-check";
import type { JsonValue } from "../../src/edit/tree.ts";
import { bigNumber, generator } from "./arbitrary-json.ts";

/** A way of writing YAML down; `noise` sprinkles comments, blank lines and all styles of scalars. */
export interface YamlLayout {
  unit: number;
  dashes: 0 | 2;
  noise: boolean;
  eol: string;
  byteOrderMark: boolean;
  finalBreak: boolean;
  marks: boolean;
  seed: number;
}

export const yamlLayouts: fc.Arbitrary<YamlLayout> = fc.record({
  unit: fc.constantFrom(2, 3, 4),
  dashes: fc.constantFrom(0, 2),
  noise: fc.boolean(),
  eol: fc.constantFrom("\n", "\r\n"),
  byteOrderMark: fc.boolean(),
  finalBreak: fc.boolean(),
  marks: fc.boolean(),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
});

const plain = /^[A-Za-z][A-Za-z0-9 ._/-]*[A-Za-z0-9]$/;
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** Writes `value`, an object, down as `layout` says, always in the same way. */
export function writeYaml(value: { [key: string]: JsonValue }, layout: YamlLayout): string {
  const random = generator(layout.seed);
  const chance = (probability: number) => layout.noise && random() < probability;
  const lines: string[] = [];
  let anchors = 0;
  const comment = () => (chance(0.2) ? `${" ".repeat(1 + Math.floor(random() * 3))}# c: [x` : "");
  const between = (column: number) => {
    if (chance(0.15)) lines.push("");
    if (chance(0.15)) lines.push(`${" ".repeat(chance(0.5) ? column : 0)}# - "note`);
  };
  const text = (word: string): string => {
    if (word.startsWith(bigNumber)) return word.slice(bigNumber.length);
    if (plain.test(word) && !words.test(word) && !chance(0.3)) return word;
    return chance(0.5) && /^[\x20-\x7e]*$/.test(word)
      ? `'${word.replaceAll("'", "''")}'`
      : JSON.stringify(word);
  };
  const flow = (node: JsonValue): string => {
    const pad = chance(0.5) ? " " : "";
    if (Array.isArray(node))
      return `[${pad}${node.map(flow).join(chance(0.5) ? ", " : " , ")}${node.length > 0 && chance(0.2) ? ", " : pad}]`;
    if (typeof node !== "object" || node === null)
      return typeof node === "string" ? text(node) : JSON.stringify(node);
    return `{${pad}${Object.entries(node)
      .map(([key, child]) => `${text(key)}: ${flow(child)}`)
      .join(", ")}${pad}}`;
  };
  const isEmpty = (node: JsonValue) =>
    typeof node !== "object" || node === null || Object.keys(node).length === 0;
  const anchor = () => (chance(0.1) ? `&a${anchors++} ` : "");
  /** Lines of a value; the first goes behind `head`, which ends at `column` when `compact`. */
  const block = (node: JsonValue, column: number, head: string, isItem: boolean): void => {
    if (typeof node === "string" && /^[a-z]+$/.test(node) && chance(0.3) && !isItem) {
      lines.push(
        `${head}${layout.finalBreak && chance(0.5) ? "|" : ">-"}`,
        `${" ".repeat(column + 2)}${node}`,
        `${" ".repeat(column + 2)}# text`,
      );
      return;
    }
    if (isEmpty(node) || chance(0.15)) {
      lines.push(`${head}${anchor()}${flow(node)}${comment()}`);
      return;
    }
    const properties = isItem ? "" : anchor();
    if (!isItem) lines.push(`${head.trimEnd()}${properties && ` ${properties.trim()}`}${comment()}`);
    let lead = isItem ? head : "";
    const push = (start: string, child: JsonValue, inner: number, childIsItem: boolean) => {
      if (lead === "") between(column);
      block(child, inner, `${lead === "" ? " ".repeat(column) : lead}${start}`, childIsItem);
      lead = "";
    };
    if (Array.isArray(node)) for (const item of node) push("- ", item, column + 2, true);
    else {
      for (const [key, child] of Object.entries(node ?? {})) {
        const inner = column + (Array.isArray(child) ? layout.dashes : layout.unit);
        push(`${text(key)}: `, child, inner, false);
      }
    }
  };
  if (layout.marks) lines.push("---");
  for (const [key, child] of Object.entries(value)) {
    between(0);
    block(child, Array.isArray(child) ? layout.dashes : layout.unit, `${text(key)}: `, false);
  }
  if (chance(0.3)) lines.push("", "# the end");
  if (layout.marks && layout.finalBreak && chance(0.5)) lines.push("...");
  const body = lines.join(layout.eol) + (layout.finalBreak ? layout.eol : "");
  return (layout.byteOrderMark ? "\ufeff" : "") + body;
}
