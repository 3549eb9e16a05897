import { type Heredoc, readHeredoc } from "./shell-heredoc.ts";
import { type Quoted, readAnsiQuote, readBackticks } from "./shell-quote.ts";
import { beginsValue, markHome, type ShellOperator, type ShellToken, type ShellWord } from "./shell-token.ts";

export interface Lexed {
  tokens: ShellToken[];
  /** False when a quote or substitution never ends, or nests too deeply; the tokens up to there are right. */
  complete: boolean;
}

const maxDepth = 32;
const plainRun = /[^ \t\r\n\\'"$`;&|()<>*?[]+/y;
const doubleRun = /[^"\\$`]+/y;
const braceRun = /[^}\\$`]+/y;
const namePart = /^[\w.]/;
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
    const cases: number[] = []; // for each `case` that has no `esac` yet, how many brackets are open around it
    let open = 0;
    let redirects = false; // the next word is a redirection's target
    const operator = (name: ShellOperator, length: number) => {
      tokens.push({ kind: "operator", operator: name });
      this.at += length;
      redirects = false;
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
          if (next === "|") operator("||", 2);
          else operator("|", next === "&" ? 2 : 1);
          break;
        case "&":
          if (next === ">") {
            this.at += 2;
            redirects = true;
          } else if (next === "&") operator("&&", 2);
          else operator("&", 1);
          break;
        case "(":
          open++;
          operator("(", 1);
          break;
        case ")":
          if (cases.length > 0 && cases[cases.length - 1] === open) {
            operator(";", 1); // after a pattern
            break;
          }
          if (open === 0 && closer) {
            this.at++;
            return tokens;
          }
          if (open > 0) open--;
          operator(")", 1);
          break;
        case ">":
          this.at += next === ">" || next === "&" || next === "|" ? 2 : 1;
          redirects = true;
          break;
        case "<": {
          if (next !== "<" || this.text[this.at + 2] === "<") {
            this.at += next === "<" ? 3 : next === "&" || next === ">" ? 2 : 1;
            redirects = next !== "<"; // the word after `<<<` is itself the text to read
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
        default: {
          const word = this.word();
          if (redirects) word.target = true;
          redirects = false;
          if ("<>".includes(this.text[this.at] ?? " ") && /^\d+$/.test(word.text)) break; // of `2>`
          tokens.push(word);
          if (word.text === "in" && isCase(tokens)) cases.push(open);
          else if (word.text === "esac") cases.pop();
        }
      }
    }
    if (closer) this.failed = true;
    return tokens;
  }

  private word(): ShellWord {
    const word: ShellWord = { kind: "word", text: "", dynamic: false, substitutions: [] };
    const start = this.at;
    let onDrive = false; // `C:\x`: no escapes in it
    while (this.at < this.text.length) {
      const char = this.text[this.at] as string;
      if (" \t\r\n;&|()<>".includes(char)) break;
      if (char === "\\" && (onDrive || this.isDrive(start))) {
        onDrive = true;
        word.text += char;
        this.at++;
      } else if (char === "\\") {
        const escaped = this.text[this.at + 1] ?? "";
        if (namePart.test(escaped)) {
          word.backslashes ??= [];
          word.backslashes.push(word.text.length);
        }
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
    markHome(word, this.text, start);
    return word;
  }

  /** Whether `C:` was read last, at a word's beginning or after a `=`. */
  private isDrive(start: number): boolean {
    const letter = this.at - 2;
    if (letter < start || this.text[this.at - 1] !== ":") return false;
    return (letter === start || this.text[letter - 1] === "=") && /[A-Za-z]/.test(this.text[letter] ?? "");
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
      const before = word.text;
      const begins = beginsValue(word);
      this.at += 2;
      this.nested(word, () => word.substitutions.push(this.list(")")));
      const commands = word.substitutions[word.substitutions.length - 1];
      const only = begins && commands?.length === 1 ? commands[0] : undefined;
      if (only?.kind === "word" && only.text === "pwd") {
        word.text = `${before}$PWD`;
        word.variable = "PWD";
        word.dynamic = false;
      }
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
      word.text += this.pass(readAnsiQuote(this.text, this.at + 2)).content;
    } else {
      if (next !== undefined && /[\d@*#?$!-]/.test(next)) word.dynamic = true;
      if (quoted || next !== '"') word.text += "$"; // `$"…"` is a translated string: its quotes come next
      this.at++;
    }
  }

  private expand(word: ShellWord, name: string): void {
    if (beginsValue(word)) word.variable = name;
    else word.dynamic = true;
    word.text += `$${name}`;
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

  private backtick(word: ShellWord): void {
    const { content } = this.pass(readBackticks(this.text, this.at + 1));
    this.nested(word, () => {
      const inner = new Lexer(content, this.depth);
      word.substitutions.push(inner.list(undefined));
      if (inner.failed) this.failed = true;
    });
  }

  private pass(quoted: Quoted): Quoted {
    this.at = quoted.end;
    if (!quoted.closed) this.failed = true;
    return quoted;
  }

  private run(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const run = pattern.exec(this.text)?.[0] ?? (this.text[this.at] as string);
    this.at += run.length;
    return run;
  }
}

/** Whether the last words are `case X in`, where a command stands. */
function isCase(tokens: ShellToken[]): boolean {
  const word = tokens[tokens.length - 3];
  const before = tokens[tokens.length - 4];
  if (word?.kind !== "word" || word.text !== "case") return false;
  return before?.kind !== "word" || " then do else { ! ".includes(` ${before.text} `);
}
