import { isObject, type JsonObject } from "./parser.ts";

/** Hands over each line that is a JSON object, however long, and apart from them all other lines with text. */
export function jsonLines(
  onObject: (object: JsonObject, line: string) => void,
  onOther: (line: string) => void,
) {
  let pieces: Uint8Array[] = [];
  const flush = () => {
    const line = decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)).trim();
    pieces = [];
    const object = line.startsWith("{") ? parseObject(line) : undefined;
    if (object) onObject(object, line);
    else if (line !== "") onOther(line);
  };
  return {
    feed(chunk: Uint8Array): void {
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        pieces.push(chunk.subarray(start, end));
        flush();
        start = end + 1;
      }
      // Copied: the caller may reuse its buffer.
      if (start < chunk.length) pieces.push(chunk.slice(start));
    },
    end: flush,
  };
}

const newline = 0x0a;
const decoder = new TextDecoder();

function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // not an event: a warning of the program, or a line cut off by its end
  }
}
