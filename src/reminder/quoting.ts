/** A path in double quotes, every character visible; backslashes are doubled only where they would change what follows. */
export function quotedPath(path: string): string {
  const visible = path.replace(/(\\*)("|$)/g, (_, slashes: string, end: string) =>
    end === "" ? slashes + slashes : `${slashes}${slashes}\\"`,
  );
  return `"${visible.replace(hidden, escaped)}"`;
}

// What singleLine of lib/text.ts takes out: a path has to stay one that can be used, or be seen to be odd.
const hidden = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028-\u202e\ufff9-\ufffb]/gu;

const escaped = (char: string): string =>
  ({ "\n": "\\n", "\r": "\\r", "\t": "\\t" })[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** A word that a POSIX shell reads back as it is; on Windows one in double quotes. */
export function shellWord(text: string, platform: string): string {
  if (/^[A-Za-z0-9/._+:@%-]+$/.test(text)) return text;
  return platform === "win32" ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether a word can stand in a command that the model is shown: one line, no end of our quoting. */
export const isShowable = (text: string): boolean => {
  hidden.lastIndex = 0;
  return text !== "" && !hidden.test(text) && !/["`]/.test(text);
};
