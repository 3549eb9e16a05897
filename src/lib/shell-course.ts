import type { ShellPlace } from "./shell-place.ts";
import type { ShellOperator, ShellWord } from "./shell-token.ts";

/** What holds again where a group ends. */
interface Outside {
  directories: string[];
  listStart: string[];
  piped: boolean;
}

/** Takes back what a shell's moves leave behind nowhere: in a subshell, in a pipe, in the background. */
export class ShellCourse {
  private readonly groups: Outside[] = [];
  private readonly braces: Outside[] = [];
  /** Where the shell stood before the commands that an `&` would send to the background. */
  private listStart: string[];
  /** Where it stood before this command. */
  private from: string[];
  private piped = false;
  /** No command stands between the last operator and here. */
  private idle = true;

  constructor(private readonly place: ShellPlace) {
    this.listStart = place.directories;
    this.from = place.directories;
  }

  /** Before a command moves the place. */
  begin(words: ShellWord[]): void {
    this.from = this.place.directories;
    if (words.length === 0) return;
    this.idle = false;
    // Also behind `do`, `then`, `!`.
    if (words[0]?.text === "{" || words[1]?.text === "{") this.open(this.braces);
    else if (words[0]?.text === "}") {
      const outside = this.braces.pop();
      if (!outside) return;
      this.from = outside.directories;
      this.listStart = outside.listStart;
      this.piped = outside.piped;
    }
  }

  /** After the command, at the operator that ends it. */
  end(operator: ShellOperator): void {
    const { place } = this;
    if (operator === "(") {
      this.open(this.groups);
      this.idle = true;
    } else if (operator === ")") {
      const outside = this.groups.pop();
      this.idle = false;
      this.piped = false;
      if (!outside) return;
      place.directories = outside.directories;
      this.listStart = outside.listStart;
    } else if (!this.idle) {
      this.idle = true;
      place.alternative = operator === "||" && place.directories !== this.from;
      if (operator === "|" || this.piped) place.directories = this.from;
      if (operator === "&") place.directories = this.listStart;
      this.piped = operator === "|";
      if (operator === ";" || operator === "\n" || operator === "&") this.listStart = place.directories;
    }
  }

  private open(groups: Outside[]): void {
    const { directories } = this.place;
    groups.push({ directories, listStart: this.listStart, piped: this.piped });
    this.listStart = directories;
    this.piped = false;
  }
}
