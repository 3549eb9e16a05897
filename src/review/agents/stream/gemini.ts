import type { TokenUsage } from "../../../store/schema.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream, type Transcript } from "./transcript.ts";

/**
 * Parser of `gemini --output-format stream-json` (https://geminicli.com/docs/cli/headless/). Measured with 0.61.0: a
 * message comes in pieces without an id, and only a tool call ends it.
 */
export function geminiStream(): StreamParser {
  let message = "";
  return jsonStream((event, transcript) => {
    const type = textField(event, "type") ?? "";
    if (!known.has(type)) return;
    transcript.recognised = true;
    if (type === "tool_use" || type === "tool_result") {
      message = "";
      transcript.said.reset();
    } else if (type === "message" && event.role === "assistant") {
      const text = textField(event, "content") ?? "";
      message = event.delta === true ? message + text : text;
      transcript.said.say(message, "message");
    } else if (type === "error" && event.severity !== "warning") {
      transcript.fail(textField(event, "message"));
    } else if (type === "result") {
      readResult(event, transcript);
    }
  });
}

const known = new Set(["init", "message", "tool_use", "tool_result", "error", "result"]);

function readResult(event: JsonObject, transcript: Transcript): void {
  transcript.usage = usageOf(event);
  if (event.status !== "error") return;
  const error = isObject(event.error) ? event.error : {};
  transcript.fail(textField(error, "message") ?? textField(error, "type"));
}

/** `input_tokens` counts cached tokens as well; `input` is what is left without them. */
function usageOf({ stats }: JsonObject): TokenUsage | undefined {
  if (!isObject(stats)) return undefined;
  return {
    input: numberField(stats, "input_tokens"),
    cached: numberField(stats, "cached"),
    output: numberField(stats, "output_tokens"),
  };
}
