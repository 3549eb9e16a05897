/** Size of a text as UTF-8. */
export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");

/** Longest start of a text of at most `maxBytes`, never splitting a character. */
export function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > maxBytes) break;
    at += code < 0x10000 ? 1 : 2;
  }
  return text.slice(0, at);
}

/** A text in pieces of at most `maxBytes` (at least 4), in order and complete. */
export function pieces(text: string, maxBytes: number): string[] {
  const parts: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const part = cutBytes(rest, Math.max(4, maxBytes));
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts;
}
