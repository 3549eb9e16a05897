import type { StreamParser } from "./parser.ts";

/** Everything printed is the review. */
export function plainStream(): StreamParser {
  const decoder = new TextDecoder();
  let text = "";
  return {
    feed(chunk) {
      text += decoder.decode(chunk, { stream: true });
    },
    end() {
      text += decoder.decode();
      return { text, recognised: text.trim() !== "" };
    },
  };
}
