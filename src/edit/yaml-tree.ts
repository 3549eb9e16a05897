import { type CST, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { RoborevError } from "../lib/errors.ts";
import type { TextNode } from "./tree.ts";

export interface YamlNode extends TextNode {
  children?: YamlNode[];
  /** Written with brackets, or inside of brackets. */
  flow: boolean;
  /** Where the member or element begins: its key or its dash. */
  lead: number;
  /** It has an anchor, and an alias refers to that. */
  referenced: boolean;
}

/** Aliases of aliases could make a tree of any size out of a few lines. */
const maxNodes = 200_000;

/** What a node inherits from the place where it is written. */
interface Place {
  flow: boolean;
  lead: number;
  /** Where a value would stand that is not written at all. */
  end: number;
}

/** The spans of a document that has content. */
export function buildTree(
  text: string,
  document: Document.Parsed,
  refuse: (offset: number, reason: string) => RoborevError,
): YamlNode {
  const referred = new Set<Node>();
  const open = new Set<Node>();
  let nodes = 0;

  function resolve(alias: Node): Node {
    const target = isAlias(alias) ? alias.resolve(document) : alias;
    const offset = alias.range?.[0] ?? 0;
    if (!target) throw refuse(offset, "an alias without an anchor before it");
    if (open.has(target)) throw refuse(offset, "an alias inside of what it stands for");
    return target;
  }

  function collectReferences(node: unknown): void {
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target) referred.add(target);
    } else if (isSeq(node)) node.items.forEach(collectReferences);
    else if (isMap(node)) {
      for (const { key, value } of node.items) {
        collectReferences(key);
        collectReferences(value);
      }
    }
  }

  function build(node: Node | null, place: Place): YamlNode {
    if (++nodes > maxNodes) throw refuse(node?.range?.[0] ?? 0, "aliases stand for too much");
    if (isAlias(node)) {
      const [offset, end] = node.range ?? [0, 0];
      return { ...build(resolve(node), place), offset, length: end - offset, shared: "an alias" };
    }
    const base = { lead: place.lead, referenced: node !== null && referred.has(node) };
    if (isMap(node) || isSeq(node)) {
      open.add(node);
      const flow = place.flow || node.flow === true;
      const children = isMap(node) ? propertiesOf(node.items, flow) : elementsOf(node.items, node, flow);
      open.delete(node);
      const offset = node.range?.[0] ?? 0;
      const last = children.findLast(({ shared }) => shared !== "a merge key");
      const end = flow || !last ? (node.range?.[1] ?? offset) : last.offset + last.length;
      const type = isMap(node) ? "object" : "array";
      return { ...base, type, flow, offset, length: end - offset, children };
    }
    const value = isScalar(node) ? node.value : null;
    const { flow } = place;
    if (value === null && !(isScalar(node) && node.source)) {
      return { ...base, flow, type: "null", value, offset: place.end, length: 0, implicit: true };
    }
    const [offset, end] = node?.range ?? [0, 0];
    return { ...base, flow, type: typeOf(value), value, offset, length: end - offset };
  }

  function propertiesOf(pairs: readonly Pair[], flow: boolean): YamlNode[] {
    const own = pairs.map((pair) => propertyOf(pair, flow));
    const names = new Set(own.map(nameOf));
    const merged = pairs.filter(isMerge).flatMap(({ value }) => mergedBy(value as Node | null));
    const added = merged.filter((property) => names.size !== names.add(nameOf(property)).size);
    return [...own, ...added.map((property): YamlNode => ({ ...property, shared: "a merge key" }))];
  }

  function propertyOf({ key, value, srcToken }: Pair, flow: boolean): YamlNode {
    const source = srcToken as CST.CollectionItem | undefined;
    const [start = 0, keyEnd = 0] = (key as Node | null)?.range ?? [];
    const lead = tokenOf(source?.start, "explicit-key-ind")?.offset ?? start;
    const end = Math.max(keyEnd, endOfTokens(source?.sep));
    const name = isScalar(key) ? String(key.value) : `? ${text.slice(start, keyEnd)}`;
    const base = { flow, lead, referenced: false };
    const keyNode: YamlNode = { ...base, type: "string", value: name, offset: start, length: keyEnd - start };
    const valueNode = build(value as Node | null, { flow, lead, end });
    const length = Math.max(end, valueNode.offset + valueNode.length) - lead;
    return { ...base, type: "property", offset: lead, length, children: [keyNode, valueNode] };
  }

  /** What `<<` brings in, in the order in which it counts. */
  function mergedBy(value: Node | null): YamlNode[] {
    const source = value && resolve(value);
    const maps = isSeq(source) ? (source.items as Node[]).map(resolve) : [source];
    return maps.filter(isMap).flatMap((map) => propertiesOf(map.items, true));
  }

  function elementsOf(items: readonly unknown[], { srcToken }: Node, flow: boolean): YamlNode[] {
    const isBlock = srcToken?.type === "block-seq";
    const starts = isBlock ? srcToken.items.map(({ start }) => start) : [];
    const dashed = starts.filter((start) => tokenOf(start, "seq-item-ind"));
    return (items as (Node | null)[]).map((item, index) => {
      const dash = tokenOf(dashed[index], "seq-item-ind")?.offset;
      const lead = dash ?? item?.range?.[0] ?? 0;
      return build(item, { flow, lead, end: endOfTokens(dashed[index]) });
    });
  }

  const contents = document.contents as Node;
  collectReferences(contents);
  const start = contents.range?.[0] ?? 0;
  return build(contents, { flow: false, lead: start, end: start });
}

const nameOf = (property: YamlNode): unknown => property.children?.[0]?.value;

/** YAML 1.2 has no merge keys any more; what reads configurations mostly still knows them. */
const isMerge = ({ key }: Pair): boolean => isScalar(key) && key.value === "<<" && key.type === "PLAIN";

function typeOf(value: unknown): TextNode["type"] {
  if (typeof value === "string" || typeof value === "boolean") return typeof value as "string" | "boolean";
  if (typeof value === "number" || typeof value === "bigint") return "number";
  return value === null ? "null" : "string";
}

type Tokens = readonly CST.SourceToken[] | undefined;

const tokenOf = (tokens: Tokens, type: CST.SourceToken["type"]) =>
  tokens?.find((token) => token.type === type);

/** End of the last indicator, anchor or tag. */
function endOfTokens(tokens: Tokens): number {
  const blank = new Set<string>(["space", "newline", "comment", "comma"]);
  const last = tokens?.findLast(({ type }) => !blank.has(type));
  return last ? last.offset + last.source.length : 0;
}
