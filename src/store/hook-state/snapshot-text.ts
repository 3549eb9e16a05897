import { type Snapshot, tablesOf } from "./snapshot.ts";

/** What the event loop is held up by at once: about 2 ms for rows that were never rendered. */
const chunkLength = 256 * 1024;

/** Renders snapshots. The text of a row is remembered as long as the row lives: rows are replaced, never changed. */
export class SnapshotText {
  /** Rows turned into text so far. */
  renderedRows = 0;
  private readonly texts = new WeakMap<object, string>();

  /** The whole file, in pieces of 256 KiB and at most one row more. The maps must stay as they are meanwhile. */
  *chunks({ generation, state }: Snapshot): Generator<string, void> {
    let chunk = `{\n  "generation": ${JSON.stringify(generation)}`;
    for (const [name, rows] of tablesOf(state)) {
      chunk += `,\n  "${name}": {`;
      let separator = "\n";
      for (const [key, row] of rows) {
        chunk += `${separator}    ${JSON.stringify(key)}: ${this.text(row)}`;
        separator = ",\n";
        if (chunk.length < chunkLength) continue;
        yield chunk;
        chunk = "";
      }
      chunk += rows.size > 0 ? "\n  }" : "}";
    }
    yield `${chunk}\n}\n`;
  }

  private text(row: object): string {
    const known = this.texts.get(row);
    if (known !== undefined) return known;
    const text = JSON.stringify(row, null, 2).replaceAll("\n", "\n    ");
    this.texts.set(row, text);
    this.renderedRows++;
    return text;
  }
}
