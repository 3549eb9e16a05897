import { type Heredoc, readHeredoc } from "./shell-heredoc.ts";

/** A word after quote removal. */
export interface ShellWord {
  kind: "word";
  /** Expansions stand in it as `$…`. */
  text: string;
  /** Its value depends on more than this text: a variable, a substitution, a pattern. */
  dynamic: boolean;
  /** Begins with the home directory, written `~` in `text` (`~/x`, `$HOME/x`). */
  home: boolean;
  /** The commands inside its `$(…)` and backticks. */
  substitutions: ShellToken[][];
}

export type ShellToken =
  | ShellWord
  /** The text that follows in the lines below, up to the delimiter. */
  | { kind: "heredoc"; body: string }
  /** What separates commands; redirections are dropped, their targets stay as words. */
  | { kind: "operator"; operator: ShellOperator };

export type ShellOperator = ";" | "|" | "&" | "\n" | "(" | ")";

export interface Lexed {
  tokens: ShellToken[];
  /** False when a quote or substitution never ends, or nests too deeply; the tokens up to there are right. */
  complete: boolean;
}

const maxDepth = 32;
const plainRun = /[^ \t\r\n\\'"$`;&|()<>*?[]+/y;
const doubleRun = /[^"\\$`]+/y;
const braceRun = /[^}\\$`]+/y;
const variable = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y;

/** Splits a POSIX shell command into words and operators, in one pass, without running or expanding anything. */
export function lexShell(text: string): Lexed {
  const lexer = new Lexer(text, 0);
  const tokens = lexer.list(undefined);
  return { tokens, complete: !lexer.failed };
}

class Lexer {
  failed = false;
  private at = 0;

  constructor(
    private readonly text: string,
    private depth: number,
  ) {}

  /** Commands up to the end of the text, or past an unmatched `closer`. */
  list(closer: ")" | undefined): ShellToken[] {
    const tokens: ShellToken[] = [];
    const heredocs: Heredoc[] = [];
    let open = 0;
    const operator = (name: ShellOperator, length: number) => {
      tokens.push({ kind: "operator", operator: name });
      this.at += length;
    };
    while (this.at < this.text.length) {
      const char = this.text[this.at] as string;
      const next = this.text[this.at + 1];
      if (char === "\\" && next === "\n") {
        this.at += 2;
        continue;
      }
      switch (char) {
        case " ":
        case "\t":
        case "\r":
          this.at++;
          break;
        case "\n":
          operator("\n", 1);
          for (const heredoc of heredocs.splice(0)) this.at = readHeredoc(this.text, this.at, heredoc);
          break;
        case ";":
          operator(";", 1);
          break;
        case "|":
          operator("|", next === "|" || next === "&" ? 2 : 1);
          break;
        case "&":
          if (next === ">") this.at += 2;
          else operator("&", next === "&" ? 2 : 1);
          break;
        case "(":
          open++;
          operator("(", 1);
          break;
        case ")":
          if (open === 0 && closer) {
            this.at++;
            return tokens;
          }
          open = Math.max(0, open - 1);
          operator(")", 1);
          break;
        case ">":
          this.at += next === ">" || next === "&" || next === "|" ? 2 : 1;
          break;
        case "<": {
          if (next !== "<" || this.text[this.at + 2] === "<") {
            this.at += next === "<" ? 3 : next === "&" || next === ">" ? 2 : 1;
            break;
          }
          this.at += 2;
          const indented = this.text[this.at] === "-";
          if (indented) this.at++;
          while (this.text[this.at] === " " || this.text[this.at] === "\t") this.at++;
          const delimiter = this.word().text;
          const token = { kind: "heredoc" as const, body: "" };
          tokens.push(token);
          heredocs.push({ token, delimiter, indented });
          break;
        }
        case "#": {
          const end = this.text.indexOf("\n", this.at);
          this.at = end < 0 ? this.text.length : end;
          break;
        }
        default:
          tokens.push(this.word());
      }
    }
    if (closer) this.failed = true;
    return tokens;
  }

  private word(): ShellWord {
    const word: ShellWord = { kind: "word", text: "", dynamic: false, home: false, substitutions: [] };
    const start = this.at;
    while (this.at < this.text.length) {
      const char = this.text[this.at] as string;
      if (" \t\r\n;&|()<>".includes(char)) break;
      if (char === "\\") {
        const escaped = this.text[this.at + 1] ?? "";
        if (escaped !== "\n") word.text += escaped; // a backslash before a line break joins the lines
        this.at += 2;
      } else if (char === "'") {
        const end = this.text.indexOf("'", this.at + 1);
        if (end < 0) this.failed = true;
        word.text += this.text.slice(this.at + 1, end < 0 ? undefined : end);
        this.at = end < 0 ? this.text.length : end + 1;
      } else if (char === '"') {
        this.at++;
        this.doubleQuoted(word);
      } else if (char === "$") {
        this.dollar(word, false);
      } else if (char === "`") {
        this.backtick(word);
      } else if ("*?[".includes(char)) {
        word.text += char;
        word.dynamic = true;
        this.at++;
      } else {
        word.text += this.run(plainRun);
      }
    }
    if (word.home || this.text[start] === "~") {
      word.home = word.text === "~" || word.text.startsWith("~/");
      if (!word.home) word.dynamic = true; // `~user`
    }
    return word;
  }

  private doubleQuoted(word: ShellWord): void {
    while (this.at < this.text.length) {
      const char = this.text[this.at] as string;
      if (char === '"') {
        this.at++;
        return;
      }
      if (char === "\\") {
        const escaped = this.text[this.at + 1] ?? "";
        if (escaped !== "\n") word.text += '$`"\\'.includes(escaped) ? escaped : char + escaped;
        this.at += 2;
      } else if (char === "$") this.dollar(word, true);
      else if (char === "`") this.backtick(word);
      else word.text += this.run(doubleRun);
    }
    this.failed = true;
  }

  private dollar(word: ShellWord, quoted: boolean): void {
    const next = this.text[this.at + 1];
    if (next === "(") {
      this.at += 2;
      this.nested(word, () => word.substitutions.push(this.list(")")));
      return;
    }
    variable.lastIndex = this.at;
    const name = variable.exec(this.text);
    if (name) {
      this.at += name[0].length;
      this.expand(word, name[1] ?? name[2] ?? "");
    } else if (next === "{") {
      this.at += 2;
      this.nested(word, () => this.braces(word));
    } else if (!quoted && next === "'") {
      this.at += 2;
      this.ansiQuoted(word);
    } else {
      if (next !== undefined && /[\d@*#?$!-]/.test(next)) word.dynamic = true;
      if (quoted || next !== '"') word.text += "$"; // `$"…"` is a translated string: its quotes come next
      this.at++;
    }
  }

  private expand(word: ShellWord, name: string): void {
    if (word.text === "" && name === "HOME") {
      word.text = "~";
      word.home = true;
    } else if (word.text === "" && name === "PWD") {
      word.text = ".";
    } else {
      word.text += `$${name}`;
      word.dynamic = true;
    }
  }

  private nested(word: ShellWord, read: () => void): void {
    word.dynamic = true;
    word.text += "$_";
    if (this.depth >= maxDepth) {
      this.failed = true;
      return;
    }
    this.depth++;
    read();
    this.depth--;
  }

  /** The rest of `${…}`. */
  private braces(word: ShellWord): void {
    while (this.at < this.text.length) {
      const char = this.text[this.at] as string;
      if (char === "}") {
        this.at++;
        return;
      }
      if (char === "\\") this.at += 2;
      else if (char === "$") this.dollar(word, true);
      else if (char === "`") this.backtick(word);
      else this.run(braceRun);
    }
    this.failed = true;
  }

  private ansiQuoted(word: ShellWord): void {
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at] as string;
      if (char === "'") {
        this.at++;
        return;
      }
      if (char === "\\") this.at++;
      word.text += this.text[this.at] ?? "";
    }
    this.failed = true;
  }

  private backtick(word: ShellWord): void {
    let content = "";
    let closed = false;
    for (this.at++; this.at < this.text.length && !closed; this.at++) {
      const char = this.text[this.at] as string;
      const next = this.text[this.at + 1] ?? "";
      if (char === "`") closed = true;
      else if (char === "\\" && "`\\$".includes(next)) {
        content += next;
        this.at++;
      } else content += char;
    }
    if (!closed) this.failed = true;
    this.nested(word, () => {
      const inner = new Lexer(content, this.depth);
      word.substitutions.push(inner.list(undefined));
      if (inner.failed) this.failed = true;
    });
  }

  private run(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const run = pattern.exec(this.text)?.[0] ?? (this.text[this.at] as string);
    this.at += run.length;
    return run;
  }
}
