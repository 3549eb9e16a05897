import type { TokenUsage } from "../../../store/schema.ts";
import type { StreamListener } from "./event.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream, type Transcript } from "./transcript.ts";

/**
 * Parser of `gemini --output-format stream-json` (https://geminicli.com/docs/cli/headless/). Measured with 0.61.0: a
 * message comes in pieces without an id, and only a tool call ends it.
 */
export function geminiStream(listener?: StreamListener): StreamParser {
  let message = "";
  const read = (event: JsonObject, transcript: Transcript) => {
    const type = textField(event, "type") ?? "";
    if (!known.has(type)) return false;
    if (type === "init" || type === "tool_use" || type === "tool_result") {
      message = "";
      transcript.said.reset();
      if (type === "tool_use")
        transcript.useTool(textField(event, "tool_name"), event.parameters, textField(event, "tool_id"));
    } else if (type === "message" && event.role === "assistant") {
      const text = textField(event, "content") ?? "";
      message = event.delta === true ? message + text : text;
      transcript.say(message, "message");
    } else if (type === "error") {
      if (event.severity === "warning") transcript.note(textField(event, "message"));
      else transcript.fail(textField(event, "message"));
    } else if (type === "result") {
      readResult(event, transcript);
    }
    return true;
  };
  return jsonStream({ read }, listener);
}

const known = new Set(["init", "message", "tool_use", "tool_result", "error", "result"]);

function readResult(event: JsonObject, transcript: Transcript): void {
  transcript.end();
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
