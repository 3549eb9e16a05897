/** Keeps the last bytes of a stream. */
export class OutputTail {
  private bytes = new Uint8Array(0);

  constructor(private readonly maxBytes: number) {}

  feed(chunk: Uint8Array): void {
    const all = Buffer.concat([this.bytes, chunk]);
    this.bytes = Uint8Array.from(all.subarray(Math.max(0, all.length - this.maxBytes)));
  }

  toString(): string {
    // A character that was cut in half at the front is left out.
    return new TextDecoder().decode(this.bytes).replace(/^\ufffd+/, "");
  }
}
