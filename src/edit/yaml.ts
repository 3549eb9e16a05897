import { isCollection, isPair, isScalar } from "yaml";
import { applySplices, type Splice } from "./splice.ts";
import {
  type JsonValue,
  nodeAt,
  syntaxError,
  type TextNode,
  type TreeEdit,
  type TreePath,
  unproved,
} from "./tree.ts";
import { appendToFlow, removeFromFlow } from "./yaml-flow.ts";
import { proveYaml } from "./yaml-proof.ts";
import {
  columnOf,
  renderBlock,
  renderFlow,
  renderMember,
  type YamlStyle,
  yamlStyleOf,
} from "./yaml-style.ts";
import { parseYaml, type YamlText } from "./yaml-text.ts";
import type { YamlNode } from "./yaml-tree.ts";

/**
 * Makes one edit by splicing the text: every byte outside the edited value and its separators stays, and the
 * result is proved before it is returned. Added text follows the indentation and line ends of its neighbours.
 */
export function editYaml(document: YamlText, edit: TreeEdit): YamlText {
  const splices = splicesOf(document, edit);
  requireEndOfLastText(document, splices);
  const text = applySplices(document.text, splices);
  let after: YamlText;
  try {
    after = parseYaml(document.path, text, document.hasByteOrderMark);
  } catch {
    throw unproved(document.path); // what we made does not parse: the fault is not in the file
  }
  proveYaml(document, after, edit, splices);
  return after;
}

/** Whether a text block that ends with the file, in the middle of a line, has a line break at its end is read both ways. */
function requireEndOfLastText({ path, text, document }: YamlText, splices: readonly Splice[]): void {
  if (text.endsWith("\n") || !splices.some((splice) => splice.offset === text.length && splice.text !== ""))
    return;
  let last: unknown = document.contents;
  while (isCollection(last)) {
    const item: unknown = last.items.at(-1);
    last = isPair(item) ? item.value : item;
  }
  if (!isScalar(last) || (last.type !== "BLOCK_LITERAL" && last.type !== "BLOCK_FOLDED")) return;
  const [start, end] = last.range ?? [0, 0];
  if (end < text.length || /^[|>]\d?-/.test(text.slice(start))) return;
  throw syntaxError(path, text, start, "a text block at the end of the file needs a line break behind it");
}

function splicesOf(document: YamlText, edit: TreeEdit): Splice[] {
  const { text, root } = document;
  const style = yamlStyleOf(text, root);
  if (edit.kind === "create") {
    if (root) throw unproved(document.path);
    return [atEnd(document, 0, renderBlock(edit.value, 0, style), style)];
  }
  const node = ownNode(document, edit.at);
  if (edit.kind === "replace") return [replacement(text, node, edit.value, style)];
  if (edit.kind === "remove") {
    const container = ownNode(document, edit.at.slice(0, -1));
    return container.flow ? removeFromFlow(text, container, node) : removal(document, node);
  }
  const { key, value } = edit;
  const isEmpty = ownChildren(node).length === 0;
  if (!isEmpty)
    return [
      node.flow ? appendToFlow(text, node, flowItem(key, value)) : append(document, node, key, value, style),
    ];
  const holder = propertyOf(document, edit.at);
  return holder && !holder.flow
    ? fillBelow(document, node, holder, key, value, style)
    : [appendToFlow(text, node, flowItem(key, value))];
}

const ownChildren = (node: YamlNode) =>
  (node.children ?? []).filter(({ shared }) => shared !== "a merge key");

const flowItem = (key: string | undefined, value: JsonValue) =>
  key === undefined ? renderFlow(value) : `${JSON.stringify(key)}: ${renderFlow(value)}`;

/** The node at `path`, if what is changed there is changed nowhere else. */
function ownNode(document: YamlText, path: TreePath): YamlNode {
  for (let length = 0; length <= path.length; length++) {
    const steps = path.slice(0, length);
    const node = nodeAt(document.root, steps) as YamlNode | undefined;
    const name = steps.join(".") || "the document";
    if (!node) throw syntaxError(document.path, document.text, 0, `nothing at ${name}`);
    const property = propertyOf(document, steps);
    const shared = node.shared ?? property?.shared;
    // A merged member stands at the anchor, which may be far from where it is merged in.
    const seen = property?.shared ? nodeAt(document.root, steps.slice(0, -1)) : (property ?? node);
    const place = (reason: string) => syntaxError(document.path, document.text, seen?.offset ?? 0, reason);
    if (shared) throw place(`${name} comes from ${shared}, so a change there would change more than that`);
    if (node.referenced)
      throw place(`${name} has an anchor that an alias refers to, so a change there would change more`);
  }
  return nodeAt(document.root, path) as YamlNode;
}

