/** How hard a reviewer thinks, from cheapest to dearest. Each reviewer program maps these to its own words. */
export const reasoningLevels = ["fast", "standard", "medium", "thorough", "maximum"] as const;
export type ReasoningLevel = (typeof reasoningLevels)[number];

const aliases: Record<string, ReasoningLevel> = {
  low: "fast",
  high: "thorough",
  max: "maximum",
  xhigh: "maximum",
};

/** A level or one of its other spellings (`low`, `high`, `max`, `xhigh`), whatever its case; undefined for anything else. */
export function tryParseReasoning(text: string): ReasoningLevel | undefined {
  const word = text.trim().toLowerCase();
  return (
    reasoningLevels.find((level) => level === word) ??
    (Object.hasOwn(aliases, word) ? aliases[word] : undefined)
  );
}
