import type { FinalText } from "./final-text.ts";
import { isObject, type JsonObject, type StreamParser, textField } from "./parser.ts";
import { jsonStream } from "./transcript.ts";

/**
 * Parser of `copilot --output-format json`
 * (https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-command-reference). Measured with 1.0.102: a
 * line is `{type, data}`, and a message that asks for tools comes before they run.
 */
export function copilotStream(): StreamParser {
  return jsonStream((event, transcript) => {
    const type = textField(event, "type") ?? "";
    if (!/^(?:session|user|assistant|tool|model)\.|^result$/.test(type)) return;
    transcript.recognised = true;
    const data = isObject(event.data) ? event.data : {};
    if (type.startsWith("tool.execution_")) transcript.said.reset();
    else if (type === "assistant.message") readMessage(data, transcript.said);
    else if (type === "session.error") transcript.fail(textField(data, "message"));
    else if (type === "result" && typeof event.exitCode === "number" && event.exitCode !== 0)
      transcript.fail(`exit code ${event.exitCode}`);
  });
}

function readMessage(data: JsonObject, said: FinalText): void {
  said.say(textField(data, "content") ?? "", textField(data, "messageId"));
  if (Array.isArray(data.toolRequests) && data.toolRequests.length > 0) said.reset();
}
