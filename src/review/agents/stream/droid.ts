import type { TokenUsage } from "../../../store/schema.ts";
import type { StreamListener } from "./event.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream } from "./transcript.ts";

/**
 * Parser of `droid exec --output-format stream-json` (https://docs.factory.ai/cli/droid-exec/overview). Measured with
 * 0.225.2: `completion` repeats the last message.
 */
export function droidStream(listener?: StreamListener): StreamParser {
  let finalText: string | undefined;
  return jsonStream(
    {
      read(event, transcript) {
        const type = textField(event, "type") ?? "";
        if (!known.has(type)) return false;
        if (type === "tool_call")
          transcript.useTool(textField(event, "toolName"), event.parameters, textField(event, "id"));
        else if (type === "tool_result") transcript.said.reset();
        else if (type === "message" && event.role === "assistant")
          transcript.say(textField(event, "text") ?? "", textField(event, "id"));
        else if (type === "error") transcript.fail(textField(event, "message"));
        else if (type === "completion") {
          transcript.end();
          finalText = textField(event, "finalText");
          transcript.usage = usageOf(event);
          transcript.conclude(finalText);
        }
        return true;
      },
      finish: ({ said }) => said.toString() || (finalText ?? ""),
    },
    listener,
  );
}

const known = new Set(["system", "message", "tool_call", "tool_result", "completion", "error"]);

/** `input_tokens` leaves cached tokens out. */
function usageOf({ usage }: JsonObject): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const cached = numberField(usage, "cache_read_input_tokens");
  return {
    input: numberField(usage, "input_tokens") + cached + numberField(usage, "cache_creation_input_tokens"),
    cached,
    output: numberField(usage, "output_tokens"),
  };
}
