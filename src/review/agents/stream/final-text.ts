/** Collects what the assistant says after its last tool call: only that is the review, the rest is working output. */
export class FinalText {
  private readonly segments = new Map<string, string>();
  private unnamed = 0;

  /** A message with an id replaces its earlier state and keeps its place. */
  say(text: string, id?: string): void {
    this.segments.set(id ?? `\0${this.unnamed++}`, text);
  }

  /** A tool was used: what was said before was not the review. */
  reset(): void {
    this.segments.clear();
  }

  toString(): string {
    return [...this.segments.values()].filter((text) => text.trim() !== "").join("\n");
  }
}
