import { byteLength, cutBytes } from "./bytes.ts";

/** A part of a prompt that can give way. */
export interface Part {
  full: string;
  /** The part within `maxBytes`, or as small as it goes. */
  shrink(maxBytes: number): string;
}

/** A part that is there or not, in whole. */
export const fixedPart = (text: string): Part => ({ full: text, shrink: () => text });

export const joinParts = (texts: string[]): string => texts.filter((text) => text !== "").join("\n\n");

/**
 * The parts, in the order given, within `maxBytes` once joined; those of `trimOrder` give way one after the other.
 * Undefined when even all of them together cannot give enough.
 */
export function fitParts(parts: Part[], trimOrder: Part[], maxBytes: number): string[] | undefined {
  const texts = new Map(parts.map((part) => [part, part.full]));
  const result = () => parts.map((part) => texts.get(part) ?? "");
  for (const part of trimOrder) {
    const excess = byteLength(joinParts(result())) - maxBytes;
    if (excess <= 0) return result();
    texts.set(part, part.shrink(Math.max(0, byteLength(texts.get(part) ?? "") - excess)));
  }
  return byteLength(joinParts(result())) <= maxBytes ? result() : undefined;
}

/** A part made of entries of which the first give way first. */
export function entriesPart(render: (entries: string[]) => string, entries: string[]): Part {
  const text = (from: number) => (from >= entries.length ? "" : render(entries.slice(from)));
  return {
    full: text(0),
    shrink(maxBytes) {
      let low = 0; // smallest number of dropped entries that fits; the size only falls with it
      let high = entries.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (byteLength(text(middle)) > maxBytes) low = middle + 1;
        else high = middle;
      }
      return text(low);
    },
  };
}

/** A part around one quoted text that is cut at a line end; below `minBytes` of text it goes altogether. */
export function textPart(render: (text: string) => string, text: string, minBytes = 256): Part {
  if (text === "") return fixedPart("");
  return {
    full: render(text),
    shrink(maxBytes) {
      const room = maxBytes - byteLength(render(""));
      return room < minBytes ? "" : render(cutAtLineEnd(text, room));
    },
  };
}

const cutNote = "| [cut here: the rest did not fit]";

/** Quoted text within `maxBytes`: whole lines if possible, and a note that the rest is missing. */
export function cutAtLineEnd(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  const room = maxBytes - byteLength(cutNote) - 1;
  if (room < 0) return "";
  const start = cutBytes(text, room);
  const end = start.lastIndexOf("\n");
  return `${end === -1 ? start : start.slice(0, end)}\n${cutNote}`;
}
