import { getNodeValue, type Node } from "jsonc-parser";
import { RoborevError } from "../lib/errors.ts";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type TreePath = readonly (string | number)[];

/** A span of a configuration file, whatever it is written in. */
export interface TextNode {
  type: Node["type"];
  value?: unknown;
  offset: number;
  length: number;
  parent?: TextNode;
  /** Of an object its properties, each with a key and a value; of an array its elements. */
  children?: TextNode[];
  /** YAML: nothing is written there, which stands for an empty container as well as for null. */
  implicit?: boolean;
  /** YAML: it stands elsewhere and is only referred to. */
  shared?: "an alias" | "a merge key";
}

/** One change of a document's meaning. */
export type TreeEdit =
  /** The document's only value, where there is none yet. */
  | { kind: "create"; value: JsonValue }
  /** A last member (with `key`) or a last element of the container at `at`. */
  | { kind: "append"; at: TreePath; key?: string; value: JsonValue }
  | { kind: "replace"; at: TreePath; value: JsonValue }
  /** The member or element at `at`, with its comma or line. */
  | { kind: "remove"; at: TreePath };

/** The value node at `path`, if there is one. */
export function nodeAt(root: TextNode | undefined, path: TreePath): TextNode | undefined {
  let node = root;
  for (const step of path) {
    node = typeof step === "number" ? elementsOf(node)[step] : memberOf(node, step)?.value;
    if (!node) return undefined;
  }
  return node;
}

export interface Member {
  key: string;
  property: TextNode;
  value: TextNode;
}

export function membersOf(node: TextNode | undefined): Member[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key && value ? [{ key: String(key.value), property, value }] : [];
  });
}

export function memberOf(node: TextNode | undefined, key: string): Member | undefined {
  return membersOf(node).find((member) => member.key === key);
}

export const elementsOf = (node: TextNode | undefined): TextNode[] =>
  node?.type === "array" ? (node.children ?? []) : [];

export const endOf = (node: TextNode): number => node.offset + node.length;

/** The JavaScript value of a node: members in order, numbers rounded to what JavaScript can hold. */
export const nodeValue = (node: TextNode): unknown => getNodeValue(node as Node);

/** The second of two members with the same key, if there is one. */
export function duplicateOf(node: TextNode): Member | undefined {
  const seen = new Set<string>();
  return membersOf(node).find(({ key }) => seen.size === seen.add(key).size);
}

/** UTF-8 bytes as text without its byte order mark. */
export function decodeText(path: string, bytes: Uint8Array): { text: string; hasByteOrderMark: boolean } {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let decoded: string;
  try {
    decoded = decoder.decode(bytes);
  } catch (cause) {
    throw new RoborevError(`${path} is not UTF-8 text`, { code: "E_SYNTAX", hint: repair, cause });
  }
  const hasByteOrderMark = decoded.startsWith("\ufeff");
  return { text: hasByteOrderMark ? decoded.slice(1) : decoded, hasByteOrderMark };
}

export function encodeText(document: { text: string; hasByteOrderMark: boolean }): Uint8Array {
  return new TextEncoder().encode((document.hasByteOrderMark ? "\ufeff" : "") + document.text);
}

const repair = "Repair the file by hand, then try again; nothing was changed.";

/** A refusal that names the file, the line and the column. */
export function syntaxError(path: string, text: string, offset: number, reason: string): RoborevError {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  const position = `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
  return new RoborevError(`${path}:${position}: ${reason}`, { code: "E_SYNTAX", hint: repair });
}

/** The refusal of a change of which the proof failed. */
export function unproved(path: string): RoborevError {
  return new RoborevError(`${path}: the planned change could not be proved safe`, {
    code: "E_UNPROVED",
    hint: "Nothing was changed; please report the layout of this file as a bug.",
  });
}
