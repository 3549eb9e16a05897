import { proveJson } from "./json-proof.ts";
import { removalOf } from "./json-removal.ts";
import { type JsonStyle, render, renderInline, styleOf } from "./json-style.ts";
import { type JsonText, parseJson } from "./json-text.ts";
import { commaAfter, lineIndent, sameLineCommentEnd, startsLine } from "./json-trivia.ts";
import { applySplices, type Splice } from "./splice.ts";
import { endOf, type JsonValue, nodeAt, syntaxError, type TextNode, type TreeEdit } from "./tree.ts";

/**
 * Makes one edit by splicing the text: every byte outside the edited value and its separators stays, and the
 * result is proved before it is returned. Added text follows the indentation and line ends of its neighbours.
 */
export function editJson(document: JsonText, edit: TreeEdit): JsonText {
  const splices = splicesOf(document, edit);
  const text = applySplices(document.text, splices);
  const after = parseJson(document.path, text, document.hasByteOrderMark);
  proveJson(document, after, edit, splices);
  return after;
}

function splicesOf(document: JsonText, edit: TreeEdit): Splice[] {
  const { text, root } = document;
  const style = styleOf(text, root);
  if (edit.kind === "create") return creation(text, edit.value, style);
  const node = nodeAt(root, edit.at);
  if (!node) throw syntaxError(document.path, text, 0, `nothing at ${edit.at.join(".")}`);
  if (edit.kind === "remove") return removalOf(text, node);
  if (edit.kind === "replace") return [replacement(text, node, edit.value, style)];
  const item = edit.key === undefined ? "" : JSON.stringify(edit.key) + style.colon;
  return (node.children ?? []).length === 0
    ? fill(text, node, item, edit.value, style)
    : append(text, node, item, edit.value, style);
}

/** Blank text is replaced, comments stay in front. */
function creation(text: string, value: JsonValue, style: JsonStyle): Splice[] {
  const body = render(value, style, "") + style.eol;
  if (/^\s*$/.test(text)) return [{ offset: 0, length: text.length, text: body }];
  const lead = /[\r\n]$/.test(text) ? "" : style.eol;
  return [{ offset: text.length, length: 0, text: lead + body }];
}

function replacement(text: string, node: TextNode, value: JsonValue, style: JsonStyle): Splice {
  const old = text.slice(node.offset, endOf(node));
  const onOneLine = !/[\r\n]/.test(old) && old.length > 2;
  const body = onOneLine ? renderInline(value, style) : render(value, style, lineIndent(text, node.offset));
  return { offset: node.offset, length: node.length, text: body };
}

/** Into a container without children. */
function fill(text: string, node: TextNode, key: string, value: JsonValue, style: JsonStyle): Splice[] {
  const open = node.offset + 1;
  const close = endOf(node) - 1;
  const interior = text.slice(open, close);
  const outer = lineIndent(text, node.offset);
  const inner = outer + style.unit;
  const line = style.eol + inner + key + render(value, style, inner);
  const holder = node.parent?.type === "property" ? node.parent : node;
  const sharesLine = holder.parent !== undefined && !startsLine(text, holder.offset);
  if (interior.trim() === "") {
    if (style.inline || sharesLine)
      return [{ offset: open, length: interior.length, text: key + renderInline(value, style) }];
    if (/[\r\n]/.test(interior)) return [{ offset: open, length: 0, text: line }];
    return [{ offset: open, length: interior.length, text: line + style.eol + outer }];
  }
  const end = open + interior.trimEnd().length; // the last comment's end: nothing else can stand here
  const hasBreak = /^[ \t]*[\r\n]/.test(text.slice(end, close));
  return [{ offset: end, length: 0, text: hasBreak ? line : line + style.eol + outer }];
}

/** After the last child of a container. */
function append(text: string, node: TextNode, key: string, value: JsonValue, style: JsonStyle): Splice[] {
  const last = node.children?.at(-1) as TextNode;
  const lastEnd = childEnd(last);
  const trailing = commaAfter(text, lastEnd);
  if (!startsLine(text, last.offset)) {
    const onOneLine = !/[\r\n]/.test(text.slice(last.offset, lastEnd));
    const indent = lineIndent(text, lastEnd);
    const body = onOneLine ? renderInline(value, style) : render(value, style, indent);
    if (trailing === undefined) return [{ offset: lastEnd, length: 0, text: style.comma + key + body }];
    return [{ offset: trailing + 1, length: 0, text: `${style.comma.slice(1)}${key}${body},` }];
  }
  const indent = lineIndent(text, last.offset);
  const line = style.eol + indent + key + render(value, style, indent);
  if (trailing !== undefined) {
    const tail = sameLineCommentEnd(text, trailing + 1);
    return [{ offset: tail, length: 0, text: `${line},` }];
  }
  const tail = sameLineCommentEnd(text, lastEnd);
  if (tail === lastEnd) return [{ offset: lastEnd, length: 0, text: `,${line}` }];
  return [
    { offset: lastEnd, length: 0, text: "," },
    { offset: tail, length: 0, text: line },
  ];
}

/** End of a child's value; a property node may reach further in a tree with comments. */
function childEnd(child: TextNode): number {
  const value = child.type === "property" ? child.children?.[1] : child;
  return endOf(value ?? child);
}
