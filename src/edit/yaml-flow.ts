import type { Splice } from "./splice.ts";
import type { YamlNode } from "./yaml-tree.ts";

const endOf = (node: YamlNode) => node.offset + node.length;
const ownChildren = (node: YamlNode) =>
  (node.children ?? []).filter(({ shared }) => shared !== "a merge key");

/** `item` as the last one between the brackets of `container`. */
export function appendToFlow(text: string, container: YamlNode, item: string): Splice {
  const last = ownChildren(container).at(-1);
  if (!last) {
    const interior = text.slice(container.offset + 1, endOf(container) - 1);
    const isBlank = interior.trim() === "";
    return {
      offset: container.offset + 1,
      length: isBlank ? interior.length : 0,
      text: isBlank ? item : `${item} `,
    };
  }
  const lead = leadOf(text, last);
  const comma = commaAfter(text, endOf(last));
  if (comma === undefined) return { offset: endOf(last), length: 0, text: `,${lead || " "}${item}` };
  return { offset: comma + 1, length: 0, text: `${lead || " "}${item},` };
}

/** Removes a member or element with one comma: the exact inverse of appending it. */
export function removeFromFlow(text: string, container: YamlNode, value: YamlNode): Splice[] {
  const children = ownChildren(container);
  const index = children.findIndex((child) => child === value || child.children?.[1] === value);
  const child = children[index] as YamlNode;
  const previous = children[index - 1];
  const comma = commaAfter(text, endOf(child));
  const isLast = index === children.length - 1;
  if (!previous) {
    const end = comma === undefined ? endOf(child) : comma + 1;
    const blank = isLast ? 0 : (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
    return [{ offset: child.lead, length: end + blank - child.lead, text: "" }];
  }
  const separator = commaAfter(text, endOf(previous)) as number;
  if (comma !== undefined) return [deletion(text, separator + 1, child, comma + 1)];
  const own = deletion(text, separator + 1, child, endOf(child));
  if (own.offset === separator + 1) return [{ ...own, offset: separator, length: own.length + 1 }];
  return [{ offset: separator, length: 1, text: "" }, own];
}

/** From behind `floor`, where nothing but white space is between, to `end`. */
function deletion(text: string, floor: number, child: YamlNode, end: number): Splice {
  const start = text.slice(floor, child.lead).trim() === "" ? floor : child.lead;
  return { offset: start, length: end - start, text: "" };
}

/** Line break and indentation in front of a child that starts its line. */
function leadOf(text: string, child: YamlNode): string {
  return /\r?\n[ \t]*$/.exec(text.slice(0, child.lead))?.[0] ?? "";
}

/** Offset of the comma that comes next after `from`, if a comma comes next. */
function commaAfter(text: string, from: number): number | undefined {
  const gap = /^(?:\s+(?:#[^\n]*)?)*/.exec(text.slice(from))?.[0].length ?? 0;
  return text[from + gap] === "," ? from + gap : undefined;
}
