import fc from "fast-check";
import type { JsonValue } from "../../src/edit/tree.ts";

/** A way of writing JSON down; `noise` sprinkles comments, odd white space and trailing commas. */
export interface Layout {
  kind: "pretty" | "compact" | "spaced" | "noisy";
  unit: string;
  eol: string;
  byteOrderMark: boolean;
  finalBreak: boolean;
  seed: number;
}

export const layouts: fc.Arbitrary<Layout> = fc.record({
  kind: fc.constantFrom("pretty", "pretty", "compact", "spaced", "noisy" as const),
  unit: fc.constantFrom("  ", "    ", "\t", "   ", ""),
  eol: fc.constantFrom("\n", "\r\n"),
  byteOrderMark: fc.boolean(),
  finalBreak: fc.boolean(),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
});

/** A number that JavaScript cannot hold, written through unchanged. */
export const bigNumber = "@big:";
const texts = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("ünï", "a\u2028b", "// no comment", "/* */", "😀", '"', "\\", "\u0000", "]", "}"),
);

export const values: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(
      texts,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(`${bigNumber}12345678901234567890`),
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    objects(tie("value")),
  ),
})).value;

export function objects(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<{ [key: string]: JsonValue }> {
  return fc
    .uniqueArray(fc.tuple(texts, value), { maxLength: 4, selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries.filter(([key]) => key !== "__proto__")));
}

/** Writes `value` down as `layout` says, always in the same way. */
export function write(value: JsonValue, layout: Layout): string {
  const random = generator(layout.seed);
  const chance = (probability: number) => layout.kind === "noisy" && random() < probability;
  const gap = (): string => {
    if (!chance(0.5)) return "";
    const kinds = [" ", "  ", layout.eol, `/* c */`, ` // "c" }${layout.eol}`, `\t`, `/* a${layout.eol}b */`];
    return kinds[Math.floor(random() * kinds.length)] ?? "";
  };
  const print = (node: JsonValue, indent: string): string => {
    if (typeof node === "string" && node.startsWith(bigNumber)) return node.slice(bigNumber.length);
    if (typeof node !== "object" || node === null) return JSON.stringify(node);
    const isArray = Array.isArray(node);
    const inner = indent + layout.unit;
    const colon = layout.kind === "compact" ? ":" : ": ";
    const items = isArray
      ? node.map((child) => print(child, inner))
      : Object.entries(node).map(
          ([key, child]) => JSON.stringify(key) + gap() + colon + gap() + print(child, inner),
        );
    const [open, close] = isArray ? ["[", "]"] : ["{", "}"];
    if (items.length === 0) return `${open}${gap()}${close}`;
    const trailing = chance(0.3) ? `,${gap()}` : "";
    const onLines = layout.kind === "pretty" || chance(0.6);
    const lead = onLines ? layout.eol + inner : layout.kind === "compact" ? "" : " ";
    const body = items.map((item) => gap() + item + gap()).join(`,${onLines ? layout.eol + inner : lead}`);
    return `${open}${onLines ? lead : ""}${body}${trailing}${onLines ? layout.eol + indent : ""}${close}`;
  };
  const body = gap() + print(value, "") + gap();
  return `${layout.byteOrderMark ? "\ufeff" : ""}${body}${layout.finalBreak ? layout.eol : ""}`;
}

/** xorshift32: the text depends on the seed only. */
export function generator(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
