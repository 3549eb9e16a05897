import type { TokenUsage } from "../../../store/schema.ts";
import type { FinalText } from "./final-text.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream } from "./transcript.ts";

const tools = new Set([
  "command_execution",
  "file_change",
  "mcp_tool_call",
  "web_search",
  "collab_tool_call",
]);

/** Parser of `codex exec --json` (https://developers.openai.com/codex/noninteractive). */
export function codexStream(): StreamParser {
  return jsonStream((event, transcript) => {
    const type = textField(event, "type") ?? "";
    if (!/^(thread|turn|item|error)\b/.test(type)) return;
    transcript.recognised = true;
    if (type.startsWith("item.")) readItem(type, event, transcript.said);
    else if (type === "turn.completed") transcript.usage = usageOf(event);
    // Reading goes on, because a retried turn still has a session and usage.
    else if (type === "turn.failed" || type === "error") transcript.fail(failureOf(event));
  });
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
  return innerMessage(message) ?? message;
}

/** The message within an error that is itself the JSON answer of a service. */
function innerMessage(text: string): string | undefined {
  try {
    const inner: unknown = JSON.parse(text);
    return isObject(inner) && isObject(inner.error) ? textField(inner.error, "message") : undefined;
  } catch {
    return undefined; // plain text, the usual case
  }
}

function usageOf(event: JsonObject): TokenUsage | undefined {
  if (!isObject(event.usage)) return undefined;
  return {
    input: numberField(event.usage, "input_tokens"),
    cached: numberField(event.usage, "cached_input_tokens"),
    output: numberField(event.usage, "output_tokens"),
  };
}
