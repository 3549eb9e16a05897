import { safeMultiline } from "../../lib/text.ts";

// Everything that a stranger may have written stands between two lines that carry a token nobody could know when
// writing it. Prose is quoted besides, line by line, so that nothing in it can start a line; the diff stays as it is,
// in a fence longer than any run of its own.

const introduction = "Boundary token of this review: ";

/** First line of every prompt: it tells where data begins and ends. */
export const tokenLine = (token: string): string => `${introduction}${token}`;

/** A token that occurs in none of the texts, made from the run's random nonce. */
export function boundaryToken(nonce: string, texts: string[]): string {
  const base = nonce.replace(/[^\w-]/g, "");
  if (base === "") throw new TypeError("a prompt needs a nonce of letters, digits, _ or -");
  for (let suffix = 0; ; suffix++) {
    const token = suffix === 0 ? base : `${base}-${suffix}`;
    if (!texts.some((text) => text.includes(token))) return token;
  }
}

/** Text of a stranger with every line quoted; nothing for blank text. */
export function quoted(text: string): string {
  const shown = safeMultiline(text).trimEnd();
  if (shown.trim() === "") return "";
  return shown
    .split("\n")
    .map((line) => (line === "" ? "|" : `| ${line}`))
    .join("\n");
}

/** Quoted text between its boundary lines. */
export function dataBlock(token: string, label: string, quotedText: string): string {
  return `[data ${token}: ${label}]\n${quotedText}\n[end ${token}]`;
}

/** A diff, unchanged, between fence and boundary lines. */
export function diffBlock(token: string, diff: string, fence: string): string {
  const complete = diff.endsWith("\n");
  const end = complete ? `[end ${token}]` : `[end ${token}, no final newline]`;
  return `[data ${token}: diff]\n${fence}diff\n${diff}${complete ? "" : "\n"}${fence}\n${end}`;
}

/** A fence that no line of the text can close: longer than its longest run of backticks (or tildes, if shorter). */
export function fenceFor(text: string): string {
  const backticks = longestRun(text, "`");
  const tildes = longestRun(text, "~");
  const char = tildes < backticks && backticks > 16 ? "~" : "`";
  return char.repeat(Math.max(3, (char === "`" ? backticks : tildes) + 1));
}

function longestRun(text: string, char: string): number {
  let longest = 0;
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at)) {
    const start = at;
    while (text[at] === char) at++;
    longest = Math.max(longest, at - start);
  }
  return longest;
}

/** The diffs of a prompt that was built here, exactly as they went in. Nothing that strangers wrote counts as one. */
export function extractDiffs(prompt: string): string[] {
  if (!prompt.startsWith(introduction)) return [];
  const token = prompt.slice(introduction.length, prompt.indexOf("\n"));
  const open = `\n[data ${token}: diff]\n`;
  const diffs: string[] = [];
  for (let at = prompt.indexOf(open); at !== -1; at = prompt.indexOf(open, at)) {
    at += open.length;
    const body = prompt.indexOf("\n", at) + 1;
    const fence = prompt.slice(at, body - 1).replace(/diff$/, "");
    const end = prompt.indexOf(`\n[end ${token}`, body);
    const close = end - fence.length;
    if (body === 0 || close < body || prompt.slice(close, end) !== fence) return diffs;
    const complete = !prompt.startsWith(`\n[end ${token}, no final newline]`, end);
    diffs.push(prompt.slice(body, complete ? close : close - 1));
    at = end;
  }
  return diffs;
}
