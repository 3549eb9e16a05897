import type { JsonObject } from "./parser.ts";

/** A tool that the reviewer used, as its program names it. */
export interface ToolUse {
  name: string;
  input: JsonObject;
  /** The same call is told several times: when it begins, and when it ends. */
  id?: string;
}

/** What a reviewer's output says, in the order in which it says it; for those who watch it. */
export type StreamEvent =
  /** Another conversation: ids begin anew. */
  | { kind: "begin" }
  /** `isMore`: the text goes on where the one before it ended. */
  | { kind: "text"; text: string; isMore: boolean }
  | { kind: "reasoning"; text: string; isMore: boolean }
  | { kind: "tool"; tool: ToolUse }
  /** The program's own report that it failed, or its warning. */
  | { kind: "failure" | "note"; text: string }
  /** A line that is no event of this program. */
  | { kind: "line"; text: string };

export type StreamListener = (event: StreamEvent) => void;
