import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { RoborevError } from "../lib/errors.ts";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonNode = Node;
export type JsonPath = readonly (string | number)[];

/** JSON, with or without comments and trailing commas, as text and as a tree of spans. */
export interface JsonText {
  /** For messages. */
  path: string;
  /** Without the byte order mark. */
  text: string;
  hasByteOrderMark: boolean;
  /** Undefined when the file holds nothing but white space and comments. */
  root: Node | undefined;
}

const maxDepth = 200;

/** Reads a file's bytes; whatever is not unambiguously JSON with comments is refused with its position. */
export function parseJsonText(path: string, bytes: Uint8Array): JsonText {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let decoded: string;
  try {
    decoded = decoder.decode(bytes);
  } catch (cause) {
    throw new RoborevError(`${path} is not UTF-8 text`, { code: "E_SYNTAX", hint: repair, cause });
  }
  const hasByteOrderMark = decoded.startsWith("\ufeff");
  return parseText(path, hasByteOrderMark ? decoded.slice(1) : decoded, hasByteOrderMark);
}

export function parseText(path: string, text: string, hasByteOrderMark: boolean): JsonText {
  const tooDeep = depthBeyond(text, maxDepth);
  if (tooDeep !== undefined) throw jsonError(path, text, tooDeep, `nested deeper than ${maxDepth} levels`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const first = errors[0];
  if (first) throw jsonError(path, text, first.offset, describe(printParseErrorCode(first.error)));
  return { path, text, hasByteOrderMark, root };
}

export function encodeJsonText(document: JsonText): Uint8Array {
  return new TextEncoder().encode((document.hasByteOrderMark ? "\ufeff" : "") + document.text);
}

const repair = "Repair the file by hand, then try again; nothing was changed.";

/** A refusal that names the file, the line and the column. */
export function jsonError(path: string, text: string, offset: number, reason: string): RoborevError {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  const position = `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
  return new RoborevError(`${path}:${position}: ${reason}`, { code: "E_SYNTAX", hint: repair });
}

/** `CommaExpected` → `comma expected`. */
const describe = (code: string) => code.replace(/(?<=.)[A-Z]/g, " $&").toLowerCase();

/** Offset of the first bracket beyond `limit` levels. The parser recurses, so depth is checked before it runs. */
function depthBeyond(text: string, limit: number): number | undefined {
  const token = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|[[{}\]]/g;
  let depth = 0;
  for (const match of text.matchAll(token)) {
    if (match[0] === "{" || match[0] === "[") depth++;
    else if (match[0] === "}" || match[0] === "]") depth--;
    if (depth > limit) return match.index;
  }
  return undefined;
}

/** The value node at `path`, if there is one. */
export function nodeAt(root: Node | undefined, path: JsonPath): Node | undefined {
  let node = root;
  for (const step of path) {
    node = typeof step === "number" ? elementsOf(node)[step] : memberOf(node, step)?.value;
    if (!node) return undefined;
  }
  return node;
}

export interface Member {
  key: string;
  property: Node;
  value: Node;
}

export function membersOf(node: Node | undefined): Member[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key && value ? [{ key: String(key.value), property, value }] : [];
  });
}

export function memberOf(node: Node | undefined, key: string): Member | undefined {
  return membersOf(node).find((member) => member.key === key);
}

export const elementsOf = (node: Node | undefined): Node[] =>
  node?.type === "array" ? (node.children ?? []) : [];

export const endOf = (node: Node): number => node.offset + node.length;

/** The JavaScript value of a node: members in order, numbers rounded to what JavaScript can hold. */
export const nodeValue = (node: Node): unknown => getNodeValue(node);

/** The second of two members with the same key, if there is one. */
export function duplicateOf(node: Node): Member | undefined {
  const seen = new Set<string>();
  return membersOf(node).find(({ key }) => seen.size === seen.add(key).size);
}

/** Plain JSON, as every parser reads it: no byte order mark, comments or trailing commas. */
export function isPlainJson(document: JsonText): boolean {
  if (document.hasByteOrderMark) return false;
  try {
    JSON.parse(document.text);
    return true;
  } catch {
    return false; // the question was whether it parses
  }
}
