import type { JsonText } from "../edit/json-text.ts";
import {
  duplicateOf,
  elementsOf,
  memberOf,
  membersOf,
  nodeValue,
  syntaxError,
  type TextNode,
} from "../edit/tree.ts";

/** One registered command, with its place in `hooks.<event>[group].hooks[index]`. */
export interface Handler {
  event: string;
  group: number;
  index: number;
  value: unknown;
  /** The text it is written in. */
  text: string;
  ours: boolean;
  matcher: unknown;
  /** How many handlers its group has. */
  groupSize: number;
}

/** Every handler of a nested hook configuration, in order; a shape that is not one is refused with its position. */
export function surveyHandlers(document: JsonText, isOurs: (command: string) => boolean): Handler[] {
  const hooks = hooksOf(document);
  const found: Handler[] = [];
  for (const { key: event, value: groups } of membersOf(hooks)) {
    requireType(document, groups, "array", `hooks.${event}`);
    elementsOf(groups).forEach((node, group) => {
      requireUniqueObject(document, node, `hooks.${event}[${group}]`);
      const handlers = memberOf(node, "hooks")?.value;
      if (!handlers) return;
      requireType(document, handlers, "array", `hooks.${event}[${group}].hooks`);
      const matcher = memberOf(node, "matcher")?.value;
      elementsOf(handlers).forEach((handler, index) => {
        requireUniqueObject(document, handler, `hooks.${event}[${group}].hooks[${index}]`);
        const value = nodeValue(handler) as Record<string, unknown>;
        const ours = value.type === "command" && typeof value.command === "string" && isOurs(value.command);
        found.push({
          event,
          group,
          index,
          value,
          text: document.text.slice(handler.offset, handler.offset + handler.length),
          ours,
          matcher: matcher && nodeValue(matcher),
          groupSize: elementsOf(handlers).length,
        });
      });
    });
  }
  return found;
}

/** The `hooks` object, if there is one. */
export function hooksOf(document: JsonText): TextNode | undefined {
  if (!document.root) return undefined;
  requireType(document, document.root, "object", "the document");
  const named = membersOf(document.root).filter(({ key }) => key === "hooks");
  if (named[1]) throw refuse(document, named[1].property, 'duplicate key "hooks"');
  const hooks = named[0]?.value;
  if (hooks) requireUniqueObject(document, hooks, "hooks");
  return hooks;
}

function requireUniqueObject(document: JsonText, node: TextNode, name: string): void {
  requireType(document, node, "object", name);
  const duplicate = duplicateOf(node);
  if (duplicate) throw refuse(document, duplicate.property, `duplicate key ${JSON.stringify(duplicate.key)}`);
}

function requireType(document: JsonText, node: TextNode, type: "object" | "array", name: string): void {
  if (node.type !== type) throw refuse(document, node, `${name} must be an ${type}, not ${node.type}`);
}

const refuse = (document: JsonText, node: TextNode, reason: string) =>
  syntaxError(document.path, document.text, node.offset, reason);
