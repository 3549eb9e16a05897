import { type Model, screenOf } from "./model.ts";

/** Below this height there is room for nothing but the title and the list. */
const compactRows = 15;

export const isCompact = ({ isFocused, size }: Pick<Model, "isFocused" | "size">): boolean =>
  isFocused || size.rows < compactRows;

/** Title, state of the daemon and the names of the columns above the list; below it the keys. */
export function listRows(model: Pick<Model, "isFocused" | "size">): number {
  return Math.max(1, model.size.rows - (isCompact(model) ? 1 : 4));
}

/** Lines of a page over the queue: it has a title of two lines and one line of keys. */
export function pageRows({ size }: Pick<Model, "size">): number {
  return Math.max(1, size.rows - 3);
}

/** Row of the screen on which the list begins. */
export const listTop = (model: Pick<Model, "isFocused" | "size">): number => (isCompact(model) ? 1 : 3);

/** Text wider than this is hard to read. */
export const textWidth = ({ size }: Pick<Model, "size">): number => Math.max(1, Math.min(size.columns, 100));

export const isAtQueue = (model: Model): boolean => screenOf(model) === undefined;

const splitColumns = 140;
const splitRows = 36;

/** Whether the review of the selected job stands beside the list. */
export const isSplit = (model: Pick<Model, "isFocused" | "isSplit" | "size">): boolean =>
  model.isSplit && !isCompact(model) && model.size.columns >= splitColumns && model.size.rows >= splitRows;

/** Width of what stands beside the list; the list has the rest, but for a line between them. */
export const detailWidth = ({ size }: Pick<Model, "size">): number =>
  Math.min(100, Math.floor(size.columns / 2));

/** Rows of a review beside the list: its title takes two, and one is left free. */
export const detailRows = (model: Pick<Model, "isFocused" | "size">): number => listRows(model) - 2;

/** A model as wide as the place beside the list less a margin, for what is drawn there. */
export const besideList = (model: Model): Model => ({
  ...model,
  size: { columns: detailWidth(model) - 1, rows: model.size.rows },
});
