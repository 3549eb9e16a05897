import { isAlias, isMap, isScalar, isSeq, type Node } from "yaml";
import { editModel, type Model } from "./model.ts";
import { outsideIsUnchanged, type Splice } from "./splice.ts";
import { nodeAt, type TreeEdit, unproved } from "./tree.ts";
import { parseAs, type YamlText } from "./yaml-text.ts";

/**
 * Checks an edit against an independent one on the meaning of the document, as YAML 1.2 and YAML 1.1 readers take it:
 * the new text means what the edit says, and nothing outside the spliced spans moved. Otherwise the edit is refused.
 */
export function proveYaml(
  before: YamlText,
  after: YamlText,
  edit: TreeEdit,
  splices: readonly Splice[],
): void {
  const meant = onNothing(before, edit);
  const proved =
    outsideIsUnchanged(before.text, after.text, splices) &&
    before.hasByteOrderMark === after.hasByteOrderMark &&
    means(before.document, after.document, meant) &&
    meansInOldYaml(before, after, meant);
  if (!proved) throw unproved(before.path);
}

type Parsed = YamlText["document"];

function means(before: Parsed, after: Parsed, edit: TreeEdit): boolean {
  const expected = withoutEmptyRoot(editModel(modelOf(before.contents), edit));
  const actual = modelOf(after.contents);
  return expected !== null && JSON.stringify(actual) === JSON.stringify(expected);
}

/** A file that readers of YAML 1.1 cannot read either way is judged by YAML 1.2 alone. */
function meansInOldYaml(before: YamlText, after: YamlText, edit: TreeEdit): boolean {
  const old = oldReading(before);
  if (old.errors.length > 0) return true;
  const changed = oldReading(after);
  return changed.errors.length === 0 && means(old, changed, edit);
}

const oldReadings = new WeakMap<YamlText, Parsed>();

/** Kept, because what one edit has made is what the next one starts from. */
function oldReading(document: YamlText): Parsed {
  const known = oldReadings.get(document) ?? parseAs("1.1", document.text);
  oldReadings.set(document, known);
  return known;
}

/** Something added to nothing is a first value there. */
function onNothing({ root }: YamlText, edit: TreeEdit): TreeEdit {
  if (edit.kind !== "append" || !nodeAt(root, edit.at)?.implicit) return edit;
  const value = edit.key === undefined ? [edit.value] : { [edit.key]: edit.value };
  return { kind: "replace", at: edit.at, value };
}

/** Null where the edit does not fit; undefined for a document without content, which a last removal leaves. */
function withoutEmptyRoot(model: Model | undefined): Model | undefined | null {
  if (model === undefined) return null;
  return "members" in model && model.members.length === 0 && !model.properties ? undefined : model;
}

/** Undefined for no content at all. */
function modelOf(node: unknown): Model | undefined {
  if (node === null || node === undefined) return undefined;
  if (isScalar(node) && node.value === null && !node.source) return undefined;
  return modelOfNode(node as Node);
}

function modelOfNode(node: Node | null): Model {
  if (node === null) return { scalar: "" };
  if (isAlias(node)) return { scalar: `*${node.source}` };
  const { anchor, tag } = node as { anchor?: string; tag?: string };
  const properties = anchor || tag ? { properties: `${anchor ?? ""} ${tag ?? ""}` } : {};
  if (isMap(node)) {
    return {
      ...properties,
      members: node.items.map(({ key, value }) => [keyOf(key as Node), modelOfNode(value as Node | null)]),
    };
  }
  if (isSeq(node))
    return { ...properties, items: node.items.map((item) => modelOfNode(item as Node | null)) };
  if (!isScalar(node)) return { scalar: "" };
  const text = typeof node.value === "string" ? JSON.stringify(node.value) : (node.source ?? "");
  return { ...properties, scalar: text };
}

const keyOf = (key: Node): string => (isScalar(key) ? String(key.value) : JSON.stringify(modelOfNode(key)));
