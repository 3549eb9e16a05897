import { anthropicAnswer } from "../../wire.ts";
import type { Play } from "./play.ts";

/** Anthropic Messages. */
export function anthropic({ blocks, number, model, stream }: Play): Response {
  const content = blocks.map((block) =>
    block.type === "text" ? block : { type: "tool_use" as const, id: `toolu_${number}`, ...block.call },
  );
  return anthropicAnswer({ number, model, stream, content });
}
