import { automaticReviewers } from "../registry.ts";
import { unknownError } from "../stream/transcript.ts";

/**
 * Whose output this is, by its first lines: the reviewer whose parser knows most of them. Undefined where none knows
 * any. Programs that share a format may stand in for each other.
 */
export function recogniseReviewer(head: Uint8Array): string | undefined {
  // What was cut off is no line of anybody.
  const whole = head.subarray(0, head.lastIndexOf(0x0a) + 1);
  const counts = automaticReviewers().map(({ name, createParser }) => {
    let unknown = 0;
    const parser = createParser((event) => {
      // An error whose message it does not find is most likely another program's.
      if (event.kind === "line" || (event.kind === "failure" && event.text === unknownError)) unknown += 1;
    });
    parser.feed(whole);
    return { name, unknown, isKnown: !parser.takesAnything && parser.end().recognised };
  });
  return counts.filter(({ isKnown }) => isKnown).sort((a, b) => a.unknown - b.unknown)[0]?.name;
}
