import { constants, type Stats } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../lib/errors.ts";
import { decode } from "./exec.ts";
import type { ChangedFile } from "./numstat.ts";

/** Larger files are named, not quoted: nobody wrote them by hand. */
const maxFileBytes = 1024 * 1024;
const sniffedBytes = 8192;

export interface NewFile {
  text: string;
  file: ChangedFile;
}

/** A file that git does not track as the diff that would add it. Undefined if it is gone or no file. */
export async function newFileDiff(root: string, path: string): Promise<NewFile | undefined> {
  try {
    const full = join(root, path);
    const stat = await lstat(full);
    if (stat.isSymbolicLink()) return render(path, "120000", Buffer.from(await readlink(full)));
    if (!stat.isFile()) return undefined;
    return render(path, stat.mode & 0o100 ? "100755" : "100644", await readContent(full, stat));
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** The bytes, or undefined for a file that is too large to quote. */
async function readContent(path: string, stat: Stats): Promise<Buffer | undefined> {
  if (stat.size > maxFileBytes) return undefined;
  const file = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function render(path: string, mode: string, content: Buffer | undefined): NewFile {
  const header = `diff --git ${quotePath(`a/${path}`)} ${quotePath(`b/${path}`)}\nnew file mode ${mode}\n`;
  if (content === undefined || content.subarray(0, sniffedBytes).includes(0)) {
    const text = `${header}Binary files /dev/null and ${quotePath(`b/${path}`)} differ\n`;
    return { text, file: { path, added: 0, removed: 0, binary: true } };
  }
  if (content.length === 0) return { text: header, file: { path, added: 0, removed: 0, binary: false } };
  const lines = decode(content).split("\n");
  const hasFinalBreak = lines.at(-1) === "";
  if (hasFinalBreak) lines.pop();
  const count = lines.length === 1 ? "1" : `1,${lines.length}`;
  const blankInName = path.includes(" ") ? "\t" : ""; // as git marks where such a name ends
  const text =
    `${header}--- /dev/null\n+++ ${quotePath(`b/${path}`)}${blankInName}\n@@ -0,0 +${count} @@\n` +
    `${lines.map((line) => `+${line}\n`).join("")}${hasFinalBreak ? "" : "\\ No newline at end of file\n"}`;
  return { text, file: { path, added: lines.length, removed: 0, binary: false } };
}

const escapes: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };

/** A path as git prints it with core.quotePath off: in double quotes when a character would break the line. */
export function quotePath(path: string): string {
  if (!/[\0-\x1f"\\\x7f]/.test(path)) return path;
  const inner = path.replace(
    /[\0-\x1f"\\\x7f]/g,
    (char) => escapes[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${inner}"`;
}
