import type { StreamListener } from "./event.ts";
import type { StreamParser } from "./parser.ts";

/** Everything printed is the review. */
export function plainStream(listener: StreamListener = () => {}): StreamParser {
  const decoder = new TextDecoder();
  let text = "";
  const add = (more: string) => {
    text += more;
    if (more !== "") listener({ kind: "text", text: more, isMore: true });
  };
  return {
    takesAnything: true,
    feed: (chunk) => add(decoder.decode(chunk, { stream: true })),
    end() {
      add(decoder.decode());
      return { text, recognised: text.trim() !== "" };
    },
  };
}
