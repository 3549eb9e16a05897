import type { TokenUsage } from "../../../store/schema.ts";
import { FinalText } from "./final-text.ts";
import { jsonLines } from "./json-lines.ts";
import {
  isObject,
  type JsonObject,
  numberField,
  type StreamParser,
  type StreamResult,
  textField,
} from "./parser.ts";
import { sessionIdOf } from "./session-id.ts";

const tools = new Set([
  "command_execution",
  "file_change",
  "mcp_tool_call",
  "web_search",
  "collab_tool_call",
]);

/** Parser of `codex exec --json` (https://developers.openai.com/codex/noninteractive). */
export function codexStream(): StreamParser {
  const said = new FinalText();
  let sessionId: string | undefined;
  let usage: TokenUsage | undefined;
  let failure: string | undefined;
  let recognised = false;

  const lines = jsonLines((event) => {
    const type = textField(event, "type") ?? "";
    sessionId ??= sessionIdOf(event);
    if (!/^(thread|turn|item|error)\b/.test(type)) return;
    recognised = true;
    if (type.startsWith("item.")) readItem(type, event, said);
    else if (type === "turn.completed") usage = usageOf(event);
    // The first report is the cause; reading goes on, because a retried turn still has a session and usage.
    else if (type === "turn.failed" || type === "error") failure ??= failureOf(event);
  });

  return {
    feed: lines.feed,
    end(): StreamResult {
      lines.end();
      return {
        text: said.toString(),
        recognised,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(usage === undefined ? {} : { usage }),
        ...(failure === undefined ? {} : { failure }),
      };
    },
  };
}

/**
 * A command that the sandbox stops at once is not announced (measured with 0.171.0), so a remark before it stays in.
 * An item of type `error` is a warning of the program (an unknown model, an ignored setting), not a failed turn.
 */
function readItem(type: string, event: JsonObject, said: FinalText): void {
  if (!isObject(event.item)) return;
  const { item } = event;
  const kind = textField(item, "type") ?? "";
  if (tools.has(kind)) said.reset();
  else if (kind === "agent_message" && type !== "item.started")
    said.say(textField(item, "text") ?? "", textField(item, "id"));
}

/** The service's own message where Codex passes on its JSON answer. */
function failureOf(event: JsonObject): string {
  const error = isObject(event.error) ? event.error : event;
  const message = textField(error, "message") ?? "unknown error";
  try {
    const inner: unknown = JSON.parse(message);
    if (isObject(inner) && isObject(inner.error)) return textField(inner.error, "message") ?? message;
  } catch {
    // Plain text, the usual case.
  }
  return message;
}

function usageOf(event: JsonObject): TokenUsage | undefined {
  if (!isObject(event.usage)) return undefined;
  return {
    input: numberField(event.usage, "input_tokens"),
    cached: numberField(event.usage, "cached_input_tokens"),
    output: numberField(event.usage, "output_tokens"),
  };
}
