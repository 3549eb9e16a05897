import { safeMultiline } from "../../../lib/text.ts";
import { findReviewer } from "../registry.ts";
import type { StreamEvent, StreamListener } from "../stream/event.ts";
import type { StreamParser } from "../stream/parser.ts";
import { plainStream } from "../stream/plain.ts";
import { toolLine } from "./tool-line.ts";

export type Paint = (style: "bold" | "dim" | "red" | "yellow", text: string) => string;

/** One line of what a person reads. */
export interface ShownLine {
  /** What it comes from; `line`: no event of the program. */
  kind: Exclude<StreamEvent["kind"], "begin">;
  text: string;
  /** Words and deeds are set apart, and one conversation from the next. */
  isApart: boolean;
}

export interface LineReader {
  /** Chunks may end anywhere, within a character too. */
  feed(chunk: Uint8Array): ShownLine[];
  /** No more output: what is left. */
  end(): ShownLine[];
}

/**
 * Reads one reviewer's output as it comes; of a program that nobody knows, or `undefined`, every line is shown as it is.
 * A tool's use becomes one line, and what is no event of the program stays a line: no text is lost. Nothing of it is
 * a command to a terminal.
 */
export function createLineReader(reviewer: string | undefined, paint: Paint = (_, text) => text): LineReader {
  const page = new Page(paint);
  const parser = parserOf(reviewer, (event) => page.add(event));
  return {
    feed(chunk) {
      parser.feed(chunk);
      return page.take();
    },
    end() {
      parser.end();
      page.endLine();
      return page.take();
    },
  };
}

function parserOf(reviewer: string | undefined, listener: StreamListener): StreamParser {
  const known = reviewer === undefined ? undefined : findReviewer(reviewer);
  return known ? known.createParser(listener) : plainStream(listener);
}

/** Events that may go on in the middle of a line. */
type Flow = Extract<StreamEvent, { isMore: boolean }>;
type Own = Exclude<StreamEvent, Flow | { kind: "begin" }>;

/** What is shown, line by line; a line that is not complete waits. */
class Page {
  private shown: ShownLine[] = [];
  private line = "";
  private flow: Flow["kind"] | undefined;
  /** What stands above. */
  private above: { kind: StreamEvent["kind"]; text: string } | undefined;

  constructor(private readonly paint: Paint) {}

  add(event: StreamEvent): void {
    if (event.kind === "text" || event.kind === "reasoning") {
      this.write(event);
      return;
    }
    this.endLine();
    if (event.kind !== "begin") this.print(event.kind, this.ownLine(event));
    else if (this.above) this.above = { kind: "begin", text: this.above.text };
  }

  take(): ShownLine[] {
    const { shown } = this;
    this.shown = [];
    return shown;
  }

  /** Shows the line that waits. */
  endLine(): void {
    const { line, flow } = this;
    this.line = "";
    this.flow = undefined;
    if (line !== "" && flow !== undefined) this.print(flow, this.styled(flow, line));
  }

  private write({ kind, text, isMore }: Flow): void {
    if (!isMore || this.flow !== kind) this.endLine();
    this.flow = kind;
    const lines = `${this.line}${text}`.split("\n");
    this.line = lines.pop() ?? "";
    for (const line of lines) this.print(kind, this.styled(kind, line));
  }

  private ownLine(event: Own): string {
    if (event.kind === "tool") {
      const { name, detail } = toolLine(event.tool);
      return `→ ${this.paint("bold", name)}${detail === "" ? "" : ` ${detail}`}`;
    }
    const text = safe(event.text);
    if (event.kind === "failure") return this.paint("red", `Failed: ${text}`);
    return event.kind === "note" ? this.paint("yellow", text) : text;
  }

  private styled(kind: Flow["kind"], line: string): string {
    const text = safe(line);
    return kind === "reasoning" && text !== "" ? this.paint("dim", text) : text;
  }

  private print(kind: ShownLine["kind"], text: string): void {
    const { above } = this;
    if (kind === "failure" && above?.kind === kind && above.text === text) return; // once, however often it is told
    const isOther =
      above !== undefined && (above.kind === "begin" || (above.kind === "tool") !== (kind === "tool"));
    this.above = { kind, text };
    this.shown.push({ kind, text, isApart: isOther && above.text.trim() !== "" && text.trim() !== "" });
  }
}

/** Without colours of the program's own, whose ends would be left over when only their escapes go. */
const safe = (text: string): string =>
  text === "" ? text : safeMultiline(text.replace(/\u001b\[[0-9;]*m/g, "").replace(/[\r\n]+$/, ""));
