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

/** Parser of `claude -p --output-format stream-json` (https://code.claude.com/docs/en/headless). */
export function claudeStream(): StreamParser {
  const said = new FinalText();
  const readMessage = blockReader(said);
  let result: string | undefined;
  let sessionId: string | undefined;
  let usage: TokenUsage | undefined;
  let failure: string | undefined;
  let recognised = false;

  const lines = jsonLines((event) => {
    sessionId ??= sessionIdOf(event);
    if (event.type === "assistant" && !isString(event.parent_tool_use_id)) {
      recognised = true;
      readMessage(event);
    } else if (event.type === "result") {
      recognised = true;
      usage = usageOf(event);
      if (failed(event)) failure ??= failureOf(event);
      else result = textField(event, "result");
    }
  });

  return {
    feed: lines.feed,
    end(): StreamResult {
      lines.end();
      return {
        text: reviewText(result, said.toString()),
        recognised,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(usage === undefined ? {} : { usage }),
        ...(failure === undefined ? {} : { failure }),
      };
    },
  };
}

const isString = (value: unknown): value is string => typeof value === "string";

/**
 * Measured with 2.1.332: each content block is an event of its own under its message's id, and `result` repeats only
 * the last one. So a text that continues the block before it is its update, and any other is a further part.
 */
function blockReader(said: FinalText): (event: JsonObject) => void {
  let block = { key: "", text: "" };
  let count = 0;
  return (event) => {
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
  const text =
    textField(event, "result")?.trim() || errors.join("; ") || textField(event, "subtype") || "unknown error";
  return `${text}${status}`;
}

function usageOf(event: JsonObject): TokenUsage | undefined {
  if (!isObject(event.usage)) return undefined;
  const cached = numberField(event.usage, "cache_read_input_tokens");
  const written = numberField(event.usage, "cache_creation_input_tokens");
  return {
    // The Messages API counts cached tokens beside, not within, `input_tokens`; Codex counts them within.
    input: numberField(event.usage, "input_tokens") + cached + written,
    cached,
    output: numberField(event.usage, "output_tokens"),
    ...(typeof event.total_cost_usd === "number" ? { cost_usd: event.total_cost_usd } : {}),
  };
}
