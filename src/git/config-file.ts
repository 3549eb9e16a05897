/** One `key = value` of a git configuration file; section and key in lower case, the sub-section as written. */
export interface ConfigEntry {
  section: string;
  subsection?: string;
  key: string;
  /** Absent for a key without `=`, which git reads as true. */
  value?: string;
}

/**
 * The entries of a git configuration file in order, or undefined for anything that this parser does not know for
 * certain to read as git does (https://git-scm.com/docs/git-config#_syntax). Includes are entries, not followed.
 */
export function tryParseConfig(text: string): ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let section: { section: string; subsection?: string } | undefined;
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    if (line.endsWith("\\")) return undefined; // goes on in the next line, unless it is a comment
    let rest = blankTrim(line);
    const header = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?\]/.exec(rest);
    if (header) {
      const [whole, name = "", quoted] = header;
      if (name.includes(".")) return undefined; // the old dotted form folds case in its own way
      section = { section: name.toLowerCase() };
      if (quoted !== undefined) section.subsection = quoted.replace(/\\(.)/g, "$1");
      rest = blankTrim(rest.slice(whole.length));
    }
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const pair = /^([A-Za-z][A-Za-z0-9-]*)[ \t\r\v\f]*(?:=[ \t\r\v\f]*(.*))?$/s.exec(rest);
    if (!pair || !section) return undefined;
    const [, key = "", raw] = pair;
    if (raw === undefined && rest !== key) return undefined;
    const value = raw === undefined ? undefined : tryParseValue(raw);
    if (raw !== undefined && value === undefined) return undefined;
    entries.push({ ...section, key: key.toLowerCase(), ...(value === undefined ? {} : { value }) });
  }
  return entries;
}

/** Without leading and trailing blanks in git's sense: ASCII only. */
const blankTrim = (text: string) => text.replace(/^[ \t\r\v\f]+|[ \t\r\v\f]+$/g, "");

function tryParseValue(raw: string): string | undefined {
  let value = "";
  let pending = ""; // unquoted blanks, which count only if something follows
  let quoted = false;
  for (let index = 0; index < raw.length; index++) {
    const char = raw[index] as string;
    if (!quoted && (char === "#" || char === ";")) break;
    if (!quoted && /[ \t\r\v\f]/.test(char)) {
      pending += char;
      continue;
    }
    if (/[^ ]/.test(pending)) return undefined; // a tab inside a value: versions of git differ
    value += pending;
    pending = "";
    if (char === '"') {
      quoted = !quoted;
    } else if (char === "\\") {
      const escaped = { "\\": "\\", '"': '"', n: "\n", t: "\t", b: "\b" }[raw[++index] ?? ""];
      if (escaped === undefined) return undefined;
      value += escaped;
    } else {
      value += char;
    }
  }
  return quoted ? undefined : value;
}

/** The last value of a key, as git resolves it; a key without `=` is "true". */
export function lastValue(entries: ConfigEntry[], section: string, key: string): string | undefined {
  const entry = entries.findLast(
    (candidate) =>
      candidate.section === section && candidate.subsection === undefined && candidate.key === key,
  );
  return entry && (entry.value ?? "true");
}

/** Git's reading of a boolean; undefined when it is none. */
export function tryParseBoolean(value: string): boolean | undefined {
  if (/^(true|yes|on|1)$/i.test(value)) return true;
  if (/^(false|no|off|0|)$/i.test(value)) return false;
  return undefined;
}
