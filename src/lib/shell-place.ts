import type { ShellWord } from "./shell-token.ts";

/** What a word says, where the text alone tells. */
export interface ShellValue {
  /** As a directory step: `~/…` is the home directory, `./~…` is not. */
  text: string;
  /** The steps it counts from; absent: from wherever it is used. */
  base?: string[];
  /** How it reads where backslashes stand between directories. */
  windows?: string;
}

/** Variables that the text gave a value. Made when the first one is, which most commands never do. */
export class ShellVariables {
  private values: Map<string, ShellValue> | undefined;
  // Longer values are no paths, and more look-ups no command: both would make a hostile text grow as it is read.
  private lookups = 2048;

  /** Undefined takes the value away: it is not known any more. */
  set(name: string, value: ShellValue | undefined): void {
    if (value && value.text.length <= 512) {
      this.values ??= new Map();
      this.values.set(name, value);
    } else this.values?.delete(name);
  }

  get(name: string): ShellValue | undefined {
    return this.values && this.lookups-- > 0 ? this.values.get(name) : undefined;
  }
}

const maxSteps = 32;
const maxPath = 4096;
const movers = ["cd", "pushd", "popd", "chdir", "sl", "set-location", "push-location", "pop-location"];

/** Where a shell stands: the directory steps from where its command began. */
export class ShellPlace {
  /** The last command before `||` moved: only one of it and the next one moves. */
  alternative = false;
  private previous: string[] | undefined;
  private readonly pushed: string[][] = [];

  constructor(
    public directories: string[],
    readonly variables: ShellVariables,
  ) {}

  /** `cd` and its relatives. False when the words are another command. */
  move(words: ShellWord[], start: number): boolean {
    const name = words[start]?.text.toLowerCase() ?? "";
    if (!movers.includes(name)) return false;
    const from = this.directories;
    const pushes = name === "pushd" || name === "push-location";
    if (name === "popd" || name === "pop-location") this.to(this.pushed.pop() ?? from);
    else {
      let at = start + 1;
      while (at < words.length && /^-(?:[A-Za-z@]+|-)$/.test(words[at]?.text ?? "")) at++;
      if (/^\/d$/i.test(words[at]?.text ?? "") && words[at + 1]?.text.includes(":")) at++; // of cmd.exe
      const target = words[at];
      if (target) this.to(target.text === "-" ? (this.previous ?? from) : this.after(this.value(target)));
      else if (pushes) this.to(this.pushed.pop() ?? from);
      else if (name === "cd") this.to(add(from, "~"));
      if (pushes && this.pushed.length < maxSteps) this.pushed.push(from);
    }
    return true;
  }

  private to(directories: string[]): void {
    this.previous = this.directories;
    this.directories = directories;
  }

  /** What a word, or the part of it after an `=`, stands for; undefined when that is not known. */
  value(word: ShellWord, text = word.text): ShellValue | undefined {
    const { variable: name, backslashes, dynamic } = word;
    if (dynamic) return undefined;
    if (name === undefined || !text.startsWith(`$${name}`)) {
      const value = { text: text.startsWith("~") ? `./${text}` : text };
      return backslashes && text === word.text ? { ...value, windows: withBackslashes(word) } : value;
    }
    const rest = text.slice(name.length + 1);
    const known = this.variables.get(name);
    if (known) return { ...known, text: known.text + rest };
    if (rest !== "" && !rest.startsWith("/")) return undefined;
    if (name === "HOME") return { text: `~${rest}` };
    const base = name === "PWD" ? this.directories : name === "OLDPWD" ? this.previous : undefined;
    return base && { text: `.${rest}`, base };
  }

  /** The steps to a directory, from here or from `from`. One whose value is not known is left out. */
  after(value: ShellValue | undefined, from = this.directories): string[] {
    if (!value) return from;
    const { text, base = from, windows } = value;
    if (text === "" || text === "." || text === "./") return base;
    if (this.alternative) return addAlternative(base, text);
    const steps = addFrom(base, text);
    return windows === undefined ? steps : add(steps, windows);
  }
}

/** A word with the backslashes that a POSIX shell takes away. */
export function withBackslashes({ text, backslashes }: ShellWord): string {
  if (!backslashes) return text;
  let whole = "";
  let from = 0;
  for (const at of backslashes) {
    whole += `${text.slice(from, at)}\\`;
    from = at;
  }
  return whole + text.slice(from);
}

const add = (directories: string[], directory: string) =>
  directories.length < maxSteps ? [...directories, directory] : directories;

/** `cd out && … && cd ..` leads back, also when `out` is not there yet as we look. */
function addFrom(base: string[], step: string): string[] {
  if (step.length > maxPath || !/^\.\.(?:\/+\.\.)*\/*$/.test(step)) return add(base, step);
  let from = base;
  let ups = step.split(/\/+/).filter((part) => part === "..");
  while (from.length > 0 && ups.length > 0) {
    let last = from[from.length - 1] as string;
    if (last.length > maxPath || last.includes("\\")) break;
    while (last.length > 1 && last.endsWith("/")) last = last.slice(0, -1);
    const cut = last.lastIndexOf("/");
    const name = last.slice(cut + 1);
    if (name === "" || name === "." || name === ".." || name === "~") break;
    from = from.slice(0, -1);
    const parent = cut < 0 ? "." : last.slice(0, cut) || "/";
    if (parent !== ".") from.push(parent);
    ups = ups.slice(1);
  }
  return ups.length === 0 ? from : add(from, ups.join("/"));
}

/** `cd /a || cd /b`: the first that is there. Of steps, the last one that is there counts. */
function addAlternative(base: string[], step: string): string[] {
  const last = base[base.length - 1];
  if (last === undefined || !isAbsolute(last) || !isAbsolute(step)) return add(base, step);
  return [...add(base.slice(0, -1), step), last];
}

const isAbsolute = (step: string) => step.startsWith("/") || step === "~" || step.startsWith("~/");
