import type { TokenUsage } from "../../../store/schema.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream } from "./transcript.ts";

/**
 * Parser of `droid exec --output-format stream-json` (https://docs.factory.ai/cli/droid-exec/overview). Measured with
 * 0.225.2: `completion` repeats the last message.
 */
export function droidStream(): StreamParser {
  let finalText: string | undefined;
  return jsonStream(
    (event, transcript) => {
      const type = textField(event, "type") ?? "";
      if (!known.has(type)) return;
      transcript.recognised = true;
      if (type === "tool_call" || type === "tool_result") transcript.said.reset();
      else if (type === "message" && event.role === "assistant")
        transcript.said.say(textField(event, "text") ?? "", textField(event, "id"));
      else if (type === "error") transcript.fail(textField(event, "message"));
      else if (type === "completion") {
        finalText = textField(event, "finalText");
        transcript.usage = usageOf(event);
      }
    },
    ({ said }) => said.toString() || (finalText ?? ""),
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
