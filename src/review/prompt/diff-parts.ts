import { byteLength, pieces } from "./bytes.ts";
import { type DiffFile, type DiffHunk, diffFileText, hunkText, parseDiff } from "./diff-file.ts";

/** Put where one line is longer than a part; diff readers skip lines that start with a backslash. */
export const continuation = "\\ roborev: the line above continues in the next part\n";

/** Room for a recomputed hunk header (without heading) and a `\` line. */
const hunkReserve = 192;

/** Below this the rest of a part is left empty rather than filled with the start of a file. */
const minStartBytes = 4096;

/**
 * A diff in parts of at most `maxBytes`, cut between files where possible, else between hunks, else between lines
 * (file header and hunk header with right line numbers repeated), and inside a line only where that alone is too long.
 * Every line is in exactly one part. If that makes more than `maxParts`, files are cut as well to fill the parts.
 * Undefined when a header leaves no room for content.
 */
export function diffParts(
  text: string,
  maxBytes: number,
  maxParts = Number.POSITIVE_INFINITY,
): string[] | undefined {
  const files = parseDiff(text);
  const parts = pack(files, new PartWriter(maxBytes, false));
  return parts && parts.length > maxParts ? pack(files, new PartWriter(maxBytes, true)) : parts;
}

function pack(files: DiffFile[], parts: PartWriter): string[] | undefined {
  for (const file of files) {
    const whole = diffFileText(file);
    if (byteLength(whole) <= (parts.tight ? parts.room : parts.maxBytes)) parts.addWhole(whole);
    else if (!addLargeFile(parts, file)) return undefined;
  }
  return parts.finish();
}

class PartWriter {
  readonly #parts: string[] = [];
  #text = "";
  #bytes = 0;

  constructor(
    readonly maxBytes: number,
    readonly tight: boolean,
  ) {}

  get room(): number {
    return this.maxBytes - this.#bytes;
  }

  /** Keeps the text in one part; it must fit into an empty one. */
  addWhole(text: string, opening = ""): void {
    if (byteLength(text) > this.room) this.next(opening);
    this.append(text);
  }

  append(text: string): void {
    this.#text += text;
    this.#bytes += byteLength(text);
  }

  /** Starts a new part, unless the current one holds nothing but this opening. */
  next(opening: string): void {
    if (this.#text === opening) return;
    if (this.#text !== "") this.#parts.push(this.#text);
    this.#text = "";
    this.#bytes = 0;
    this.append(opening);
  }

  finish(): string[] {
    this.next("");
    return this.#parts;
  }
}

function addLargeFile(parts: PartWriter, file: DiffFile): boolean {
  const header = file.header.join("");
  if (file.hunks.length === 0) {
    for (const line of file.header) for (const piece of pieces(line, parts.maxBytes)) parts.addWhole(piece);
    return true;
  }
  if (byteLength(header) > parts.maxBytes / 2) return false;
  if (!parts.tight || parts.room < byteLength(header) + minStartBytes) parts.next("");
  parts.append(header);
  for (const hunk of file.hunks) {
    const text = hunkText(hunk);
    const room = parts.tight ? parts.room : parts.maxBytes - byteLength(header);
    if (byteLength(text) <= room) parts.addWhole(text, header);
    else if (!addLargeHunk(parts, header, hunk)) return false;
  }
  return true;
}

/** Lines of a hunk on their way into a part, with where they start. */
class HunkSlice {
  #lines = "";
  #bytes = 0;
  #oldCount = 0;
  #newCount = 0;

  constructor(
    readonly hunk: DiffHunk,
    readonly oldStart: number,
    readonly newStart: number,
  ) {}

  get bytes(): number {
    return this.#bytes + byteLength(this.hunk.heading) + hunkReserve;
  }

  add(line: string): void {
    this.#lines += line;
    this.#bytes += byteLength(line);
    if (/^[- \n\r]/.test(line)) this.#oldCount++;
    if (/^[+ \n\r]/.test(line)) this.#newCount++;
  }

  /** The same place, with nothing in it yet. */
  restart(): HunkSlice {
    return new HunkSlice(this.hunk, this.oldStart, this.newStart);
  }

  following(): HunkSlice {
    return new HunkSlice(this.hunk, this.oldStart + this.#oldCount, this.newStart + this.#newCount);
  }

  toString(): string {
    if (this.#lines === "") return "";
    // An empty side starts at the line before it, as git counts.
    const start = (first: number, count: number) =>
      `${count === 0 ? Math.max(0, first - 1) : first},${count}`;
    const from = start(this.oldStart, this.#oldCount);
    const to = start(this.newStart, this.#newCount);
    return `@@ -${from} +${to} @@${this.hunk.heading}\n${this.#lines}`;
  }
}

function addLargeHunk(parts: PartWriter, header: string, hunk: DiffHunk): boolean {
  let slice = new HunkSlice(hunk, hunk.oldStart, hunk.newStart);
  const empty = slice.bytes;
  const lineRoom = parts.maxBytes - byteLength(header) - empty;
  if (lineRoom < 64) return false;
  const flush = () => {
    parts.append(slice.toString());
    slice = slice.following();
  };
  for (const line of hunk.lines) {
    const size = byteLength(line);
    if (line.startsWith("\\") && size <= 64) {
      slice.add(line); // within the reserve: it must stay with the line it is about
      continue;
    }
    if (slice.bytes + size > parts.room) {
      flush();
      parts.next(header);
    }
    if (size <= lineRoom) {
      slice.add(line);
      continue;
    }
    const sign = line.slice(0, 1);
    const rest = pieces(line.slice(1), lineRoom - sign.length - 1);
    for (const piece of rest.slice(0, -1)) {
      const place = slice.restart();
      slice.add(`${sign}${piece}\n${continuation}`);
      parts.append(slice.toString());
      slice = place;
      parts.next(header);
    }
    slice.add(`${sign}${rest.at(-1) ?? ""}`);
  }
  flush();
  return true;
}
