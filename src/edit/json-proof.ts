import { isPlainJson, type JsonText } from "./json-text.ts";
import { editModel, type Model } from "./model.ts";
import { outsideIsUnchanged, type Splice } from "./splice.ts";
import { elementsOf, membersOf, type TextNode, type TreeEdit, unproved } from "./tree.ts";

/**
 * Checks an edit against an independent one on the meaning of the document: the new text means what the edit
 * says, nothing outside the spliced spans moved, and plain JSON stayed plain. Otherwise the edit is refused.
 */
export function proveJson(
  before: JsonText,
  after: JsonText,
  edit: TreeEdit,
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
  if (!proved) throw unproved(before.path);
}

function modelOf(node: TextNode, text: string): Model {
  if (node.type === "object") {
    return { members: membersOf(node).map(({ key, value }) => [key, modelOf(value, text)]) };
  }
  if (node.type === "array") return { items: elementsOf(node).map((element) => modelOf(element, text)) };
  if (node.type === "string") return { scalar: JSON.stringify(node.value) };
  return { scalar: text.slice(node.offset, node.offset + node.length) };
}
