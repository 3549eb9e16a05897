import { commaAfter, triviaAt } from "./json-trivia.ts";
import type { Splice } from "./splice.ts";
import { endOf, type TextNode } from "./tree.ts";

interface Span {
  start: number;
  end: number;
}

/**
 * Removes a member or element with one comma and the white space in front of it: the exact inverse of
 * appending it. Comments of others stay, and a line comment keeps the line break that ends it.
 */
export function removalOf(text: string, value: TextNode): Splice[] {
  const child = value.parent?.type === "property" ? value.parent : value;
  const container = child.parent;
  if (!container?.children) return [{ offset: value.offset, length: value.length, text: "" }];
  const own: Span = { start: child.offset, end: endOf(value) };
  const index = container.children.indexOf(child);
  const previous = container.children[index - 1];
  const comma = commaAfter(text, own.end);
  if (container.children.length === 1) return removeOnly(text, container, own, comma);
  if (!previous || index < container.children.length - 1 || comma !== undefined) {
    const floor = previous ? afterComma(text, previous) : container.offset + 1;
    return removeWithComma(text, own, floor, comma as number, !previous);
  }
  const separator = afterComma(text, previous) - 1;
  return spans(text, [
    { start: separator, end: separator + 1 },
    { start: leadStart(text, separator + 1, own), end: own.end },
  ]);
}

function removeOnly(text: string, container: TextNode, own: Span, comma: number | undefined): Splice[] {
  const interior: Span = { start: container.offset + 1, end: endOf(container) - 1 };
  const end = comma === undefined ? own.end : comma + 1;
  const between = comma === undefined ? "" : text.slice(own.end, comma);
  const around = text.slice(interior.start, own.start) + between + text.slice(end, interior.end);
  if (around.trim() === "") return spans(text, [interior]);
  const start = leadStart(text, interior.start, {
    start: own.start,
    end: between.trim() === "" ? end : own.end,
  });
  return spans(text, [{ start, end: own.end }, ...(comma === undefined ? [] : [{ start: comma, end }])]);
}

/** A child that is followed by a comma: the first, one in the middle, or a last one with a trailing comma. */
function removeWithComma(text: string, own: Span, floor: number, comma: number, isFirst: boolean): Splice[] {
  const end = comma + 1;
  const between = text.slice(own.end, comma);
  const start = leadStart(text, floor, { start: own.start, end: between.trim() === "" ? end : own.end });
  const padding = isFirst && start === own.start ? (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0) : 0;
  return spans(text, [
    { start, end: own.end },
    { start: comma, end: end + padding },
  ]);
}

/** Offset behind the comma that follows `child`. */
function afterComma(text: string, child: TextNode): number {
  const value = child.type === "property" ? child.children?.[1] : child;
  return (commaAfter(text, endOf(value ?? child)) as number) + 1;
}

/** Where the white space in front of `own` begins, not before `floor`. */
function leadStart(text: string, floor: number, own: Span): number {
  const lead = triviaAt(text, floor).filter((trivia) => trivia.end <= own.start);
  const comment = lead.findLast(({ kind }) => kind === "line-comment" || kind === "block-comment");
  const needsBreak = comment?.kind === "line-comment" && !/^[ \t]*(?:[\r\n]|$)/.test(text.slice(own.end));
  return needsBreak ? own.start : (comment?.end ?? floor);
}

/** Deletions in order; two with nothing but white space between them become one. */
function spans(text: string, parts: Span[]): Splice[] {
  const merged: Span[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last && text.slice(last.end, part.start).trim() === "") last.end = Math.max(last.end, part.end);
    else merged.push({ ...part });
  }
  return merged.map(({ start, end }) => ({ offset: start, length: end - start, text: "" }));
}
