import { cannotCommit, committingVerbs, integratingVerbs, valueOptions } from "./git-verbs.ts";
import { lexShell, type ShellToken, type ShellWord } from "./shell-lexer.ts";

/** A shell command that may add commits, and where its git runs. */
export interface CommitCommand {
  /** The git sub-command, or `unknown` for an alias, an external sub-command or text that could not be read. */
  verb: string;
  /**
   * Directory steps to take from the command's working directory, in order: `cd`, `-C`, `--work-tree`. A step that
   * is not a directory is to be ignored. `~` and `~/…` mean the home directory.
   */
  directories: string[];
}

// Longer commands are read up to here; what follows is treated as unreadable.
const maxLexed = 256 * 1024;
const maxSteps = 32;
const maxTextDepth = 8;
const shells = ["bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "eval"];
const prefixes = [
  "then",
  "do",
  "else",
  "elif",
  "if",
  "while",
  "until",
  "time",
  "!",
  "{",
  "builtin",
  "command",
  "exec",
  "env",
];
const gitWord = /(?<![\w.-])git(?:\.exe)?(?![\w.-])/i;
const verbWord = /(?<![\w-])(?:commit|cherry-pick|revert|merge|am|rebase|pull)(?![\w-])/;

/**
 * Finds out whether a shell command can commit. It errs on the side of yes: a needless yes costs a question to the
 * daemon, which looks at HEAD; a wrong no loses a commit. Never throws, and takes time linear in the text.
 */
export function recogniseCommit(command: string): CommitCommand | undefined {
  if (isHarmlessAtSight(command)) return undefined;
  const search = new Search();
  search.text(command.slice(0, maxLexed), [], true, 0);
  if (search.best) return { verb: search.best.verb, directories: search.best.directories };
  const unreadable = search.unreadable || command.length > maxLexed;
  if (unreadable && gitWord.test(command)) return { verb: "unknown", directories: [] };
  if (search.mention && verbWord.test(command)) return { verb: "unknown", directories: search.mention };
  return undefined;
}

/**
 * Spares the reading of nearly all commands: git is not named, or only as a part of a longer name (`.gitignore`,
 * `github`, `digits`) or right before a sub-command that is spelt out and cannot commit (`git status`).
 */
function isHarmlessAtSight(command: string): boolean {
  const text = command.toLowerCase();
  for (let at = text.indexOf("git"); at >= 0; at = text.indexOf("git", at + 3)) {
    if (isNamePart(text[at - 1]) || (isNamePart(text[at + 3]) && !text.startsWith(".exe", at + 3))) continue;
    if (text[at + 3] !== " ") return false;
    let end = at + 4;
    while (isNamePart(text[end]) || text[end] === "-") end++;
    const next = text[end];
    const ends = next === undefined || " \t\n;&|)".includes(next);
    if (!ends || !cannotCommit(text.slice(at + 4, end))) return false;
  }
  return true;
}

const isNamePart = (char: string | undefined) =>
  char !== undefined && ((char >= "a" && char <= "z") || (char >= "0" && char <= "9") || char === ".");

class Search {
  /** The strongest finding, the earliest among equals: run by this shell before quoted text, known verbs first. */
  best: (CommitCommand & { rank: number }) | undefined;
  /** Where git was named without being seen to run: an alias, an argument list of another language, `xargs git`. */
  mention: string[] | undefined;
  unreadable = false;

  text(text: string, directories: string[], structural: boolean, depth: number): void {
    const lexed = lexShell(text);
    if (!lexed.complete || depth > maxTextDepth) this.unreadable = true;
    if (depth <= maxTextDepth) this.list(lexed.tokens, directories, structural, depth);
  }

  private list(tokens: ShellToken[], start: string[], structural: boolean, depth: number): void {
    let directories = start;
    const groups: string[][] = [];
    const pushed: string[][] = [];
    let words: ShellWord[] = [];
    let bodies: string[] = [];
    const flush = () => {
      directories = this.command(words, bodies, { directories, pushed, structural, depth });
      words = [];
      bodies = [];
    };
    for (const token of tokens) {
      if (token.kind === "word") words.push(token);
      else if (token.kind === "heredoc") bodies.push(token.body);
      else {
        flush();
        if (token.operator === "(") groups.push(directories);
        else if (token.operator === ")") directories = groups.pop() ?? directories;
      }
    }
    flush();
  }

  /** Looks at one simple command; returns the directory steps that hold after it. */
  private command(
    words: ShellWord[],
    bodies: string[],
    scope: { directories: string[]; pushed: string[][]; structural: boolean; depth: number },
  ): string[] {
    const { directories, structural, depth } = scope;
    for (const word of words)
      for (const tokens of word.substitutions) this.list(tokens, directories, structural, depth);
    let at = 0;
    let local = directories;
    for (; at < words.length; at++) {
      const word = words[at] as ShellWord;
      const assignment = word.text.includes("=") ? /^([A-Za-z_]\w*)=(.*)$/s.exec(word.text) : null;
      if (assignment?.[1] === "GIT_WORK_TREE") local = step(local, { ...word, text: assignment[2] ?? "" });
      else if (assignment?.[1] === "GIT_DIR") local = repositoryStep(local, assignment[2] ?? "", word);
      else if (!assignment && !prefixes.includes(word.text)) break;
      if (assignment) this.mentionIn(word.text, directories);
    }
    const moved = changeDirectory(words, at, directories, scope.pushed);
    if (moved) return moved;
    let runsText = false; // whether a quoted word or heredoc of this command is run by a shell
    const first = at;
    while (at < words.length) {
      const word = words[at] as ShellWord;
      const program = gitProgram(word.text);
      if (shells.includes(baseName(word.text))) runsText = structural;
      if (program === "git") at = this.invocation(words, at + 1, local, structural, at === first);
      else {
        if (program) this.found(program, local, structural);
        else this.argument(word.text, local, runsText, depth);
        at++;
      }
    }
    for (const body of bodies) if (mentionsGit(body)) this.text(body, local, runsText, depth + 1);
    return directories;
  }

  /** Reads options and sub-command of a git invocation; returns the index of the word after it. */
  private invocation(
    words: ShellWord[],
    start: number,
    from: string[],
    structural: boolean,
    runs: boolean,
  ): number {
    let directories = from;
    for (let at = start; at < words.length; at++) {
      const word = words[at] as ShellWord;
      const option = word.text;
      if (!option.startsWith("-")) {
        const verb = word.dynamic ? "unknown" : trimmed(option);
        if (!cannotCommit(verb)) this.found(verb, directories, structural);
        return at + 1;
      }
      const { name, attached } = splitOption(option);
      if (attached === undefined && !valueOptions.includes(name)) continue;
      const value = attached === undefined ? words[++at] : { ...word, text: attached };
      if (!value) continue;
      if (name === "-C" || name === "--work-tree") directories = step(directories, value);
      else if (name === "--git-dir") directories = repositoryStep(directories, value.text, value);
    }
    if (!runs) this.mention ??= directories;
    return words.length;
  }

  /** A word that is neither git nor its option may hold a command for someone else to run. */
  private argument(text: string, directories: string[], structural: boolean, depth: number): void {
    if (!mentionsGit(text)) return;
    if (/[\s;&|()<>"'`]/.test(text)) this.text(text, directories, structural, depth + 1);
    this.mentionIn(text, directories);
  }

  private mentionIn(text: string, directories: string[]): void {
    if (gitWord.test(text)) this.mention ??= directories;
  }

  private found(verb: string, directories: string[], structural: boolean): void {
    const known = committingVerbs.includes(verb) || integratingVerbs.includes(verb);
    const rank = (structural ? 0 : 3) + (committingVerbs.includes(verb) ? 0 : known ? 1 : 2);
    if (this.best && this.best.rank <= rank) return;
    this.best = { verb: known ? verb : "unknown", directories, rank };
  }
}

/** `cd` and its relatives: the steps after the command, undefined when it is another one. */
function changeDirectory(
  words: ShellWord[],
  start: number,
  from: string[],
  pushed: string[][],
): string[] | undefined {
  const name = words[start]?.text;
  if (name === "popd") return pushed.pop() ?? from;
  if (name !== "cd" && name !== "pushd") return undefined;
  if (name === "pushd" && pushed.length < maxSteps) pushed.push(from);
  let at = start + 1;
  while (at < words.length && /^-(?:[LPe@n]+|-)$/.test(words[at]?.text ?? "")) at++;
  const target = words[at];
  if (!target) return name === "cd" ? add(from, "~") : from;
  return target.text === "-" ? from : step(from, target);
}

/** One more step, unless its value is not known from the text alone. */
function step(directories: string[], word: ShellWord): string[] {
  const { text } = word;
  if (word.dynamic || text === "" || text === "." || text === "./") return directories;
  return add(directories, text.startsWith("~") && !word.home ? `./${text}` : text);
}

/** `--git-dir DIR/.git` without a work tree names the repository in DIR. */
function repositoryStep(directories: string[], gitDir: string, word: ShellWord): string[] {
  const parent = /^(.+)\/\.git\/?$/.exec(gitDir)?.[1];
  return parent === undefined ? directories : step(directories, { ...word, text: parent });
}

const add = (directories: string[], directory: string) =>
  directories.length < maxSteps ? [...directories, directory] : directories;

/** `git`, a sub-command's own program (`git-commit`) as its verb, or undefined. */
function gitProgram(text: string): string | undefined {
  if (text.length > 4096 || !mentionsGit(text)) return undefined;
  const program = baseName(trimmed(text));
  const name = program.endsWith(".exe") ? program.slice(0, -4) : program;
  if (name === "git") return "git";
  const verb = name.startsWith("git-") ? name.slice(4) : "";
  return committingVerbs.includes(verb) || integratingVerbs.includes(verb) ? verb : undefined;
}

function baseName(text: string): string {
  return text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1).toLowerCase();
}

/** Without the quotes, brackets and signs that other languages and nested shells put around a word. */
function trimmed(text: string): string {
  const around = " \t\r\n'\"`;$&|(){}[]<>";
  let start = 0;
  let end = text.length;
  while (start < end && around.includes(text[start] as string)) start++;
  while (end > start && around.includes(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

function splitOption(option: string): { name: string; attached?: string } {
  const equals = option.startsWith("--") ? option.indexOf("=") : -1;
  return equals < 0
    ? { name: option }
    : { name: option.slice(0, equals), attached: option.slice(equals + 1) };
}

const mentionsGit = (text: string) => text.toLowerCase().includes("git");
