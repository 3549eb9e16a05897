import type { ConfigFile } from "../harness/harness.ts";
import { splitCommand } from "../lib/shell-words.ts";
import { isExpanded } from "./expansion.ts";

// Some harnesses take a program that is gone, or that crashes, for a veto. There a shell answers in its place; each
// form is spelled out once to be written and once to be recognised, and nothing that only looks like it is.

type Guard = NonNullable<ConfigFile["guard"]>;

const wrapped: Record<Guard | "powershell", (command: string) => string> = {
  // Any exit status but 0 becomes an empty answer. What a crash has printed before makes the two no JSON, which counts
  // for nothing as well.
  "or-empty": (command) => `${command} || echo '{}'`,
  // Nothing at all is printed for a program that is gone, and nothing but its answer by one that is there. `exec`: a
  // time-out that ends the shell has to end the program.
  "if-present": (command) =>
    `command -v ${firstWord(command)} >/dev/null 2>&1 || exit 0; exec ${command} 2>/dev/null`,
  // On Windows both are for PowerShell, where a missing program is an exception and `||` a syntax error before version 7.
  powershell: (command) => `try { & ${command} } catch { '{}' }; exit 0`,
};

const orEmpty = /^(?<command>.+) \|\| echo '\{\}'$/;
const ifPresent =
  /^command -v (?<first>.+) >\/dev\/null 2>&1 \|\| exit 0; exec (?<command>.+) 2>\/dev\/null$/;
const powershell = /^(?:try \{ & (?<guarded>.+) \} catch \{ '\{\}' \}; exit 0|& (?<plain>'.+))$/;

/** `command`, one plain command, so that it never fails for the harness that runs it. */
export function guarded(guard: Guard, command: string, platform: NodeJS.Platform = process.platform): string {
  return wrapped[platform === "win32" ? "powershell" : guard](command);
}

/** The words of a command for PowerShell. */
export const quotePowershell = (argv: readonly string[]): string =>
  argv.map((word) => `'${word.replaceAll("'", "''")}'`).join(" ");

/** As `guarded`, for a member that only PowerShell runs. */
export function powershellLine(guard: Guard | undefined, argv: readonly string[]): string {
  const command = quotePowershell(argv);
  return guard === undefined ? `& ${command}` : wrapped.powershell(command);
}

/**
 * The words of one plain command, seen through exactly the forms that we write; undefined for everything else that
 * needs a shell to mean something.
 */
export function wordsOf(line: string): string[] | undefined {
  const text = line.trim();
  const windows = powershell.exec(text)?.groups;
  if (windows) {
    const command = windows.guarded ?? windows.plain ?? "";
    return powershellWords(command) ?? posixWords(command);
  }
  const present = ifPresent.exec(text)?.groups;
  if (present)
    return firstWord(present.command ?? "") === present.first ? posixWords(present.command ?? "") : undefined;
  return posixWords(orEmpty.exec(text)?.groups?.command ?? text);
}

/** The one plain command in a line for a POSIX shell, as it is written, without a guard of ours around it. */
export function unguarded(line: string): string {
  const text = line.trim();
  return ifPresent.exec(text)?.groups?.command ?? orEmpty.exec(text)?.groups?.command ?? text;
}

/** Whether the words of such a line are others once a shell has expanded them. What PowerShell runs is quoted. */
export const needsShell = (line: string): boolean =>
  !powershell.test(line.trim()) && isExpanded(unguarded(line));

function posixWords(command: string): string[] | undefined {
  const split = splitCommand(command);
  return "words" in split ? split.words : undefined;
}

function powershellWords(command: string): string[] | undefined {
  if (!/^'(?:[^']|'')*'(?: '(?:[^']|'')*')*$/.test(command)) return undefined;
  const words = command.matchAll(/'((?:[^']|'')*)'(?: |$)/g);
  return Array.from(words, ([, word = ""]) => word.replaceAll("''", "'"));
}

/** The first word as it is written, quotes included: what ends at the first blank at which it is complete. */
export function firstWord(command: string): string {
  for (let at = command.indexOf(" "); at >= 0; at = command.indexOf(" ", at + 1)) {
    const start = command.slice(0, at);
    if ("words" in splitCommand(start)) return start;
  }
  return command;
}
