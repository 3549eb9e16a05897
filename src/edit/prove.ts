import type { Node } from "jsonc-parser";
import { RoborevError } from "../lib/errors.ts";
import type { JsonEdit } from "./json.ts";
import {
  elementsOf,
  isPlainJson,
  type JsonPath,
  type JsonText,
  type JsonValue,
  membersOf,
} from "./json-text.ts";
import { outsideIsUnchanged, type Splice } from "./splice.ts";

// What a document means, keeping what a JavaScript value would lose: member order, duplicates, digits of numbers.
type Model = { members: [string, Model][] } | { items: Model[] } | { scalar: string };

/**
 * Checks an edit against an independent one on the meaning of the document: the new text means what the edit
 * says, nothing outside the spliced spans moved, and plain JSON stayed plain. Otherwise the edit is refused.
 */
export function proveJson(
  before: JsonText,
  after: JsonText,
  edit: JsonEdit,
  splices: readonly Splice[],
): void {
  const expected = editModel(before.root && modelOf(before.root, before.text), edit);
  const actual = after.root && modelOf(after.root, after.text);
  const proved =
    expected !== undefined &&
    JSON.stringify(actual) === JSON.stringify(expected) &&
    outsideIsUnchanged(before.text, after.text, splices) &&
    before.hasByteOrderMark === after.hasByteOrderMark &&
    (!isPlainJson(before) || isPlainJson(after));
  if (!proved) {
    throw new RoborevError(`${before.path}: the planned change could not be proved safe`, {
      code: "E_UNPROVED",
      hint: "Nothing was changed; please report the layout of this file as a bug.",
    });
  }
}

function modelOf(node: Node, text: string): Model {
  if (node.type === "object") {
    return { members: membersOf(node).map(({ key, value }) => [key, modelOf(value, text)]) };
  }
  if (node.type === "array") return { items: elementsOf(node).map((element) => modelOf(element, text)) };
  if (node.type === "string") return { scalar: JSON.stringify(node.value) };
  return { scalar: text.slice(node.offset, node.offset + node.length) };
}

function modelOfValue(value: JsonValue): Model {
  if (Array.isArray(value)) return { items: value.map(modelOfValue) };
  if (typeof value === "object" && value !== null) {
    return { members: Object.entries(value).map(([key, child]) => [key, modelOfValue(child)]) };
  }
  return { scalar: JSON.stringify(value) };
}

function editModel(model: Model | undefined, edit: JsonEdit): Model | undefined {
  if (edit.kind === "create") return model ? undefined : modelOfValue(edit.value);
  if (edit.kind === "replace") return change(model, edit.at, () => modelOfValue(edit.value));
  if (edit.kind === "append") {
    const added = modelOfValue(edit.value);
    return change(model, edit.at, (target) => {
      if ("members" in target && edit.key !== undefined)
        return { members: [...target.members, [edit.key, added]] };
      if ("items" in target && edit.key === undefined) return { items: [...target.items, added] };
      return undefined;
    });
  }
  const step = edit.at.at(-1);
  return change(model, edit.at.slice(0, -1), (target) => {
    if ("members" in target) {
      const index = target.members.findIndex(([key]) => key === step);
      return { members: target.members.filter((_, at) => at !== index) };
    }
    return "items" in target ? { items: target.items.filter((_, at) => at !== step) } : undefined;
  });
}

/** The model with the part at `path` changed; undefined where path or change does not fit. */
function change(
  model: Model | undefined,
  path: JsonPath,
  apply: (target: Model) => Model | undefined,
): Model | undefined {
  if (!model) return undefined;
  const [step, ...rest] = path;
  if (step === undefined) return apply(model);
  if ("members" in model) {
    const index = model.members.findIndex(([key]) => key === step);
    const child = change(model.members[index]?.[1], rest, apply);
    return (
      child && { members: model.members.map((member, at) => (at === index ? [member[0], child] : member)) }
    );
  }
  if (!("items" in model) || typeof step !== "number") return undefined;
  const child = change(model.items[step], rest, apply);
  return child && { items: model.items.map((item, at) => (at === step ? child : item)) };
}
