import { parse, TomlError } from "smol-toml";
import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import { decodeText, syntaxError } from "./tree.ts";

/** TOML as text, as spans, and as what it means. */
export interface TomlText {
  /** For messages. */
  path: string;
  /** Without the byte order mark. */
  text: string;
  hasByteOrderMark: boolean;
  root: AST.TOMLTopLevelTable;
  comments: AST.Comment[];
  /** As smol-toml reads it, whole numbers as bigint. */
  meaning: Record<string, unknown>;
}

/** Reads a file's bytes; what is not TOML for both parsers is refused with its position. */
export function parseTomlText(path: string, bytes: Uint8Array): TomlText {
  const { text, hasByteOrderMark } = decodeText(path, bytes);
  return parseToml(path, text, hasByteOrderMark);
}

/** One parser knows where everything stands; the other is the one that the configuration is read with, so it decides. */
export function parseToml(path: string, text: string, hasByteOrderMark: boolean): TomlText {
  try {
    const meaning = parse(text, { integersAsBigInt: true });
    // toml-eslint-parser 1.0.3 gives a wrong span for a zero that ends the file.
    const program = parseTOML(`${text}\n`, { tomlVersion: "1.1" });
    return { path, text, hasByteOrderMark, root: program.body[0], comments: program.comments, meaning };
  } catch (cause) {
    if (cause instanceof TomlError) {
      // Its message goes on with the lines around the error, which may hold a secret.
      const reason = (cause.message.split("\n")[0] ?? "").replace(/^Invalid TOML document:\s*/, "");
      throw syntaxError(path, text, offsetOf(text, cause), `not valid TOML: ${reason}`);
    }
    if (cause instanceof ParseError)
      throw syntaxError(path, text, cause.index, `not valid TOML: ${errorMessage(cause)}`);
    // Both parsers recurse, so what is nested beyond their stack ends like this.
    if (!(cause instanceof RangeError)) throw cause;
    throw new RoborevError(`${path} is nested too deep`, { code: "E_SYNTAX", cause });
  }
}

function offsetOf(text: string, { line, column }: TomlError): number {
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}

/** A refusal that says where to look. */
export function refusedEdit({ path, text }: TomlText, offset: number, reason: string): RoborevError {
  const line = text.slice(0, offset).split("\n").length;
  return new RoborevError(`${path}:${line}: ${reason}`, {
    code: "E_EDIT",
    hint: "Change it by hand; nothing was changed.",
  });
}
