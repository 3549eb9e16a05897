import { type Play, textOf } from "./play.ts";
import { events } from "./stream.ts";

/** Gemini generateContent. Parts are run together, so several text blocks become lines of one. */
export function gemini({ blocks, model, stream }: Play): Response {
  const text = textOf(blocks);
  const parts = [
    ...(text === "" ? [] : [{ text }]),
    ...blocks.flatMap((block) =>
      block.type === "call" ? { functionCall: { name: block.call.name, args: block.call.input } } : [],
    ),
  ];
  const body = {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: 10,
      cachedContentTokenCount: 3,
      candidatesTokenCount: 5,
      totalTokenCount: 15,
    },
    modelVersion: model,
  };
  return stream ? events([body]) : Response.json(body);
}
