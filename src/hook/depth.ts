/** Deepest nesting that is parsed: JSON.parse itself takes a million levels, what reads the result does not. */
export const maxDepth = 64;

/** Follows the brackets of one JSON object, to see where it ends and how deep it goes without building it. */
export class ObjectScanner {
  /** The object's last bracket was seen. */
  complete = false;
  tooDeep = false;
  private depth = 0;
  private inString = false;
  private escaped = false;

  push(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length && !this.tooDeep; i++) this.step(bytes[i] as number);
  }

  private step(byte: number): void {
    if (this.escaped) {
      this.escaped = false;
      return;
    }
    switch (byte) {
      case 0x5c: // \
        this.escaped = this.inString;
        break;
      case 0x22: // "
        this.inString = !this.inString;
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (!this.inString) this.tooDeep = ++this.depth > maxDepth;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (!this.inString) this.complete = --this.depth === 0;
        break;
    }
  }
}

/** Whether JSON text nests deeper than is parsed here. Few brackets cannot, which spares looking at each byte. */
export function isTooDeep(text: string): boolean {
  if (countUpTo(text, "{", maxDepth + 1) + countUpTo(text, "[", maxDepth + 1) <= maxDepth) return false;
  const scanner = new ObjectScanner();
  scanner.push(new TextEncoder().encode(text));
  return scanner.tooDeep;
}

function countUpTo(text: string, character: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0 && count < most; at = text.indexOf(character, at + 1))
    count++;
  return count;
}
