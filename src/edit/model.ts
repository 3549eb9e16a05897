import type { JsonValue, TreeEdit, TreePath } from "./tree.ts";

/**
 * What a document means, keeping what a JavaScript value would lose: member order, duplicates, digits of numbers;
 * `properties`: anchor and tag in YAML.
 */
export type Model = { properties?: string } & (
  | { members: [string, Model][] }
  | { items: Model[] }
  | { scalar: string }
);

export function modelOfValue(value: JsonValue): Model {
  if (Array.isArray(value)) return { items: value.map(modelOfValue) };
  if (typeof value === "object" && value !== null) {
    return { members: Object.entries(value).map(([key, child]) => [key, modelOfValue(child)]) };
  }
  return { scalar: JSON.stringify(value) };
}

/** The edit, made on the meaning: what the edited text has to mean. Undefined where it does not fit. */
export function editModel(model: Model | undefined, edit: TreeEdit): Model | undefined {
  if (edit.kind === "create") return model ? undefined : modelOfValue(edit.value);
  if (edit.kind === "replace") return change(model, edit.at, () => modelOfValue(edit.value));
  if (edit.kind === "append") {
    const added = modelOfValue(edit.value);
    return change(model, edit.at, (target) => {
      if ("members" in target && edit.key !== undefined)
        return { ...target, members: [...target.members, [edit.key, added]] };
      if ("items" in target && edit.key === undefined) return { ...target, items: [...target.items, added] };
      return undefined;
    });
  }
  const step = edit.at.at(-1);
  return change(model, edit.at.slice(0, -1), (target) => {
    if ("members" in target) {
      const index = target.members.findIndex(([key]) => key === step);
      return { ...target, members: target.members.filter((_, at) => at !== index) };
    }
    return "items" in target ? { ...target, items: target.items.filter((_, at) => at !== step) } : undefined;
  });
}

/** The model with the part at `path` changed; undefined where path or change does not fit. */
function change(
  model: Model | undefined,
  path: TreePath,
  apply: (target: Model) => Model | undefined,
): Model | undefined {
  if (!model) return undefined;
  const [step, ...rest] = path;
  if (step === undefined) return apply(model);
  if ("members" in model) {
    const index = model.members.findIndex(([key]) => key === step);
    const child = change(model.members[index]?.[1], rest, apply);
    return (
      child && {
        ...model,
        members: model.members.map((member, at) => (at === index ? [member[0], child] : member)),
      }
    );
  }
  if (!("items" in model) || typeof step !== "number") return undefined;
  const child = change(model.items[step], rest, apply);
  return child && { ...model, items: model.items.map((item, at) => (at === step ? child : item)) };
}
