import type { TokenUsage } from "../../../store/schema.ts";
import type { StreamListener } from "./event.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream, type Transcript, unknownError } from "./transcript.ts";

/** In what the programs that took over this format differ from it. */
export interface Dialect {
  /** `result` repeats all that was said, working output too; by default it is the last message. */
  resultRepeatsAll?: boolean;
  /** `input_tokens` counts cached tokens as well; by default they are counted beside it. */
  inputIncludesCached?: boolean;
}

/** Parser of `claude -p --output-format stream-json` (https://code.claude.com/docs/en/headless). */
export function claudeStream(dialect: Dialect = {}, listener?: StreamListener): StreamParser {
  const readMessage = blockReader();
  let result: string | undefined;
  let heard = false;

  const finish = ({ said }: Transcript) => {
    const text = said.toString();
    return dialect.resultRepeatsAll && heard ? text : reviewText(result, text);
  };
  const read = (event: JsonObject, transcript: Transcript) => {
    if (isString(event.parent_tool_use_id)) {
      showInner(event, transcript);
      return false;
    }
    if (event.type === "assistant") {
      heard = true;
      readMessage(event, transcript);
    } else if (event.type === "tool_call") {
      transcript.useTool(...cursorTool(event), textField(event, "call_id"));
    } else if (event.type === "result") {
      transcript.end(textField(event, "stop_reason"));
      transcript.usage = usageOf(event, dialect);
      if (failed(event)) transcript.fail(failureOf(event));
      else {
        result = textField(event, "result");
        transcript.conclude(result);
      }
    } else {
      if (event.type === "thinking") transcript.think(textField(event, "text"), { isMore: true });
      return false;
    }
    return true;
  };
  return jsonStream({ read, finish, asides }, listener);
}

/** What the program tells of itself, repeats of what it was given, and what was shown already. */
const asides =
  /^(?:system|user|assistant|thinking|stream_event|tool_progress|tool_use_summary|rate_limit_event|auth_status|prompt_suggestion|keep_alive|control_\w+)$/;

const isString = (value: unknown): value is string => typeof value === "string";

/**
 * Measured with 2.1.332: each content block is an event of its own under its message's id, and `result` repeats only
 * the last one. So a text that continues the block before it is its update, and any other is a further part.
 */
function blockReader(): (event: JsonObject, transcript: Transcript) => void {
  let block = { key: "", text: "" };
  let count = 0;
  return (event, transcript) => {
    const id = (isObject(event.message) && textField(event.message, "id")) || "";
    for (const part of contentOf(event)) {
      if (part.type === "tool_use") {
        transcript.useTool(textField(part, "name"), part.input, textField(part, "id"));
        block = { key: "", text: "" };
      } else if (part.type === "text") {
        const text = textField(part, "text") ?? "";
        const isUpdate = block.key.startsWith(`${id}#`) && text.startsWith(block.text);
        block = { key: isUpdate ? block.key : `${id}#${count++}`, text };
        transcript.say(text, block.key);
      } else if (part.type === "thinking") {
        transcript.think(textField(part, "thinking"));
      }
    }
  };
}

function contentOf({ message }: JsonObject): JsonObject[] {
  return isObject(message) && Array.isArray(message.content) ? message.content.filter(isObject) : [];
}

/** A sub-agent works for the assistant: what it says is no part of the review, and ends none of it. */
function showInner(event: JsonObject, transcript: Transcript): void {
  if (event.type !== "assistant") return;
  for (const part of contentOf(event)) {
    if (part.type === "tool_use")
      transcript.tellTool(textField(part, "name"), part.input, textField(part, "id"));
    else transcript.think(textField(part, "text"));
  }
}

/** Cursor tells its tool calls in events of their own, `{"readToolCall": {"args": …}}`. */
function cursorTool({ tool_call: call }: JsonObject): [name: string | undefined, input: unknown] {
  const [key, value] = Object.entries(isObject(call) ? call : {})[0] ?? [];
  if (key === undefined || !isObject(value)) return [undefined, undefined];
  return key === "function"
    ? [textField(value, "name"), value.arguments]
    : [key.replace(/ToolCall$/, ""), value.args];
}

/** `result` wins, unless it is only the end of what was said. */
function reviewText(result: string | undefined, said: string): string {
  if (!result?.trim()) return said;
  return said.trimEnd().endsWith(result.trim()) ? said : result;
}

const failed = (event: JsonObject): boolean =>
  event.is_error === true || (isString(event.subtype) && event.subtype.startsWith("error"));

function failureOf(event: JsonObject): string {
  const errors = Array.isArray(event.errors) ? event.errors.filter(isString) : [];
  const status = typeof event.api_error_status === "number" ? ` (status ${event.api_error_status})` : "";
  const own = isObject(event.error) ? textField(event.error, "message") : undefined;
  const text =
    textField(event, "result")?.trim() ||
    errors.join("; ") ||
    own ||
    textField(event, "subtype") ||
    unknownError;
  return `${text}${status}`;
}

function usageOf(event: JsonObject, { inputIncludesCached }: Dialect): TokenUsage | undefined {
  if (!isObject(event.usage)) return undefined;
  const cached = numberField(event.usage, "cache_read_input_tokens");
  const written = numberField(event.usage, "cache_creation_input_tokens");
  return {
    // The Messages API counts cached tokens beside, not within, `input_tokens`; Codex counts them within.
    input: numberField(event.usage, "input_tokens") + (inputIncludesCached ? 0 : cached + written),
    cached,
    output: numberField(event.usage, "output_tokens"),
    ...(typeof event.total_cost_usd === "number" ? { cost_usd: event.total_cost_usd } : {}),
  };
}