/** The member of a mapping that holds the value at `path`. */
function propertyOf({ root }: YamlText, path: TreePath): YamlNode | undefined {
  const step = path.at(-1);
  if (typeof step !== "string") return undefined;
  const container = nodeAt(root, path.slice(0, -1)) as YamlNode | undefined;
  return container?.children?.find(({ children }) => children?.[0]?.value === step);
}

/** After the last child of a container in block style. */
function append(
  document: YamlText,
  node: YamlNode,
  key: string | undefined,
  value: JsonValue,
  style: YamlStyle,
): Splice {
  const { text } = document;
  const children = ownChildren(node);
  const column = columnOf(text, (children[0] as YamlNode).lead);
  const body = blockItem(key, value, column, style);
  const end = endOf(children.at(-1) as YamlNode);
  if (node === document.root) return atEnd(document, end, " ".repeat(column) + body, style);
  return lineAfter(text, end, " ".repeat(column) + body, style);
}

function blockItem(key: string | undefined, value: JsonValue, column: number, style: YamlStyle): string {
  return key === undefined ? renderBlock([value], column, style) : renderMember(key, value, column, style);
}

const endOf = (node: TextNode) => node.offset + node.length;

/** Below a key that has nothing, or empty brackets. */
function fillBelow(
  document: YamlText,
  node: YamlNode,
  holder: YamlNode,
  key: string | undefined,
  value: JsonValue,
  style: YamlStyle,
): Splice[] {
  const { text } = document;
  const interior = text.slice(node.offset + 1, endOf(node) - 1);
  if (!node.implicit && interior.trim() !== "") return [appendToFlow(text, node, flowItem(key, value))];
  const column = columnOf(text, holder.lead) + (key === undefined ? style.dashes : style.unit);
  const body = " ".repeat(column) + blockItem(key, value, column, style);
  const end = endOf(node);
  if (node.implicit) return [lineAfter(text, end, body, style)];
  const start = text.slice(0, node.offset).trimEnd().length;
  return [{ offset: start, length: end - start, text: "" }, lineAfter(text, end, body, style)];
}

/** `body` on lines of its own behind the line of `offset`, with the comment that may end that. */
function lineAfter(text: string, offset: number, body: string, { eol }: YamlStyle): Splice {
  if (offset > 0 && text[offset - 1] === "\n") return { offset, length: 0, text: body + eol }; // after a block scalar
  const rest = /[^\r\n]*/.exec(text.slice(offset))?.[0] ?? "";
  const comment = /^[ \t]+#.*$/.test(rest);
  return { offset: offset + (comment ? rest.length : 0), length: 0, text: eol + body };
}

/** `body` behind everything that belongs to the document, also the comments after its last value. */
function atEnd({ text, document }: YamlText, from: number, body: string, style: YamlStyle): Splice {
  const start = Math.max(from, document.range?.[1] ?? 0);
  const mark = /^\.\.\.(?:\s|$)/m.exec(text.slice(start));
  const rest = text.slice(from, mark ? start + mark.index : text.length);
  if (text.trim() === "") return { offset: 0, length: text.length, text: body + style.eol };
  if (rest.trim() === "") return lineAfter(text, from, body, style);
  return lineAfter(text, from + rest.trimEnd().length, body, style);
}

function replacement(text: string, node: YamlNode, value: JsonValue, style: YamlStyle): Splice {
  const body = node.flow ? renderFlow(value) : renderBlock(value, columnOf(text, node.offset), style);
  return { offset: node.offset, length: node.length, text: body };
}

/** Takes away the lines of a member or element in block style, and the break in front of them. */
function removal({ path, text }: YamlText, node: YamlNode): Splice[] {
  const lineStart = text.lastIndexOf("\n", node.lead - 1) + 1;
  if (text.slice(lineStart, node.lead).trim() !== "")
    throw syntaxError(path, text, node.lead, "it shares its first line with something else");
  const end = endOf(node);
  const isWholeLine = text[end - 1] === "\n";
  const rest = isWholeLine ? "" : (/[^\r\n]*/.exec(text.slice(end))?.[0] ?? "");
  const stop = end + rest.length;
  const start = text.slice(0, lineStart).replace(/\r?\n$/, "").length;
  if (lineStart > 0)
    return [
      {
        offset: start,
        length: (isWholeLine ? end - (/\r?\n$/.exec(text.slice(0, end))?.[0].length ?? 0) : stop) - start,
        text: "",
      },
    ];
  const lineBreak = isWholeLine ? 0 : (/^\r?\n/.exec(text.slice(stop))?.[0].length ?? 0);
  return [{ offset: 0, length: stop + lineBreak, text: "" }];
}
