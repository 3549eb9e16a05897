import type { AST } from "toml-eslint-parser";
import { RoborevError } from "../lib/errors.ts";
import { applySplices, type Splice } from "./splice.ts";
import { additionOf } from "./toml-addition.ts";
import { placeOf, type TomlPath } from "./toml-place.ts";
import { proveToml } from "./toml-proof.ts";
import { removalOf } from "./toml-removal.ts";
import { parseToml, refusedEdit, type TomlText } from "./toml-text.ts";
import { appendOf, renderValue } from "./toml-value.ts";
import { unproved } from "./tree.ts";

/** Text, a whole number, true or false, or a list of texts. */
export type TomlValue = string | number | boolean | readonly string[];

/** One change of a document's meaning. */
export type TomlEdit =
  | { kind: "set"; path: TomlPath; value: TomlValue }
  /** Nothing happens where the key is not set. */
  | { kind: "unset"; path: TomlPath };

/**
 * Makes one edit by splicing the text: every other byte stays, comments too, and the result is proved before it is
 * returned. What is added follows the spelling of its neighbours. Refuses what cannot be done without guessing.
 */
export function editToml(document: TomlText, edit: TomlEdit): TomlText {
  const splices = splicesOf(document, edit);
  const text = applySplices(document.text, splices);
  if (text === document.text) return document;
  const after = reparsed(document, text);
  proveToml(document, after, edit, splices);
  return after;
}

function reparsed({ path, hasByteOrderMark }: TomlText, text: string): TomlText {
  try {
    return parseToml(path, text, hasByteOrderMark);
  } catch (error) {
    if (error instanceof RoborevError) throw unproved(path);
    throw error;
  }
}

function splicesOf(document: TomlText, edit: TomlEdit): Splice[] {
  const place = placeOf(document, edit.path);
  if (place.kind === "blocked") throw refusedEdit(document, place.offset, place.reason);
  if (edit.kind === "unset") return place.kind === "pair" ? removalOf(document, place.body, place.pair) : [];
  if (place.kind === "absent") return additionOf(document, edit.path, edit.value);
  const inline = place.body.holder.type === "TOMLInlineTable";
  return replacementOf(document, place.pair.value, edit.value, inline);
}

function replacementOf(
  document: TomlText,
  old: AST.TOMLContentNode,
  value: TomlValue,
  inline: boolean,
): Splice[] {
  if (hasValue(old, value)) return [];
  if (old.type === "TOMLArray") {
    const added = addedTo(old, value);
    if (added) return appendOf(document, old, added);
  }
  const [start, end] = old.range;
  if (document.comments.some(({ range }) => start < range[0] && range[0] < end))
    throw refusedEdit(document, start, "the list has comments between its elements");
  return [{ offset: start, length: end - start, text: renderValue(document, value, { old, inline }) }];
}

/** What `value` has beyond the elements of the list; undefined where it does not begin with them. */
function addedTo({ elements }: AST.TOMLArray, value: TomlValue): readonly string[] | undefined {
  if (typeof value !== "object" || elements.length === 0 || elements.length >= value.length) return undefined;
  if (!elements.every((element, index) => hasValue(element, value[index] as string))) return undefined;
  return value.slice(elements.length);
}

function hasValue(node: AST.TOMLContentNode, value: TomlValue): boolean {
  if (node.type === "TOMLArray") {
    const { elements } = node;
    return (
      typeof value === "object" &&
      elements.length === value.length &&
      elements.every((element, index) => hasValue(element, value[index] as string))
    );
  }
  if (node.type !== "TOMLValue" || node.value !== value) return false;
  return typeof value !== "number" || node.kind === "integer";
}
