import type { ConfigText } from "../edit/config-text.ts";
import {
  duplicateOf,
  elementsOf,
  memberOf,
  membersOf,
  nodeAt,
  nodeValue,
  syntaxError,
  type TextNode,
  type TreePath,
} from "../edit/tree.ts";
import type { Shape } from "./shape.ts";

/** One registered command, with its place below the map of events. */
export interface Handler {
  event: string;
  /** Position in the event's list, of its group or of itself. */
  group: number;
  /** Position in its group; 0 for an entry without a group. */
  index: number;
  value: unknown;
  /** The text it is written in. */
  text: string;
  ours: boolean;
  /** The group's. */
  matcher: unknown;
  /** How many handlers its group has. */
  groupSize: number;
}

type Ownership = (command: string) => boolean;
type Found = Pick<Handler, "group" | "index" | "groupSize" | "matcher"> & { node: TextNode };

/** Every handler in the map of events at `base`, in order; a shape that is not one is refused with its position. */
export function surveyHandlers(
  document: ConfigText,
  shape: Shape,
  isOurs: Ownership,
  base = shape.base,
): Handler[] {
  return membersOf(eventMapOf(document, base)).flatMap(({ key: event, value: list }) => {
    const name = [...base, event].join(".");
    const isStrict = shape.events.includes(event) && base === shape.base;
    if (list.type !== "array" && (!isStrict || list.implicit)) return [];
    requireType(document, list, "array", name);
    return elementsOf(list)
      .flatMap((node, group) =>
        handlersOf(document, { shape, node, group, name: `${name}[${group}]`, isStrict }),
      )
      .map(({ node, ...place }) => ({
        event,
        ...place,
        value: nodeValue(node),
        text: document.text.slice(node.offset, node.offset + node.length),
        ours: isOurEntry(nodeValue(node) as Record<string, unknown>, shape, isOurs),
      }));
  });
}

interface Element {
  shape: Shape;
  node: TextNode;
  group: number;
  name: string;
  isStrict: boolean;
}

function handlersOf(document: ConfigText, { shape, node, group, name, isStrict }: Element): Found[] {
  if (node.type !== "object" && !isStrict) return [];
  requireUniqueObject(document, node, name);
  const handlers = memberOf(node, "hooks")?.value;
  // A group where entries have none is somebody else's, whatever it means there.
  if (!shape.grouped) return handlers ? [] : [{ node, group, index: 0, groupSize: 1, matcher: undefined }];
  if (!handlers || (handlers.type !== "array" && !isStrict)) return [];
  requireType(document, handlers, "array", `${name}.hooks`);
  const matcher = memberOf(node, "matcher")?.value;
  const members = elementsOf(handlers);
  return members.flatMap((handler, index): Found[] => {
    if (handler.type !== "object" && !isStrict) return [];
    requireUniqueObject(document, handler, `${name}.hooks[${index}]`);
    return [
      { node: handler, group, index, groupSize: members.length, matcher: matcher && nodeValue(matcher) },
    ];
  });
}

function isOurEntry(entry: Record<string, unknown>, shape: Shape, isOurs: Ownership): boolean {
  if (shape.grouped && entry.type !== "command") return false;
  const commands = shape.grouped ? [entry.command] : [entry.command, entry.bash, entry.powershell];
  return commands.some((command) => typeof command === "string" && isOurs(command));
}

/** Where maps of events are: the one that the harness reads, and the one that earlier releases wrote. */
export function mapsOf(document: ConfigText, { base, formerBase }: Shape): TreePath[] {
  // What is not an object in the former place is no map of events.
  const former = formerBase && nodeAt(document.root, formerBase)?.type === "object";
  return former ? [base, formerBase] : [base];
}

/** The map of events, if there is one. */
export function eventMapOf(document: ConfigText, base: TreePath): TextNode | undefined {
  const { root } = document;
  if (!root) return undefined;
  requireType(document, root, "object", "the document");
  const [key] = base;
  if (key === undefined) {
    requireUniqueObject(document, root, "the document");
    return root;
  }
  const named = membersOf(root).filter((member) => member.key === key);
  if (named[1]) throw refuse(document, named[1].property, `duplicate key ${JSON.stringify(key)}`);
  const map = named[0]?.value;
  if (map && !map.implicit) requireUniqueObject(document, map, String(key));
  return map;
}

function requireUniqueObject(document: ConfigText, node: TextNode, name: string): void {
  requireType(document, node, "object", name);
  const duplicate = duplicateOf(node);
  if (duplicate) throw refuse(document, duplicate.property, `duplicate key ${JSON.stringify(duplicate.key)}`);
}

function requireType(document: ConfigText, node: TextNode, type: "object" | "array", name: string): void {
  if (node.type !== type) throw refuse(document, node, `${name} must be an ${type}, not ${node.type}`);
}

const refuse = (document: ConfigText, node: TextNode, reason: string) =>
  syntaxError(document.path, document.text, node.offset, reason);
