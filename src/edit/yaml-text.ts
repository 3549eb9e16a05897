import { type Document, isScalar, parseDocument, type YAMLParseError } from "yaml";
import { RoborevError } from "../lib/errors.ts";
import { decodeText, syntaxError } from "./tree.ts";
import { buildTree, type YamlNode } from "./yaml-tree.ts";

/** YAML as text and as a tree of spans; what aliases and merge keys bring in is marked as shared. */
export interface YamlText {
  language: "yaml";
  /** For messages. */
  path: string;
  /** Without the byte order mark. */
  text: string;
  hasByteOrderMark: boolean;
  /** Undefined when the file holds nothing but white space, comments and document marks. */
  root: YamlNode | undefined;
  document: Document.Parsed;
}

/** Reads a file's bytes; whatever is not unambiguously one YAML document is refused with its position. */
export function parseYamlText(path: string, bytes: Uint8Array): YamlText {
  const { text, hasByteOrderMark } = decodeText(path, bytes);
  return parseYaml(path, text, hasByteOrderMark);
}

export function parseYaml(path: string, text: string, hasByteOrderMark: boolean): YamlText {
  const lone = /\r(?!\n)/.exec(text);
  if (lone) throw syntaxError(path, text, lone.index, "a carriage return without a line feed");
  try {
    const document = parseAs("1.2", text);
    const [first] = document.errors;
    if (first) throw syntaxError(path, text, first.pos[0], describe(first));
    const { contents } = document;
    const isEmpty = contents === null || (isScalar(contents) && contents.value === null && !contents.source);
    const refuse = (offset: number, reason: string) => syntaxError(path, text, offset, reason);
    const root = isEmpty ? undefined : buildTree(text, document, refuse);
    return { language: "yaml", path, text, hasByteOrderMark, root, document };
  } catch (cause) {
    // The parser recurses, so what is nested beyond its stack ends like this.
    if (!(cause instanceof RangeError)) throw cause;
    throw new RoborevError(`${path} is nested too deep`, { code: "E_SYNTAX", cause });
  }
}

/** As a reader of this version of YAML understands it; merge keys stay what is written. */
export function parseAs(version: "1.1" | "1.2", text: string): Document.Parsed {
  return parseDocument(text, { version, keepSourceTokens: true, prettyErrors: false, merge: false });
}

// Where the parser's own words speak to a programmer.
const plainWords: Partial<Record<YAMLParseError["code"], string>> = {
  MULTIPLE_DOCS: "a second document begins here; only one can be edited",
  DUPLICATE_KEY: "this key stands twice in its map",
};

/** `Nested mappings are not allowed.` → `nested mappings are not allowed`. */
function describe({ code, message }: YAMLParseError): string {
  const plain = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
  return plainWords[code] ?? plain.replace(/^missing closing ["'](.*)$/, "the closing $1 is missing");
}
