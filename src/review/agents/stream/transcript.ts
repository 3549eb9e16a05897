import type { TokenUsage } from "../../../store/schema.ts";
import { FinalText } from "./final-text.ts";
import { jsonLines } from "./json-lines.ts";
import type { JsonObject, StreamParser, StreamResult } from "./parser.ts";
import { sessionIdOf } from "./session-id.ts";

/** What was understood of a reviewer's output so far. */
export class Transcript {
  readonly said = new FinalText();
  recognised = false;
  sessionId: string | undefined;
  usage: TokenUsage | undefined;
  private failure: string | undefined;

  /** The first report is the cause; what follows is its consequence. */
  fail(message: string | undefined): void {
    this.failure ??= message?.trim() || "unknown error";
  }

  result(text = this.said.toString()): StreamResult {
    const { recognised, sessionId, usage, failure } = this;
    return {
      text,
      recognised,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(usage === undefined ? {} : { usage }),
      ...(failure === undefined ? {} : { failure }),
    };
  }
}

/**
 * A parser of a JSON object per line: `read` takes each, `finish` gives the text of the review, by default what was
 * said after the last tool call.
 */
export function jsonStream(
  read: (event: JsonObject, transcript: Transcript) => void,
  finish: (transcript: Transcript) => string = ({ said }) => said.toString(),
): StreamParser {
  const transcript = new Transcript();
  const lines = jsonLines((event) => {
    transcript.sessionId ??= sessionIdOf(event);
    read(event, transcript);
  });
  return {
    feed: lines.feed,
    end() {
      lines.end();
      return transcript.result(finish(transcript));
    },
  };
}
