import { type ConfigText, editConfigText } from "../edit/config-text.ts";
import {
  type JsonValue,
  memberOf,
  membersOf,
  nodeAt,
  nodeValue,
  syntaxError,
  type TreePath,
} from "../edit/tree.ts";
import type { Shape } from "./shape.ts";
import { eventMapOf, type Handler, mapsOf, surveyHandlers } from "./survey.ts";

/** What one event of the file shall hold from us. */
export interface Wanted {
  event: string;
  /** Of the group, where there are groups. */
  matcher?: string;
  entry: { [key: string]: JsonValue };
}

export type Ownership = (command: string) => boolean;

/**
 * Makes the file hold exactly the wanted registrations of ours. The first of ours of an event is changed where it
 * stands, further ones go, a missing one comes last, and an identical one is not touched: Codex's trust hangs on
 * the bytes and the position of a hook.
 */
export function planRegistrations(
  document: ConfigText,
  shape: Shape,
  wanted: readonly Wanted[],
  isOurs: Ownership,
): ConfigText {
  let current = document;
  for (const base of mapsOf(document, shape)) {
    current = withoutSurplus(current, shape, base, base === shape.base ? wanted : [], isOurs);
  }
  if (wanted.length > 0) current = withVersion(current, shape);
  for (const registration of wanted) current = place(current, shape, registration, isOurs);
  return current;
}

function withoutSurplus(
  document: ConfigText,
  shape: Shape,
  base: TreePath,
  wanted: readonly Wanted[],
  isOurs: Ownership,
): ConfigText {
  let current = document;
  for (;;) {
    const ours = surveyHandlers(current, shape, isOurs, base).filter((handler) => handler.ours);
    const last = ours.findLast((handler) => !isKept(handler, ours, wanted));
    if (!last) return current;
    current = editConfigText(current, { kind: "remove", at: removalPath(current, base, last) });
  }
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
function removalPath(
  document: ConfigText,
  base: TreePath,
  { event, group, index, groupSize }: Handler,
): TreePath {
  const list = [...base, event];
  if (groupSize > 1) return [...list, group, "hooks", index];
  const groups = nodeAt(document.root, list)?.children ?? [];
  if (groups.length > 1) return [...list, group];
  return base.length === 0 || membersOf(eventMapOf(document, base)).length > 1 ? list : base;
}

/** Another version than the one we know may mean anything. */
function withVersion(document: ConfigText, { version }: Shape): ConfigText {
  if (version === undefined) return document;
  if (!document.root) return editConfigText(document, { kind: "create", value: { version } });
  const stated = memberOf(document.root, "version")?.value;
  if (!stated) return editConfigText(document, { kind: "append", at: [], key: "version", value: version });
  if (stated.type === "number" && nodeValue(stated) === version) return document;
  const written = document.text.slice(stated.offset, stated.offset + stated.length);
  throw syntaxError(
    document.path,
    document.text,
    stated.offset,
    `version must be ${version}, not ${written}`,
  );
}

function place(document: ConfigText, shape: Shape, wanted: Wanted, isOurs: Ownership): ConfigText {
  const handlers = surveyHandlers(document, shape, isOurs);
  const kept = handlers.find(({ ours, event }) => ours && event === wanted.event);
  return kept ? mend(document, shape, kept, wanted) : add(document, shape, wanted);
}

function mend(document: ConfigText, shape: Shape, kept: Handler, { matcher, entry }: Wanted): ConfigText {
  const group = [...shape.base, kept.event, kept.group];
  const own = shape.grouped ? [...group, "hooks", kept.index] : group;
  const current = Bun.deepEquals(kept.value, entry, true)
    ? document
    : editConfigText(document, { kind: "replace", at: own, value: entry });
  if (!shape.grouped || sameMatcher(kept.matcher, matcher)) return current;
  const at = [...group, "matcher"];
  if (matcher === undefined) return editConfigText(current, { kind: "remove", at });
  if (kept.matcher === undefined) {
    return editConfigText(current, { kind: "append", at: group, key: "matcher", value: matcher });
  }
  return editConfigText(current, { kind: "replace", at, value: matcher });
}

function add(document: ConfigText, shape: Shape, { event, matcher, entry }: Wanted): ConfigText {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [entry] };
  const item = shape.grouped ? group : entry;
  const path = [...shape.base, event];
  // The innermost container on the way that is there already gets what is missing.
  for (let length = path.length; length >= 0; length--) {
    const at = path.slice(0, length);
    if (!nodeAt(document.root, at)) continue;
    const key = path[length];
    const value = nested(path.slice(length + 1), [item]);
    return key === undefined
      ? editConfigText(document, { kind: "append", at, value: item })
      : editConfigText(document, { kind: "append", at, key: String(key), value });
  }
  return editConfigText(document, { kind: "create", value: nested(path, [item]) });
}

const nested = (path: TreePath, value: JsonValue): JsonValue =>
  path.reduceRight<JsonValue>((inner, key) => ({ [String(key)]: inner }), value);

/** Whether a handler of somebody else has another position, which costs it the user's trust in Codex. */
export function foreignMoved(
  before: ConfigText,
  after: ConfigText,
  shape: Shape,
  isOurs: Ownership,
): boolean {
  const positions = (document: ConfigText) =>
    surveyHandlers(document, shape, isOurs)
      .filter(({ ours }) => !ours)
      .map(({ event, group, index }) => [event, group, index]);
  return !Bun.deepEquals(positions(before), positions(after), true);
}
