import type { TokenUsage } from "../../../store/schema.ts";
import type { FinalText } from "./final-text.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream } from "./transcript.ts";

/** In what the programs that took over this format differ from it. */
export interface Dialect {
  /** `result` repeats all that was said, working output too; by default it is the last message. */
  resultRepeatsAll?: boolean;
  /** `input_tokens` counts cached tokens as well; by default they are counted beside it. */
  inputIncludesCached?: boolean;
}

/** Parser of `claude -p --output-format stream-json` (https://code.claude.com/docs/en/headless). */
export function claudeStream(dialect: Dialect = {}): StreamParser {
  const readMessage = blockReader();
  let result: string | undefined;
  let heard = false;

  return jsonStream(
    (event, transcript) => {
      if (event.type === "assistant" && !isString(event.parent_tool_use_id)) {
        transcript.recognised = true;
        heard = true;
        readMessage(event, transcript.said);
      } else if (event.type === "tool_call") {
        // Cursor tells its tool calls in events of their own.
        transcript.recognised = true;
        transcript.said.reset();
      } else if (event.type === "result") {
        transcript.recognised = true;
        transcript.usage = usageOf(event, dialect);
        if (failed(event)) transcript.fail(failureOf(event));
        else result = textField(event, "result");
      }
    },
    ({ said }) => {
      const text = said.toString();
      return dialect.resultRepeatsAll && heard ? text : reviewText(result, text);
    },
  );
}

const isString = (value: unknown): value is string => typeof value === "string";

/**
 * Measured with 2.1.332: each content block is an event of its own under its message's id, and `result` repeats only
 * the last one. So a text that continues the block before it is its update, and any other is a further part.
 */
function blockReader(): (event: JsonObject, said: FinalText) => void {
  let block = { key: "", text: "" };
  let count = 0;
  return (event, said) => {
    const message = isObject(event.message) ? event.message : {};
    const id = textField(message, "id") ?? "";
    const content = Array.isArray(message.content) ? message.content.filter(isObject) : [];
    for (const part of content) {
      if (part.type === "tool_use") {
        said.reset();
        block = { key: "", text: "" };
      } else if (part.type === "text") {
        const text = textField(part, "text") ?? "";
        const isUpdate = block.key.startsWith(`${id}#`) && text.startsWith(block.text);
        block = { key: isUpdate ? block.key : `${id}#${count++}`, text };
        said.say(text, block.key);
      }
    }
  };
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
    "unknown error";
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
