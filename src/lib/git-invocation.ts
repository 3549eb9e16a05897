import { cannotCommit, committingVerbs, integratingVerbs, valueOptions } from "./git-verbs.ts";
import { type ShellPlace, type ShellValue, withBackslashes } from "./shell-place.ts";
import type { ShellWord } from "./shell-token.ts";

/** What a git command line asks for, read up to its sub-command. */
export interface GitInvocation {
  /** Undefined: no sub-command, or one that cannot commit. */
  verb: string | undefined;
  /** It names no sub-command at all. */
  bare: boolean;
  directories: string[];
  /** Index of the word after what was read. */
  next: number;
}

/** `GIT_DIR` and `GIT_WORK_TREE`, as far as they are known. */
export interface GitEnvironment {
  gitDir?: ShellValue | undefined;
  workTree?: ShellValue | undefined;
}

/**
 * The program that a word names, if it is one that may commit: `git` (`hub` passes everything on to it), `jj`, or the
 * verb of a sub-command's own program (`git-commit`). `leads`: the word is where a command stands, and no argument.
 */
export function gitProgram(word: ShellWord, text: string, leads: boolean): string | undefined {
  if (text.length > 4096 || !(leads || mentionsGit(text))) return undefined;
  const name = programName(trimmed(word.backslashes ? withBackslashes(word) : text));
  if (name === "git" || (leads && (name === "jj" || name === "hub"))) return name === "jj" ? "jj" : "git";
  if (!name.startsWith("git-")) return undefined;
  const verb = name.slice(4);
  if (committingVerbs.includes(verb) || integratingVerbs.includes(verb)) return verb;
  return leads && /^[a-z][a-z-]*$/.test(verb) && !cannotCommit(verb) ? "unknown" : undefined;
}

/** Reads options and sub-command after the program, which runs in `from`. */
export function readInvocation(
  program: string,
  words: ShellWord[],
  start: number,
  place: ShellPlace,
  from: string[],
  environment: GitEnvironment,
): GitInvocation {
  let directories = from;
  let gitDir = environment.gitDir ?? place.variables.get("GIT_DIR");
  let workTree = environment.workTree ?? place.variables.get("GIT_WORK_TREE");
  // Git takes both from where the last `-C` leads. The repository has the HEAD that moves.
  const runsIn = () => place.after(repositoryOf(gitDir) ?? workTree, directories);
  for (let at = start; at < words.length; at++) {
    const word = words[at] as ShellWord;
    if (!word.text.startsWith("-")) {
      const verb = subCommand(program, word, words[at + 1], place);
      return { verb, bare: false, directories: runsIn(), next: at + 1 };
    }
    const { name, attached } = splitOption(word.text);
    if (attached === undefined && !valueOptions.includes(name)) continue;
    const given = attached === undefined ? words[++at] : word;
    if (!given) continue;
    const value = place.value(given, attached ?? given.text);
    if (name === "-C" || name === "-R" || name === "--repository")
      directories = place.after(value, directories);
    else if (name === "--work-tree") workTree = value;
    else if (name === "--git-dir") gitDir = value;
  }
  return { verb: undefined, bare: true, directories: runsIn(), next: words.length };
}

function subCommand(
  program: string,
  word: ShellWord,
  argument: ShellWord | undefined,
  place: ShellPlace,
): string | undefined {
  const text = place.value(word)?.text;
  if (text === undefined) return "unknown";
  const verb = trimmed(text);
  if (cannotCommit(verb, program)) return undefined;
  // HEAD goes back to a commit that was there before: it moves, but not by a new one.
  return argument?.text === "--abort" ? "unknown" : verb;
}

/** `DIR/.git` is the repository of the checkout DIR. */
function repositoryOf(gitDir: ShellValue | undefined): ShellValue | undefined {
  const found = gitDir && /^(?:(.*)[\\/])?\.git[\\/]?$/s.exec(gitDir.text);
  return found ? { ...gitDir, text: found[1] ?? "." } : undefined;
}

/** An option's name, and its value when that is in the same word. */
export function splitOption(option: string): { name: string; attached?: string } {
  const equals = option.startsWith("--") ? option.indexOf("=") : -1;
  return equals < 0
    ? { name: option }
    : { name: option.slice(0, equals), attached: option.slice(equals + 1) };
}

/** The last part of a program's path, without `.exe`. */
export function programName(text: string): string {
  const slash = text.lastIndexOf("/");
  const name = text.slice(slash + 1 + text.slice(slash + 1).lastIndexOf("\\") + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

/** Without the quotes, brackets and signs that other languages and nested shells put around a word. */
function trimmed(text: string): string {
  const around = " \t\r\n'\"`;,$&|(){}[]<>";
  let start = 0;
  let end = text.length;
  while (start < end && around.includes(text[start] as string)) start++;
  while (end > start && around.includes(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

export const mentionsGit = (text: string) => text.toLowerCase().includes("git");
