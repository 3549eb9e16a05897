/** Collects what the assistant says after its last tool call: only that is the review, the rest is working output. */
export class FinalText {
  private readonly segments = new Map<string, string>();
  private unnamed = 0;

  /** A message with an id replaces its earlier state and keeps its place. Returns what of it is new. */
  say(text: string, id?: string): { fresh: string; isMore: boolean } {
    const key = id ?? `\0${this.unnamed++}`;
    const before = this.segments.get(key);
    this.segments.set(key, text);
    if (!before || !text.startsWith(before)) return { fresh: text, isMore: false };
    return { fresh: text.slice(before.length), isMore: true };
  }

  /** A tool was used: what was said before was not the review. */
  reset(): void {
    this.segments.clear();
  }

  toString(): string {
    return [...this.segments.values()].filter((text) => text.trim() !== "").join("\n");
  }
}
