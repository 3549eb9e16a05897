import type { StreamListener } from "./event.ts";
import type { StreamParser } from "./parser.ts";
import { plainStream } from "./plain.ts";
import { isSessionId } from "./session-id.ts";

/**
 * Parser of `hermes chat --quiet` (https://hermes-agent.nousresearch.com/docs/reference/cli-commands): the answer as
 * plain text. Versions before 0.19 end it with a line `session_id: …`, which later ones print on standard error.
 */
export function hermesStream(listener?: StreamListener): StreamParser {
  const plain = plainStream(listener);
  return {
    ...plain,
    end() {
      const { text } = plain.end();
      const match = /\n?(?:^|\n)session_id: (\S+)\s*$/.exec(text);
      const review = match ? text.slice(0, match.index) : text;
      const id = match?.[1];
      return {
        text: review,
        recognised: review.trim() !== "",
        ...(id !== undefined && isSessionId(id) ? { sessionId: id } : {}),
      };
    },
  };
}
