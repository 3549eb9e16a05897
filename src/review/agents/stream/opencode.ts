import type { TokenUsage } from "../../../store/schema.ts";
import type { StreamListener } from "./event.ts";
import { isObject, type JsonObject, numberField, type StreamParser, textField } from "./parser.ts";
import { jsonStream, type Transcript } from "./transcript.ts";

/**
 * Parser of `opencode run --format json` (https://opencode.ai/docs/cli/#run). Measured with 1.18.33: `part` carries
 * the message, and a text marked `synthetic` is OpenCode's own, written after it cut the conversation short.
 */
export function opencodeStream(listener?: StreamListener): StreamParser {
  const read = (event: JsonObject, transcript: Transcript) => {
    const type = textField(event, "type") ?? "";
    const part = isObject(event.part) ? event.part : undefined;
    if (type === "error") {
      transcript.fail(failureOf(event));
      return true;
    }
    if (!part || !/^(text|tool|tool_use|step_start|step_finish|reasoning)$/.test(type)) return false;
    const text = textField(part, "text");
    if (type === "tool" || type === "tool_use") {
      const { input } = isObject(part.state) ? part.state : {};
      transcript.useTool(textField(part, "tool"), input, textField(part, "callID"));
    } else if (type === "text" && part.synthetic !== true) transcript.say(text ?? "", textField(part, "id"));
    else if (type === "text") transcript.note(text);
    else if (type === "reasoning") transcript.think(text);
    else if (type === "step_finish") {
      transcript.end(textField(part, "reason"));
      transcript.usage = added(transcript.usage, part);
    }
    return true;
  };
  return jsonStream({ read }, listener);
}

/** A step counts only itself. */
function added(sum: TokenUsage | undefined, part: JsonObject): TokenUsage | undefined {
  if (!isObject(part.tokens)) return sum;
  const cache = isObject(part.tokens.cache) ? part.tokens.cache : {};
  const cached = numberField(cache, "read");
  const before = sum ?? { input: 0, cached: 0, output: 0 };
  const cost = (before.cost_usd ?? 0) + numberField(part, "cost");
  return {
    input: before.input + numberField(part.tokens, "input") + cached + numberField(cache, "write"),
    cached: before.cached + cached,
    output: before.output + numberField(part.tokens, "output") + numberField(part.tokens, "reasoning"),
    ...(cost > 0 ? { cost_usd: cost } : {}),
  };
}

function failureOf(event: JsonObject): string | undefined {
  if (!isObject(event.error)) return textField(event, "error") ?? textField(event, "message");
  const data = isObject(event.error.data) ? event.error.data : {};
  const name = textField(event.error, "name");
  const message = textField(data, "message") ?? textField(event.error, "message");
  return [name, message].filter((text) => text !== undefined).join(": ");
}
