// Control, bidirectional and zero-width characters: invisible in a terminal or able to reorder what is shown.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;
const unsafeButNewline =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** Text of a stranger (branch, path, subject) for one line of output: no control characters, single spaces. */
export function singleLine(text: string): string {
  return text.replace(unsafe, " ").replace(/ +/g, " ").trim();
}

/** Text of a stranger that may span lines (a review): newlines and tabs stay, everything invisible goes. */
export function safeMultiline(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\t/g, "  ").replace(unsafeButNewline, "");
}

/** A hostile name as a quoted label of at most 64 code points; empty when nothing is left of it. */
export function quotedLabel(name: string): string {
  const clean = [...singleLine(name.replaceAll('"', ""))].slice(0, 64).join("").trim();
  return clean === "" ? "" : `"${clean}"`;
}

/** First `max` bytes of UTF-8 text, never splitting a character. */
export function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  let end = Math.max(0, maxBytes);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end));
}

/** `1 review`, `2 reviews`. */
export function plural(count: number, singular: string, many = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : many}`;
}
