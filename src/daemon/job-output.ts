import { LogLines } from "../fs/log-lines.ts";
import { truncateUtf8 } from "../lib/text.ts";
import { createLineReader, type LineReader, type ShownLine } from "../review/agents/render/lines.ts";
import type { OutputLine } from "./api/job-output.ts";

const mebibyte = 1024 * 1024;
/** Of a log that is longer already, its end. */
const tailBytes = mebibyte;
const maxLineBytes = mebibyte;
/** Read before other work has its turn: milliseconds, also where all of it are line ends. */
const sliceBytes = 8 * 1024;
/** A reader keeps what it has read: after so much of it, another one goes on. */
const readerBytes = 8 * mebibyte;
const maxTextBytes = 16 * 1024;

export interface OutputPiece {
  lines: OutputLine[];
  /** The log has begun anew: lines before these belong to another run. */
  isAnew: boolean;
}

/** What a job's log holds, in lines for people, as it is written. Costs a few megabytes however long the log is. */
export class JobOutput {
  private readonly log: LogLines;
  private reader: LineReader | undefined;
  private fedBytes = 0;
  private run = 0;

  constructor(path: string) {
    this.log = new LogLines(path, { tailBytes, maxLineBytes });
  }

  /** Lines that were left out stand before those that were given. */
  get isTail(): boolean {
    return this.log.isTail;
  }

  /** What came since the last look; `agent` is the reviewer that writes, if it begins. */
  async *next(agent: string): AsyncGenerator<OutputPiece> {
    for await (const bytes of this.log.next()) {
      let isAnew = this.run !== 0 && this.run !== this.log.run;
      if (this.run !== this.log.run) this.reader = undefined;
      this.run = this.log.run;
      for (let at = 0; at < bytes.length; at += sliceBytes) {
        yield { lines: this.feed(agent, bytes.subarray(at, at + sliceBytes)), isAnew };
        isAnew = false;
        await new Promise(setImmediate);
      }
    }
  }

  /** What stands behind the last line end, too. */
  rest(agent: string): OutputLine[] {
    const rest = this.log.rest();
    const fed = rest.length > 0 ? this.feed(agent, rest) : [];
    return fed.concat((this.reader?.end() ?? []).map(outputLine));
  }

  private feed(agent: string, bytes: Uint8Array): OutputLine[] {
    let left: ShownLine[] = [];
    if (this.fedBytes > readerBytes) {
      left = this.reader?.end() ?? [];
      this.reader = undefined;
    }
    if (this.reader === undefined) {
      this.reader = createLineReader(agent);
      this.fedBytes = 0;
    }
    this.fedBytes += bytes.length;
    return left.concat(this.reader.feed(bytes)).map(outputLine);
  }
}

const types: Record<ShownLine["kind"], OutputLine["line_type"]> = {
  text: "text",
  reasoning: "reasoning",
  tool: "tool",
  note: "note",
  failure: "error",
  line: "other",
};

function outputLine({ kind, text }: ShownLine): OutputLine {
  const start = text.length * 3 > maxTextBytes ? truncateUtf8(text, maxTextBytes) : text;
  return { text: start === text ? text : `${start}…`, line_type: types[kind] };
}
