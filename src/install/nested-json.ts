import { editJson } from "../edit/json.ts";
import type { JsonText } from "../edit/json-text.ts";
import { type JsonValue, membersOf, nodeAt, type TreePath } from "../edit/tree.ts";
import { type Handler, hooksOf, surveyHandlers } from "./survey.ts";

/** What one event of the file shall hold from us. */
export interface Wanted {
  event: string;
  matcher?: string;
  handler: { [key: string]: JsonValue };
}

type Ownership = (command: string) => boolean;

/**
 * Makes the file hold exactly the wanted registrations of ours. The first of ours of an event is changed where it
 * stands, further ones go, a missing one comes last, and an identical one is not touched: Codex's trust hangs on
 * the bytes and the position of a hook.
 */
export function planNested(document: JsonText, wanted: readonly Wanted[], isOurs: Ownership): JsonText {
  let current = document;
  for (;;) {
    const surplus = surveyHandlers(current, isOurs).filter((handler) => handler.ours);
    const last = surplus.findLast((handler) => !isKept(handler, surplus, wanted));
    if (!last) break;
    current = editJson(current, { kind: "remove", at: removalPath(current, last) });
  }
  for (const registration of wanted) current = place(current, registration, isOurs);
  return current;
}

function isKept(handler: Handler, ours: Handler[], wanted: readonly Wanted[]): boolean {
  const registration = wanted.find(({ event }) => event === handler.event);
  if (!registration) return false;
  // In a group that others share, the matcher is theirs: a handler of ours under another matcher has to leave.
  const usable = ours.filter(
    (other) =>
      other.event === handler.event &&
      (isAlone(other, ours) || sameMatcher(other.matcher, registration.matcher)),
  );
  return usable[0] === handler;
}

const isAlone = (handler: Handler, ours: Handler[]) =>
  ours.filter(({ event, group }) => event === handler.event && group === handler.group).length ===
  handler.groupSize;

const sameMatcher = (actual: unknown, wanted: string | undefined) =>
  wanted === undefined ? actual === undefined || actual === "" || actual === "*" : actual === wanted;

/** The handler, or the largest thing around it that holds nothing else. */
function removalPath(document: JsonText, { event, group, index, groupSize }: Handler): TreePath {
  if (groupSize > 1) return ["hooks", event, group, "hooks", index];
  const groups = nodeAt(document.root, ["hooks", event])?.children ?? [];
  if (groups.length > 1) return ["hooks", event, group];
  return membersOf(hooksOf(document)).length > 1 ? ["hooks", event] : ["hooks"];
}

function place(document: JsonText, wanted: Wanted, isOurs: Ownership): JsonText {
  const kept = surveyHandlers(document, isOurs).find(({ ours, event }) => ours && event === wanted.event);
  return kept ? mend(document, kept, wanted) : add(document, wanted);
}

function mend(document: JsonText, kept: Handler, { matcher, handler }: Wanted): JsonText {
  const group = ["hooks", kept.event, kept.group];
  const current = Bun.deepEquals(kept.value, handler, true)
    ? document
    : editJson(document, { kind: "replace", at: [...group, "hooks", kept.index], value: handler });
  if (sameMatcher(kept.matcher, matcher)) return current;
  const at = [...group, "matcher"];
  if (matcher === undefined) return editJson(current, { kind: "remove", at });
  if (kept.matcher === undefined) {
    return editJson(current, { kind: "append", at: group, key: "matcher", value: matcher });
  }
  return editJson(current, { kind: "replace", at, value: matcher });
}

function add(document: JsonText, { event, matcher, handler }: Wanted): JsonText {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
  if (!document.root) return editJson(document, { kind: "create", value: { hooks: { [event]: [group] } } });
  const hooks = hooksOf(document);
  if (!hooks) {
    return editJson(document, { kind: "append", at: [], key: "hooks", value: { [event]: [group] } });
  }
  if (nodeAt(hooks, [event]))
    return editJson(document, { kind: "append", at: ["hooks", event], value: group });
  return editJson(document, { kind: "append", at: ["hooks"], key: event, value: [group] });
}

/** Whether a handler of somebody else has another position, which costs it the user's trust in Codex. */
export function foreignMoved(before: JsonText, after: JsonText, isOurs: Ownership): boolean {
  const positions = (document: JsonText) =>
    surveyHandlers(document, isOurs)
      .filter(({ ours }) => !ours)
      .map(({ event, group, index }) => [event, group, index]);
  return !Bun.deepEquals(positions(before), positions(after), true);
}
