import type { TokenUsage } from "../../../store/schema.ts";
import type { StreamListener } from "./event.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream, type Transcript, unknownError } from "./transcript.ts";

/** What each kind of item that is a tool's use is called, and what it was given. */
const tools: Readonly<Record<string, (item: JsonObject) => [name: string | undefined, input: unknown]>> = {
  command_execution: (item) => ["Bash", { command: item.command }],
  file_change: (item) => ["Edit", { path: changedPaths(item) }],
  mcp_tool_call: (item) => [[item.server, item.tool].filter(Boolean).join("."), item.arguments],
  web_search: (item) => ["WebSearch", { query: item.query }],
  collab_tool_call: (item) => [textField(item, "tool") ?? "Agent", { prompt: item.prompt }],
};

function changedPaths({ changes }: JsonObject): string {
  const list = Array.isArray(changes) ? changes.filter(isObject) : [];
  return list.flatMap((change) => textField(change, "path") ?? []).join(", ");
}

/** Parser of `codex exec --json` (https://developers.openai.com/codex/noninteractive). */
export function codexStream(listener?: StreamListener): StreamParser {
  const read = (event: JsonObject, transcript: Transcript) => {
    const type = textField(event, "type") ?? "";
    if (!/^(thread|turn|item|error)\b/.test(type)) return false;
    if (type.startsWith("item.")) readItem(type, event, transcript);
    else if (type === "turn.completed") {
      transcript.end();
      transcript.usage = usageOf(event);
    }
    // Reading goes on, because a retried turn still has a session and usage.
    else if (type === "turn.failed" || type === "error") transcript.fail(failureOf(event));
    return true;
  };
  return jsonStream({ read }, listener);
}

/**
 * A command that the sandbox stops at once is not announced (measured with 0.171.0), so a remark before it stays in.
 * An item of type `error` is a warning of the program (an unknown model, an ignored setting), not a failed turn.
 */
function readItem(type: string, event: JsonObject, transcript: Transcript): void {
  if (!isObject(event.item)) return;
  const { item } = event;
  const kind = textField(item, "type") ?? "";
  const id = textField(item, "id");
  const tool = Object.hasOwn(tools, kind) ? tools[kind] : undefined;
  if (tool) transcript.useTool(...tool(item), id);
  else if (kind === "agent_message" && type !== "item.started")
    transcript.say(textField(item, "text") ?? "", id);
  else if (type !== "item.completed") return;
  else if (kind === "reasoning") transcript.think(textField(item, "text"));
  else if (kind === "error") transcript.note(textField(item, "message"));
}

/** The service's own message where Codex passes on its JSON answer. */
function failureOf(event: JsonObject): string {
  const error = isObject(event.error) ? event.error : event;
  const message = textField(error, "message") ?? unknownError;
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
