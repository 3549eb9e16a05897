import type { TokenUsage } from "../../../store/schema.ts";
import type { StreamListener, ToolUse } from "./event.ts";
import { FinalText } from "./final-text.ts";
import { jsonLines } from "./json-lines.ts";
import { isObject, type JsonObject, type StreamParser, type StreamResult, textField } from "./parser.ts";
import { sessionIdOf } from "./session-id.ts";

/** What a failure is called that gives no reason. */
export const unknownError = "unknown error";

/** Reasons to stop that the programs pass on from the services of models. */
const stopped =
  /^(?:max_tokens|max_output_tokens|length|content[-_]filter|refusal|cancell?ed|model_context_window_exceeded)$/i;

/** What was understood of a reviewer's output so far, told to a listener as it comes. */
export class Transcript {
  readonly said = new FinalText();
  recognised = false;
  sessionId: string | undefined;
  usage: TokenUsage | undefined;
  private failure: string | undefined;
  /** Whether the last that was said is followed by the event that ends an answer. */
  private ended = false;
  private latestSession: string | undefined;
  private readonly toldTools = new Set<string>();
  /** All that was said in this conversation, without what lies between its parts. */
  private told = "";

  constructor(private readonly listener: StreamListener) {}

  /** A message of the assistant; one with an id replaces its earlier state. */
  say(text: string, id?: string): void {
    this.ended = false;
    const { fresh, isMore } = this.said.say(text, id);
    this.tell(fresh, isMore);
  }

  /** An answer is over; with a reason that means that the model was stopped, it is not whole. */
  end(reason?: string): void {
    this.ended = !stopped.test(reason ?? "");
  }

  /** A last word that repeats what was said, as a rule. */
  conclude(text: string | undefined): void {
    if (text?.trim() && !this.told.includes(text.trim())) this.tell(text, false);
  }

  think(text: string | undefined, { isMore = false } = {}): void {
    if (text) this.listener({ kind: "reasoning", text, isMore });
  }

  /** A remark of the program. */
  note(text: string | undefined): void {
    if (text?.trim()) this.listener({ kind: "note", text });
  }

  /** A tool is used: what was said before is working output. */
  useTool(name: string | undefined, input: unknown, id: string | undefined): void {
    this.said.reset();
    this.tellTool(name, input, id);
  }

  /** The same of a sub-agent, whose tools leave what was said alone. */
  tellTool(name: string | undefined, input: unknown, id: string | undefined): void {
    if (name === undefined || (id !== undefined && this.toldTools.has(id))) return;
    if (id !== undefined) this.toldTools.add(id);
    const tool: ToolUse = { name, input: inputOf(input), ...(id === undefined ? {} : { id }) };
    this.listener({ kind: "tool", tool });
  }

  /** The first report is the cause; what follows is its consequence. */
  fail(message: string | undefined): void {
    const text = message?.trim() || unknownError;
    this.failure ??= text;
    this.listener({ kind: "failure", text });
  }

  /** Notes the conversation that an event belongs to. */
  belongTo(session: string | undefined): void {
    if (session === undefined || session === this.latestSession) return;
    this.sessionId ??= session;
    this.latestSession = session;
    this.toldTools.clear();
    this.told = "";
    this.listener({ kind: "begin" });
  }

  private tell(text: string, isMore: boolean): void {
    this.told += text;
    if (text !== "") this.listener({ kind: "text", text, isMore });
  }

  result(text = this.said.toString()): StreamResult {
    const { recognised, sessionId, usage, failure } = this;
    return {
      text,
      recognised,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(usage === undefined ? {} : { usage }),
      ...(failure === undefined ? {} : { failure }),
      ...(recognised && !this.ended ? { isCut: true } : {}),
    };
  }
}

/** Some programs give a tool's input as text. */
function inputOf(input: unknown): JsonObject {
  if (isObject(input)) return input;
  if (typeof input !== "string" || input.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(input);
    return isObject(value) ? value : { input };
  } catch {
    return { input };
  }
}

/** How the lines of one program are read. */
export interface JsonFormat {
  /** Takes an event; false when it is none that this parser reads. */
  read(event: JsonObject, transcript: Transcript): boolean;
  /** The text of the review; by default what was said after the last tool call. */
  finish?(transcript: Transcript): string;
  /** Types of further events of the program, of which nobody needs to know. */
  asides?: RegExp;
}

/** A parser of a JSON object per line. */
export function jsonStream(
  { read, finish = ({ said }) => said.toString(), asides }: JsonFormat,
  listener: StreamListener = () => {},
): StreamParser {
  const transcript = new Transcript(listener);
  const tellLine = (text: string) => listener({ kind: "line", text });
  const lines = jsonLines((event, line) => {
    transcript.belongTo(sessionIdOf(event));
    if (read(event, transcript)) transcript.recognised = true;
    else if (!asides?.test(textField(event, "type") ?? "")) tellLine(line);
  }, tellLine);
  return {
    feed: lines.feed,
    end() {
      lines.end();
      return transcript.result(finish(transcript));
    },
  };
}
