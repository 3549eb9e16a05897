/** A word after quote removal. */
export interface ShellWord {
  kind: "word";
  /** Expansions stand in it as `$…`. */
  text: string;
  /** Its value depends on more than this text and `variable`: a substitution, a pattern, a further variable. */
  dynamic: boolean;
  /**
   * The variable that the word, or what follows its first `=`, begins with; it stands there as `$NAME`.
   * `HOME` also for `~`, `PWD` also for `$(pwd)`.
   */
  variable?: string;
  /** Where a backslash was taken away before a letter, digit or dot: on Windows it stands between directories. */
  backslashes?: number[];
  /** It is where a redirection goes. */
  target?: boolean;
  /** The commands inside its `$(…)` and backticks. */
  substitutions: ShellToken[][];
}

export type ShellToken =
  | ShellWord
  /** The text that follows in the lines below, up to the delimiter. */
  | { kind: "heredoc"; body: string }
  /** What separates commands. Of a redirection only the target is left. */
  | { kind: "operator"; operator: ShellOperator };

export type ShellOperator = ";" | "|" | "||" | "&" | "&&" | "\n" | "(" | ")";

const assignedTilde = /(?:[A-Za-z_]\w*=)?~/y;

/** Whether nothing of the word, or of the value that its first `=` gives, was read yet. */
export function beginsValue({ text, dynamic, variable }: ShellWord): boolean {
  if (dynamic || variable !== undefined) return false;
  return text === "" || (text.endsWith("=") && text.indexOf("=") === text.length - 1);
}

/** Marks a `~` that is not quoted, at the word's beginning or right after an assignment's `=`. */
export function markHome(word: ShellWord, source: string, start: number): void {
  if (source[start] !== "~" && !word.text.includes("=~")) return;
  assignedTilde.lastIndex = start;
  const before = assignedTilde.exec(source)?.[0];
  if (before === undefined) return;
  const rest = word.text.slice(before.length);
  if (rest === "" || rest.startsWith("/")) {
    word.text = `${before.slice(0, -1)}$HOME${rest}`;
    word.variable = "HOME";
  } else word.dynamic = true; // `~user`
}
