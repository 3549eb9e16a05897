import { type Play, textOf } from "./play.ts";
import { events } from "./stream.ts";

/** OpenAI Responses. */
export function responses({ blocks, number }: Play): Response {
  const items = blocks.map((block, index) =>
    block.type === "text"
      ? {
          type: "message",
          id: `msg_${number}_${index}`,
          role: "assistant",
          content: [{ type: "output_text", text: block.text }],
        }
      : {
          type: "function_call",
          id: `fc_${block.id}`,
          call_id: `call_${block.id}`,
          name: block.call.name,
          ...(block.call.group === undefined ? {} : { namespace: block.call.group }),
          arguments: JSON.stringify(block.call.input),
        },
  );
  const id = `resp_${number}`;
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 3 },
    output_tokens: 5,
    output_tokens_details: null,
    total_tokens: 15,
  };
  return events([
    ["response.created", { response: { id } }],
    ...items.map((item, index): [string, object] => [
      "response.output_item.done",
      { output_index: index, item },
    ]),
    ["response.completed", { response: { id, usage } }],
  ]);
}

/** OpenAI Chat Completions: one message, so several text blocks become lines of one text. */
export function chat({ blocks, number, model, stream }: Play): Response {
  const base = { id: `chatcmpl-${number}`, created: 1_780_000_000, model };
  const calls = blocks.flatMap((block, index) =>
    block.type === "call"
      ? {
          index,
          id: `call_${block.id}`,
          type: "function",
          function: { name: block.call.name, arguments: JSON.stringify(block.call.input) },
        }
      : [],
  );
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 3 },
  };
  const finish = calls.length > 0 ? "tool_calls" : "stop";
  const message = {
    role: "assistant",
    content: textOf(blocks),
    ...(calls.length > 0 ? { tool_calls: calls.map((call, index) => ({ ...call, index })) } : {}),
  };
  if (!stream) {
    const choices = [{ index: 0, message, finish_reason: finish }];
    return Response.json({ ...base, object: "chat.completion", choices, usage });
  }
  const chunk = (choices: object[], more = {}) => ({
    ...base,
    object: "chat.completion.chunk",
    choices,
    ...more,
  });
  return events(
    [
      chunk([{ index: 0, delta: message, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: finish }]),
      chunk([], { usage }),
    ],
    "data: [DONE]\n\n",
  );
}
