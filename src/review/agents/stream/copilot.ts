import type { StreamListener } from "./event.ts";
import { isObject, type JsonObject, type StreamParser, textField } from "./parser.ts";
import { jsonStream, type Transcript } from "./transcript.ts";

/**
 * Parser of `copilot --output-format json`
 * (https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-command-reference). Measured with 1.0.102: a
 * line is `{type, data}`, and a message that asks for tools comes before they run.
 */
export function copilotStream(listener?: StreamListener): StreamParser {
  const read = (event: JsonObject, transcript: Transcript) => {
    const type = textField(event, "type") ?? "";
    if (!/^(?:session|user|assistant|tool|model)\.|^result$/.test(type)) return false;
    const data = isObject(event.data) ? event.data : {};
    if (type.startsWith("tool.execution_"))
      transcript.useTool(textField(data, "toolName"), data.arguments, textField(data, "toolCallId"));
    else if (type === "assistant.message") readMessage(data, transcript);
    else if (type === "assistant.reasoning") transcript.think(textField(data, "content"));
    else if (type === "session.error") transcript.fail(textField(data, "message"));
    else if (type === "result") {
      transcript.end();
      if (typeof event.exitCode === "number" && event.exitCode !== 0)
        transcript.fail(`exit code ${event.exitCode}`);
    }
    return true;
  };
  return jsonStream({ read }, listener);
}

function readMessage(data: JsonObject, transcript: Transcript): void {
  transcript.say(textField(data, "content") ?? "", textField(data, "messageId"));
  if (!Array.isArray(data.toolRequests) || data.toolRequests.length === 0) return;
  transcript.said.reset();
  for (const request of data.toolRequests.filter(isObject))
    transcript.useTool(textField(request, "name"), request.arguments, textField(request, "toolCallId"));
}
