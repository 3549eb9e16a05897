/** What a change is made of, for the question whether a review looked at it. */
export interface ChangeNames {
  files: string[];
  identifiers: string[];
}

const thresholdLines = 20;
/** What as many lines hold in code that people write; minified code has it on one. */
const thresholdLength = thresholdLines * 120;

/** Whether a pass of such a change must name something of it. */
export function isLarge({
  changedLines,
  changedLength = 0,
}: {
  changedLines: number;
  changedLength?: number;
}): boolean {
  return changedLines > thresholdLines || changedLength > thresholdLength;
}

// Part of the answer's own format: present in every review.
const formatTokens = new Set(["schema_version", "unable_to_review", "severity_threshold_met"]);

/**
 * Whether a text names a changed file, or an identifier of the changed lines. A plain word counts only where it is
 * written as code, so that "no issues found" says nothing about a change with a function `found`.
 */
export function namesChange(text: string, names: ChangeNames): boolean {
  return namesFile(text, names.files) || namesIdentifier(text, names.identifiers);
}

function namesIdentifier(text: string, identifiers: string[]): boolean {
  const known = new Set(identifiers);
  if (known.size === 0) return false;
  for (const match of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    const token = match[0];
    if (!known.has(token) || formatTokens.has(token.toLowerCase())) continue;
    if (isDistinctive(token) || isCode(text, match.index, token.length)) return true;
  }
  return false;
}

/** snake_case, camelCase or with a digit: nobody writes it by chance. */
function isDistinctive(token: string): boolean {
  return token.length >= 4 && /[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\p{N}/u.test(token);
}

function isCode(text: string, start: number, length: number): boolean {
  const after = text[start + length];
  return text[start - 1] === "`" || after === "`" || after === "(";
}

function namesFile(text: string, files: string[]): boolean {
  const paths = new Set(files);
  const bases = new Set(files.map(baseName));
  for (const match of text.matchAll(/[^\s"'`()[\]{}<>,;|*]+/g)) {
    const token = pathOf(match[0]);
    if (token === "" || !(paths.has(token) || bases.has(baseName(token)))) continue;
    if (/[./_\p{Lu}]/u.test(token) || isCode(text, match.index, token.length)) return true;
  }
  // Names with spaces and the like are no tokens.
  const odd = files.filter((file) => /[\s"'`()[\]{}<>,;|*]/.test(file)).slice(0, 50);
  return odd.some((file) => text.includes(file));
}

/** A word of prose as a path: without `./` before it, `:12`, `#L12` and punctuation behind it. */
function pathOf(word: string): string {
  const from = word.startsWith("./") ? 2 : 0;
  const line = word.slice(0, 4096).search(/:\d|#L\d/);
  let end = line === -1 ? word.length : line;
  while (end > from && ".:!?".includes(word[end - 1] ?? "")) end--;
  return word.slice(from, end);
}

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
