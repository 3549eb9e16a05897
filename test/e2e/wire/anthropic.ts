import type { Play } from "./play.ts";
import { events } from "./stream.ts";

/** Anthropic Messages, as a stream or whole. */
export function anthropic({ blocks, number, model, stream }: Play): Response {
  const content = blocks.map((block) =>
    block.type === "text"
      ? block
      : {
          type: "tool_use" as const,
          id: `toolu_${block.id}`,
          name: block.call.name,
          input: block.call.input,
        },
  );
  const stopReason = content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 10, cache_read_input_tokens: 3, output_tokens: 5 },
  };
  if (!stream) return Response.json(message);
  return events([
    ["message_start", { message: { ...message, content: [], stop_reason: null } }],
    ...content.flatMap((block, index): [string, object][] => {
      const [start, delta] =
        block.type === "text"
          ? [
              { type: "text", text: "" },
              { type: "text_delta", text: block.text },
            ]
          : [
              { ...block, input: {} },
              { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
            ];
      return [
        ["content_block_start", { index, content_block: start }],
        ["content_block_delta", { index, delta }],
        ["content_block_stop", { index }],
      ];
    }),
    [
      "message_delta",
      { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 5 } },
    ],
    ["message_stop", {}],
  ]);
}
