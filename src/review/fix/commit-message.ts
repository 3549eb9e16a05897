import { safeMultiline, singleLine, truncateUtf8 } from "../../lib/text.ts";
import { isAnswer } from "../fix/answer.ts";

const maxLines = 10;
const maxLineBytes = 500;

/** The message of a commit of what an agent changed for a review: what it says, without its account of the findings. */
export function commitMessage(
  jobId: number,
  { text, agentName }: { text: string; agentName: string },
): string {
  const lines = safeMultiline(text)
    .split("\n")
    .map((line) => truncateUtf8(line.trimEnd(), maxLineBytes))
    .filter((line) => line.trim() !== "" && !/^\s*[`~]{3}/.test(line) && !isAnswer(line))
    .slice(0, maxLines);
  const body = lines.length === 0 ? `Changed by ${singleLine(agentName)}.` : lines.join("\n");
  return `Address review findings (job ${jobId})\n\n${body}\n`;
}
