import { safeMultiline, singleLine } from "../../lib/text.ts";
import type { DispositionState, Review, ReviewFinding } from "../../store/schema.ts";
import { byteLength, cutBytes } from "./bytes.ts";
import type { PromptComment } from "./input.ts";

// What people and tools answered to a review, as text of strangers: the caller puts it between its boundary lines. What
// somebody wrote freely is quoted once more or follows the words that are ours, so that it cannot pass for one of these.

/** Earlier reviews are context, so one of them never takes the place of the change itself. */
const maxTextBytes = 16_384;
const maxReasonBytes = 2048;
const maxNameBytes = 240;

/** Whether a comment records what a program did; everyone else is a developer. */
export const isTool = (responder: string) => responder === "agent-hook" || responder.startsWith("roborev-");

/** `developer Ada`, `tool roborev-fix`. */
const author = (responder: string) => `${isTool(responder) ? "tool" : "developer"} ${singleLine(responder)}`;

/** Comments on a review as a whole, with who made them. */
export const commentLines = (comments: PromptComment[]): string[] =>
  comments.flatMap(({ responder, response }) => [
    `Comment by ${author(responder)}:`,
    ...nested(response).split("\n"),
  ]);

const verbs: Record<DispositionState, string> = {
  fixed: "Fixed",
  refuted: "Refuted",
  deferred: "Deferred",
};

/** What has become of single findings, and why; nothing of those that nobody has dealt with. */
export const dispositionLines = ({ findings = [] }: Pick<Review, "findings">): string[] =>
  findings.flatMap((finding) => {
    const { disposition } = finding;
    if (disposition === undefined) return [];
    const { state, by, message } = disposition;
    const reason = message === undefined ? [] : nested(message, maxReasonBytes).split("\n");
    return [nameOf(finding), `${verbs[state]} by ${author(by)}${reason.length === 0 ? "." : ":"}`, ...reason];
  });

/** `Finding 2 (high) in src/a.ts:3: The index may be negative.` */
function nameOf({ number, severity, location, problem }: ReviewFinding): string {
  const where = location === undefined ? "" : ` in ${short(location)}`;
  return `Finding ${number} (${severity})${where}: ${short(problem)}`;
}

function short(text: string): string {
  const line = singleLine(text);
  return byteLength(line) <= maxNameBytes ? line : `${cutBytes(line, maxNameBytes).trimEnd()}…`;
}

/** Quoted once more, so that a text cannot pass for a comment that it does not have. */
export function nested(text: string, maxBytes = maxTextBytes): string {
  const note = byteLength(text) <= maxBytes ? "" : "\n[cut here: too long]";
  const shown = safeMultiline(cutBytes(text, maxBytes)).trim() + note;
  return shown
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
