import {
  type GitEnvironment,
  gitProgram,
  mentionsGit,
  programName,
  readInvocation,
  splitOption,
} from "./git-invocation.ts";
import { cannotCommit, committingVerbs, integratingVerbs } from "./git-verbs.ts";
import { ShellCourse } from "./shell-course.ts";
import { lexShell } from "./shell-lexer.ts";
import { ShellPlace, type ShellValue, ShellVariables } from "./shell-place.ts";
import type { ShellToken, ShellWord } from "./shell-token.ts";

/**
 * A shell command that may add commits, and where its git runs. Of several that do, the one that counts most is told:
 * what this shell runs before quoted text, a committing verb before rebase and pull, those before `unknown`, then the
 * first.
 */
export interface CommitCommand {
  /** The git sub-command, or `unknown` for an alias, an external sub-command or text that could not be read. */
  verb: string;
  /**
   * Directory steps to take from the command's working directory, in order: `cd`, `-C`, `--git-dir`, `--work-tree`.
   * A step that is not a directory is to be ignored. `~` and `~/…` mean the home directory.
   */
  directories: string[];
}

// Longer commands are read up to here; what follows is treated as unreadable.
const maxLexed = 256 * 1024;
const maxTextDepth = 8;
const shells = ["bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "pwsh", "powershell", "cmd", "su", "eval"];
// Words before a command that leave it one: of POSIX shells, of the `env` program, of fish.
const prefixes =
  " then do else elif if while until time ! { builtin command exec coproc env and or not begin ";
const declarations = ["export", "declare", "typeset", "local", "readonly"];
// Programs that run the command among their arguments. Git itself is found behind any word.
const runners = ["sudo", "doas", "npx", "bunx", "pnpx", "nohup", "nice", "timeout", "stdbuf", "xargs"];
/** Their options, and those of `env`, for the directory to run it in. */
const directoryOptions = [
  "-C",
  "-D",
  "--chdir",
  "--directory",
  "--cwd",
  "--dir",
  "--working-directory",
  "-WorkingDirectory",
];
const gitWord = /(?<![\w.-])git(?:\.exe)?(?![\w.-])/i;
const otherWord = /(?<![\w.-])(?:jj|hub)(?:\.exe)?(?![\w.-])/;
const verbWord = /(?<![\w-])(?:commit|cherry-pick|revert|merge|am|rebase|pull)(?![\w-])/;

/**
 * Finds out whether a shell command can commit. It errs on the side of yes: a needless yes costs a question to the
 * daemon, which looks at HEAD; a wrong no loses a commit. Never throws, and takes time linear in the text.
 */
export function recogniseCommit(command: string): CommitCommand | undefined {
  if (isHarmlessAtSight(command)) return undefined;
  const search = new Search();
  search.text(command.slice(0, maxLexed), [], { structural: true, depth: 0 });
  if (search.best) return { verb: search.best.verb, directories: search.best.directories };
  const unreadable = search.unreadable || command.length > maxLexed;
  if (unreadable && gitWord.test(command)) return { verb: "unknown", directories: search.end };
  if (search.mention && verbWord.test(command)) return { verb: "unknown", directories: search.mention };
  return undefined;
}

/**
 * Spares the reading of nearly all commands: git is not named, or only as a part of a longer name (`.gitignore`,
 * `github`, `digits`) or right before a sub-command that is spelt out and cannot commit (`git status`).
 */
function isHarmlessAtSight(command: string): boolean {
  const text = command.toLowerCase();
  if ((text.includes("jj") || text.includes("hub")) && otherWord.test(text)) return false;
  for (let at = text.indexOf("git"); at >= 0; at = text.indexOf("git", at + 3)) {
    if (isNamePart(text[at - 1]) && !isEscape(text, at - 1)) continue;
    if (isNamePart(text[at + 3]) && !text.startsWith(".exe", at + 3)) continue;
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

/** The `n` of `\n` in a quoted text, where a line of commands may begin. */
const isEscape = (text: string, at: number) =>
  text[at - 1] === "\\" && (text[at] === "n" || text[at] === "t");

/** How a text is read: whether a shell runs it, and how many texts it is inside of. */
interface Reading {
  structural: boolean;
  depth: number;
}

class Search {
  /** The strongest finding, the earliest among equals: run by this shell before quoted text, known verbs first. */
  best: (CommitCommand & { rank: number }) | undefined;
  /** Where git was named without being seen to run: an alias, an argument list of another language, `xargs git`. */
  mention: string[] | undefined;
  /** Where the shell stands after the whole command, or after what could be read of it. */
  end: string[] = [];
  unreadable = false;
  private readonly variables = new ShellVariables();

  text(text: string, directories: string[], reading: Reading): void {
    if (reading.depth > maxTextDepth) {
      this.unreadable = true;
      return;
    }
    const { tokens, complete } = lexShell(reading.depth === 0 ? text : asShell(text));
    if (!complete) this.unreadable = true;
    const end = this.list(tokens, directories, reading);
    if (reading.depth === 0) this.end = end;
  }

  /** Looks at each command; returns the directory steps that hold after the last one. */
  private list(tokens: ShellToken[], start: string[], reading: Reading): string[] {
    const place = new ShellPlace(start, this.variables);
    const course = new ShellCourse(place);
    let words: ShellWord[] = [];
    let bodies: string[] = [];
    for (const token of tokens) {
      if (token.kind === "word") {
        if (!token.target || mentionsGit(token.text)) words.push(token);
        else for (const inner of token.substitutions) this.list(inner, place.directories, reading);
      } else if (token.kind === "heredoc") bodies.push(token.body);
      else {
        course.begin(words);
        this.command(words, bodies, place, reading);
        course.end(token.operator);
        words = [];
        bodies = [];
      }
    }
    this.command(words, bodies, place, reading);
    return place.directories;
  }

  /** Looks at one simple command, and moves the place as it does. */
  private command(written: ShellWord[], bodies: string[], place: ShellPlace, reading: Reading): void {
    for (const word of written)
      for (const tokens of word.substitutions) this.list(tokens, place.directories, reading);
    const environment: GitEnvironment = {};
    const first = this.prefix(written, environment, place, reading);
    if (place.move(written, first)) return;
    const words = splitVariable(written, first, place);
    let local = place.directories;
    let run: Reading = { structural: false, depth: reading.depth + 1 }; // how a shell here would run a text
    const leader = programName(words[first]?.text ?? "");
    for (let at = first; at < words.length; ) {
      const word = words[at] as ShellWord;
      const text = word.variable === undefined ? word.text : (place.value(word)?.text ?? word.text);
      const name = programName(word.text);
      if (shells.includes(name)) run = { ...run, structural: reading.structural };
      const program = gitProgram(word, text, at === first || runners.includes(leader));
      if (program === "git" || program === "jj") {
        const found = readInvocation(program, words, at + 1, place, local, environment);
        if (found.verb !== undefined) this.found(found.verb, found.directories, reading);
        else if (found.bare && !(reading.structural && at === first)) this.mention ??= found.directories;
        at = found.next;
        continue;
      }
      if (program) this.found(program, local, reading);
      else if (word.text.startsWith("-")) local = runsIn(words, at, place, local);
      else if (word.text.startsWith("GIT_")) {
        const name = word.text.slice(0, word.text.indexOf("="));
        setEnvironment(environment, name, place.value(word, word.text.slice(name.length + 1)));
      }
      if (!program) this.argument(text, local, run);
      at++;
    }
    for (const body of bodies) if (mentionsGit(body)) this.text(body, local, run);
  }

  /**
   * Reads what stands before a command: `then`, `A=1`, `export A=1`. Values that outlive the command are kept.
   * Returns the index of the command's own word.
   */
  private prefix(
    words: ShellWord[],
    environment: GitEnvironment,
    place: ShellPlace,
    reading: Reading,
  ): number {
    let first = 0;
    let declares = false;
    const assigned: [name: string, word: ShellWord][] = [];
    for (; first < words.length; first++) {
      const word = words[first] as ShellWord;
      const name = word.text.includes("=") ? /^([A-Za-z_]\w*)=/.exec(word.text)?.[1] : undefined;
      if (name !== undefined) assigned.push([name, word]);
      else if (declarations.includes(word.text)) declares = true;
      else if (word.text === "function") first++;
      else if (!isPrefix(word.text) && !(declares && word.text.startsWith("-"))) break;
    }
    for (const [name, word] of assigned) {
      const text = word.text.slice(name.length + 1);
      const value = place.value(word, text);
      if (declares || first === words.length) place.variables.set(name, value);
      else setEnvironment(environment, name, value);
      this.argument(text, place.directories, { structural: false, depth: reading.depth + 1 });
    }
    const head = words[first];
    const value = words[first + 2];
    // PowerShell's `$x = value`, and of a loop's values the first: one place is told, that of the first commit.
    if (head?.variable !== undefined && words[first + 1]?.text === "=")
      place.variables.set(head.variable, value && place.value(value));
    else if (head?.text === "for" && value?.text === "in")
      place.variables.set(
        words[first + 1]?.text ?? "",
        words[first + 3] && place.value(words[first + 3] as ShellWord),
      );
    return first;
  }

  /** A word that is neither git nor its option may hold a command for someone else to run. */
  private argument(text: string, directories: string[], run: Reading): void {
    if (!mentionsGit(text)) return;
    if (/[\s;&|()<>"'`]|\\n/.test(text)) this.text(text, directories, run);
    if (gitWord.test(text)) this.mention ??= directories;
  }

  private found(verb: string, directories: string[], { structural }: Reading): void {
    const known = committingVerbs.includes(verb) || integratingVerbs.includes(verb);
    const rank = (structural ? 0 : 3) + (committingVerbs.includes(verb) ? 0 : known ? 1 : 2);
    if (this.best && this.best.rank <= rank) return;
    this.best = { verb: known ? verb : "unknown", directories, rank };
  }
}

/** A quoted text may be of another language: `\n` is a line break there, and `["git", "commit"]` a command. */
const asShell = (text: string) =>
  text.replace(/\\[nt](?=(?:git|cd)\b|["'\s]|$)/g, "\n").replace(/(["'])[ \t]*,[ \t]*\[?(?=["'])/g, "$1 ");

const isPrefix = (text: string) => !text.includes(" ") && prefixes.includes(` ${text} `);

function setEnvironment(environment: GitEnvironment, name: string, value: ShellValue | undefined): void {
  if (name === "GIT_DIR") environment.gitDir = value;
  else if (name === "GIT_WORK_TREE") environment.workTree = value;
}

/** `G="git -C x"; $G commit`: a variable's value is split where it stands as a command. */
function splitVariable(words: ShellWord[], first: number, place: ShellPlace): ShellWord[] {
  const head = words[first];
  const value = head?.variable === undefined ? undefined : place.value(head);
  if (!value?.text.includes(" ") || value.base) return words;
  const split = words.slice(0, first);
  for (const text of value.text.split(" "))
    if (text !== "") split.push({ kind: "word", text, dynamic: false, substitutions: [] });
  return split.concat(words.slice(first + 1));
}

/** `env -C DIR`, `sudo --chdir=DIR`: where the command behind it runs. */
function runsIn(words: ShellWord[], at: number, place: ShellPlace, from: string[]): string[] {
  const word = words[at] as ShellWord;
  const { name, attached } = splitOption(word.text);
  const given = attached === undefined ? words[at + 1] : word;
  if (!given || !directoryOptions.includes(name)) return from;
  return place.after(place.value(given, attached ?? given.text), from);
}
