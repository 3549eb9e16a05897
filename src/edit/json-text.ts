import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { decodeText, syntaxError, type TextNode } from "./tree.ts";

/** JSON, with or without comments and trailing commas, as text and as a tree of spans. */
export interface JsonText {
  language: "json";
  /** For messages. */
  path: string;
  /** Without the byte order mark. */
  text: string;
  hasByteOrderMark: boolean;
  /** Undefined when the file holds nothing but white space and comments. */
  root: TextNode | undefined;
}

const maxDepth = 200;

/** Reads a file's bytes; whatever is not unambiguously JSON with comments is refused with its position. */
export function parseJsonText(path: string, bytes: Uint8Array): JsonText {
  const { text, hasByteOrderMark } = decodeText(path, bytes);
  return parseJson(path, text, hasByteOrderMark);
}

export function parseJson(path: string, text: string, hasByteOrderMark: boolean): JsonText {
  const tooDeep = depthBeyond(text, maxDepth);
  if (tooDeep !== undefined) throw syntaxError(path, text, tooDeep, `nested deeper than ${maxDepth} levels`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const first = errors[0];
  if (first) throw syntaxError(path, text, first.offset, describe(printParseErrorCode(first.error)));
  return { language: "json", path, text, hasByteOrderMark, root };
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

/** Plain JSON, as every parser reads it: no byte order mark or trailing commas, and no comments unless those count. */
export function isPlainJson(document: JsonText, comments = false): boolean {
  if (document.hasByteOrderMark) return false;
  try {
    JSON.parse(comments ? withoutComments(document.text) : document.text);
    return true;
  } catch {
    return false; // the question was whether it parses
  }
}

const withoutComments = (text: string) =>
  text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g, (_, literal?: string) => literal ?? " ");
