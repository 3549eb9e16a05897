import type { TokenUsage } from "../../../store/schema.ts";
import type { StreamListener } from "./event.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream, type Transcript } from "./transcript.ts";

/**
 * Parser of `grok --output-format streaming-json` (its own user guide, 14-headless-mode.md). Measured with 1.0.41: text
 * comes in pieces without an id, and only a tool call ends a message.
 */
export function grokStream(listener?: StreamListener): StreamParser {
  let message = "";
  const read = (event: JsonObject, transcript: Transcript) => {
    const type = textField(event, "type") ?? "";
    if (!/^(text|thought|tool_call|tool_call_update|usage|end|error|available_commands)$/.test(type))
      return false;
    if (type === "tool_call") {
      message = "";
      const name = textField(event, "toolName") ?? textField(event, "title");
      transcript.useTool(name, event.rawInput, textField(event, "toolCallId"));
    } else if (type === "text") {
      message += textField(event, "data") ?? "";
      transcript.say(message, "message");
    } else if (type === "thought") {
      transcript.think(textField(event, "data"), { isMore: true });
    } else if (type === "end") {
      transcript.end(textField(event, "stopReason"));
      transcript.usage = usageOf(event);
    } else if (type === "error") {
      transcript.fail(textField(event, "message"));
    }
    return true;
  };
  return jsonStream({ read }, listener);
}

/** `input_tokens` leaves cached tokens out. */
function usageOf(event: JsonObject): TokenUsage | undefined {
  if (!isObject(event.usage)) return undefined;
  const cached = numberField(event.usage, "cache_read_input_tokens");
  return {
    input:
      numberField(event.usage, "input_tokens") +
      cached +
      numberField(event.usage, "cache_creation_input_tokens"),
    cached,
    output: numberField(event.usage, "output_tokens"),
    ...(typeof event.total_cost_usd === "number" ? { cost_usd: event.total_cost_usd } : {}),
  };
}
