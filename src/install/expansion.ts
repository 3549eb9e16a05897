/** One character of a command that means something to a shell, with how it is quoted. */
interface Significant {
  char: string;
  at: number;
  quoted: boolean;
}

/** Everything outside of single quotes that no backslash takes the meaning from. */
function significant(command: string): Significant[] {
  const found: Significant[] = [];
  let quote = "";
  for (let at = 0; at < command.length; at++) {
    const char = command[at] as string;
    if (quote === "'") quote = char === "'" ? "" : quote;
    else if (char === "\\") at++;
    else if (char === '"') quote = quote === "" ? char : "";
    else if (char === "'" && quote === "") quote = char;
    else found.push({ char, at, quoted: quote !== "" });
  }
  return found;
}

/**
 * An expansion that shells do not agree about, so that some read on beyond what looks like the end of a word: `$'`, `$"`
 * and `$[`, and braces with more than a name in them, which may hold quotes of their own.
 */
export function ambiguousExpansion(command: string): string | undefined {
  for (const { char, at, quoted } of significant(command)) {
    if (char !== "$") continue;
    const rest = command.slice(at);
    const found = (quoted ? /^\$(?:\[|\{(?!\w+\}))/ : /^\$(?:['"[]|\{(?!\w+\}))/).exec(rest);
    if (found) return found[0];
  }
  return undefined;
}

/** Whether the words of a plain command are others once a shell has expanded them. */
export function isExpanded(command: string): boolean {
  return significant(command).some(
    ({ char, quoted }) => char === "$" || char === "`" || (!quoted && /[*?[{~]/.test(char)),
  );
}

/**
 * Whether a first word, as it is written, names the program that runs: neither an assignment nor a pattern that stands
 * for any number of words, and with a name of its own at the end, not that of a variable.
 */
export function namesOneProgram(word: string): boolean {
  if (/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word)) return false;
  const isPattern = significant(word).some(
    ({ char, at, quoted }) => !quoted && /[*?[{]/.test(char) && word[at - 1] !== "$",
  );
  return !isPattern && !word.slice(word.lastIndexOf("/") + 1).includes("$");
}
