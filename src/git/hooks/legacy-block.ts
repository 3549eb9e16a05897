// Earlier makes of roborev wrote blocks without an end marker. Such a block is a comment that names roborev, then lines
// of a few known forms, up to the command itself (or the call of the function around it). Anything else stays.

const comment = /^#.*\broborev\b.*\bhook\b/i;
const functionHead = /^_roborev_\w+\s*\(\)\s*\{$/;
const functionCall = /^_roborev_\w+$/;
const setUp = [
  /^ROBOREV=/,
  /^if (?:\[|test|command -v|! command -v|!? ?\[ ).*(?:ROBOREV|roborev).*; then$/,
  /^(?:\[|test) .*\$\{?ROBOREV\b.*(?:\]|&&|\|\|).*$/,
  /^(?:exit|return) 0$/,
  /^else$/,
];
const command = /^(?:"?\$\{?ROBOREV\}?"?|"?(?:\/[^"\s]*\/)?roborev"?) (?:enqueue|post-commit|remap)\b[^;|]*$/;
const inlineCommand = /^if .*(?:ROBOREV|roborev).*; then .*\b(?:enqueue|post-commit|remap)\b.*; fi$/;

/** The text without the blocks of earlier makes. */
export function cutLegacyBlocks(text: string): string {
  const lines = text.split(/(?<=\n)/);
  const kept: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const end = comment.test(trimmed(lines[index])) ? blockEnd(lines, index + 1) : undefined;
    if (end === undefined) kept.push(lines[index++] as string);
    else index = end;
  }
  return kept.join("");
}

const trimmed = (line: string | undefined) => (line ?? "").trim();

/** Index after the last line of the block whose code starts at `from`; undefined when it is none of ours. */
function blockEnd(lines: string[], from: number): number | undefined {
  let depth = 0;
  let inFunction = false;
  let ran = false;
  for (let index = from; index < lines.length; index++) {
    const line = trimmed(lines[index]);
    if (functionHead.test(line) && !inFunction && depth === 0) inFunction = true;
    else if (inFunction && depth === 0 && line === "}") return afterCall(lines, index + 1, ran);
    else if (inlineCommand.test(line)) ran = true;
    else if (command.test(line)) ran = true;
    else if (line === "fi" && depth > 0) depth--;
    else if (isSetUp(line, depth, inFunction)) depth += line.startsWith("if ") ? 1 : 0;
    else if (line !== "" && !(inFunction && line.startsWith("#"))) return undefined;
    if (ran && depth === 0 && !inFunction) return index + 1;
  }
  return undefined;
}

/** A bare `exit 0` belongs to us only inside our own `if` or function; elsewhere it is the user's. */
function isSetUp(line: string, depth: number, inFunction: boolean): boolean {
  if (/^(?:exit|return) 0$|^else$/.test(line) && depth === 0 && !inFunction) return false;
  return setUp.some((form) => form.test(line));
}

function afterCall(lines: string[], index: number, ran: boolean): number | undefined {
  return ran && functionCall.test(trimmed(lines[index])) ? index + 1 : undefined;
}
