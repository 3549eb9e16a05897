import { outsideIsUnchanged, type Splice } from "./splice.ts";
import type { TomlEdit, TomlValue } from "./toml.ts";
import type { TomlPath } from "./toml-place.ts";
import type { TomlText } from "./toml-text.ts";
import { unproved } from "./tree.ts";

/**
 * Checks an edit against an independent one on the meaning of the document: the new text means what the edit says,
 * and nothing outside the spliced spans moved. Otherwise the edit is refused.
 */
export function proveToml(
  before: TomlText,
  after: TomlText,
  edit: TomlEdit,
  splices: readonly Splice[],
): void {
  const actual = textOf(meaningOf(after.meaning));
  const proved =
    outsideIsUnchanged(before.text, after.text, splices) &&
    before.hasByteOrderMark === after.hasByteOrderMark &&
    expectations(before, edit).some((expected) => textOf(expected) === actual);
  if (!proved) throw unproved(before.path);
}

/** Tables are maps, everything else is told apart by its text: `1`, `1.0` and `"1"` differ. */
type Meaning = Map<string, Meaning> | Meaning[] | string;

/** A table that only the removed key had made is gone with it; one with a header stays, empty. */
function expectations({ meaning }: TomlText, edit: TomlEdit): Meaning[] {
  const changed = (dropsEmpty: boolean) => {
    const root = meaningOf(meaning);
    if (edit.kind === "set") set(root, edit.path, edit.value);
    else unset(root, edit.path, dropsEmpty);
    return root;
  };
  return edit.kind === "set" ? [changed(false)] : [changed(false), changed(true)];
}

function meaningOf(value: unknown): Meaning {
  if (Array.isArray(value)) return value.map(meaningOf);
  if (value instanceof Date) return `date ${value.toISOString()}`;
  if (typeof value === "object" && value !== null)
    return new Map(Object.entries(value).map(([key, child]) => [key, meaningOf(child)]));
  if (typeof value === "number") return `float ${Object.is(value, -0) ? "-0" : value}`;
  return `${typeof value} ${value}`;
}

function textOf(meaning: Meaning): string {
  if (typeof meaning === "string") return JSON.stringify(meaning);
  if (Array.isArray(meaning)) return `[${meaning.map(textOf).join()}]`;
  const members = [...meaning].map(([key, child]) => `${JSON.stringify(key)}:${textOf(child)}`);
  return `{${members.sort().join()}}`;
}

function set(node: Meaning, path: TomlPath, value: TomlValue): void {
  const [key, ...rest] = path;
  if (!(node instanceof Map) || key === undefined) return; // what does not fit is found unequal
  if (rest.length === 0) {
    node.set(key, meaningOf(typeof value === "number" ? BigInt(value) : value));
    return;
  }
  const child = node.get(key) ?? new Map<string, Meaning>();
  node.set(key, child);
  set(child, rest, value);
}

function unset(node: Meaning, path: TomlPath, dropsEmpty: boolean): void {
  const [key, ...rest] = path;
  if (!(node instanceof Map) || key === undefined) return;
  const child = node.get(key);
  if (rest.length === 0) node.delete(key);
  else if (child !== undefined) {
    unset(child, rest, dropsEmpty);
    if (dropsEmpty && child instanceof Map && child.size === 0) node.delete(key);
  }
}
