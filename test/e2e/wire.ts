/** Server-sent events; `[event, data]`, or the data alone. */
export const events = (list: (object | [string, object])[], end = "") =>
  new Response(
    list
      .map((one) =>
        Array.isArray(one)
          ? `event: ${one[0]}\ndata: ${JSON.stringify({ type: one[0], ...(one[1] as object) })}\n\n`
          : `data: ${JSON.stringify(one)}\n\n`,
      )
      .join("") + end,
    { headers: { "content-type": "text/event-stream" } },
  );

export interface AnthropicAnswer {
  number: number;
  model: unknown;
  stream: boolean;
  content: (
    | { type: "text"; text: string }
    | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> }
  )[];
}

/** An answer of Anthropic Messages, as a stream or whole. */
export function anthropicAnswer({ number, model, stream, content }: AnthropicAnswer): Response {
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
