/** Replaces `length` characters at `offset` with `text`. */
export interface Splice {
  offset: number;
  length: number;
  text: string;
}

/** Applies splices given in ascending order; they must not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices) {
    result += text.slice(at, splice.offset) + splice.text;
    at = splice.offset + splice.length;
  }
  return result + text.slice(at);
}

/** Whether `after` differs from `before` in the spliced spans only. */
export function outsideIsUnchanged(before: string, after: string, splices: readonly Splice[]): boolean {
  let beforeAt = 0;
  let afterAt = 0;
  for (const { offset, length, text } of splices) {
    if (offset < beforeAt) return false;
    const kept = before.slice(beforeAt, offset);
    if (after.slice(afterAt, afterAt + kept.length) !== kept) return false;
    afterAt += kept.length + text.length;
    beforeAt = offset + length;
  }
  return after.slice(afterAt) === before.slice(beforeAt);
}
