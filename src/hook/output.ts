import { singleLine } from "../lib/text.ts";

const maxLineLength = 200;

// `console` because `process.stdout` alone takes longer to load than the whole hook (8.5 ms, Bun 1.4.5), and because it
// writes everything before it returns, to slow and non-blocking pipes as well.

/** The native answer, the only thing that ever reaches standard output. */
export function printAnswer(json: string): void {
  console.log(json);
}

export function printDiagnostic(line: string): void {
  console.error(line);
}

/** One line for standard error, of at most 200 characters. */
export function diagnosticLine(why: string): string {
  const characters = [...`roborev agent-hook: ${singleLine(why)}`];
  return characters.length <= maxLineLength
    ? characters.join("")
    : `${characters.slice(0, maxLineLength - 1).join("")}…`;
}
