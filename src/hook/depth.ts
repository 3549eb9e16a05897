const quote = 0x22;
const backslash = 0x5c;
const openers = new Set([0x7b, 0x5b]); // { [
const closers = new Set([0x7d, 0x5d]); // } ]
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Deepest nesting that is parsed: JSON.parse itself takes a million levels, what reads the result does not. */
export const maxDepth = 64;

/** Follows the brackets of one JSON object while its bytes arrive, so that its end is seen without waiting for EOF. */
export class ObjectScanner {
  /** The object's last bracket was seen. */
  complete = false;
  /** Why this is not exactly one object of bearable depth; the first reason stays. */
  problem: string | undefined;
  private depth = 0;
  private inString = false;
  private escaped = false;
  private position = 0;

  push(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length && this.problem === undefined; i++) this.step(bytes[i] as number);
  }

  private step(byte: number): void {
    const position = this.position++;
    if (this.inString) {
      if (this.escaped) this.escaped = false;
      else if (byte === backslash) this.escaped = true;
      else if (byte === quote) this.inString = false;
    } else if (this.depth === 0) this.outside(byte, position);
    else if (byte === quote) this.inString = true;
    else if (openers.has(byte)) {
      if (++this.depth > maxDepth) this.problem = `the payload nests deeper than ${maxDepth} levels`;
    } else if (closers.has(byte)) this.complete = --this.depth === 0;
  }

  private outside(byte: number, position: number): void {
    if (blanks.has(byte) || byte === byteOrderMark[position]) return;
    if (this.complete) this.problem = "the payload is followed by more text";
    else if (byte !== 0x7b) this.problem = "the payload is not a JSON object";
    else this.depth = 1;
  }
}
