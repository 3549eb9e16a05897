import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../lib/errors.ts";
import { runGit } from "./exec.ts";
import type { ChangedFile } from "./numstat.ts";
import { quotePath } from "./untracked.ts";

/** As many bytes as git looks at to tell a binary file by its content. */
const sniffedBytes = 8000;
const maxPathsPerRun = 200;

/** Both sides of a comparison of the working tree with a commit, or with nothing. */
export interface Sides {
  root: string;
  commit?: string;
}

/** The files that git called binary although both of their sides hold text: an attribute or a driver said so. */
export async function hiddenTextFiles(sides: Sides, files: ChangedFile[]): Promise<ChangedFile[]> {
  const hidden: ChangedFile[] = [];
  for (const file of files) {
    if (file.binary && (await isTextNow(sides, file)) && (await wasText(sides, file))) hidden.push(file);
  }
  return hidden;
}

async function isTextNow({ root }: Sides, { path }: ChangedFile): Promise<boolean> {
  const full = join(root, path);
  try {
    if (!(await lstat(full)).isFile()) return true; // a link's text, or nothing that git would quote
    const file = await open(full, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
      return !buffer.subarray(0, bytesRead).includes(0);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return true; // deleted
    throw error;
  }
}

async function wasText({ root, commit }: Sides, { path, from }: ChangedFile): Promise<boolean> {
  if (commit === undefined) return true;
  const blob = ["cat-file", "blob", `${commit}:${from ?? path}`];
  const { stdout } = await runGit(blob, { cwd: root, maxBytes: sniffedBytes });
  return !stdout.includes(0); // nothing at all where the file is new
}

/** Pathspecs that match exactly these files, before and after, few enough for one command line each. */
export function literalPathspecs(files: ChangedFile[]): string[][] {
  const runs: string[][] = [];
  for (let at = 0; at < files.length; at += maxPathsPerRun) {
    const paths = files.slice(at, at + maxPathsPerRun).flatMap(({ path, from }) => [path, from ?? path]);
    runs.push([...new Set(paths)].map((path) => `:(top,literal)${path}`));
  }
  return runs;
}

/** The diff with what it says about these files replaced by `shown`, another diff of them, and their counts from there. */
export function replaceSections(
  diff: string,
  hidden: ChangedFile[],
  shown: string,
): { text: string; files: ChangedFile[] } {
  const titles = new Map(hidden.map((file) => [titleOf(file), file]));
  const kept = sections(diff).filter((section) => !titles.has(firstLine(section)));
  const files = new Map(hidden.map((file) => [file, { ...file, binary: false }]));
  for (const section of sections(shown)) {
    const file = files.get(titles.get(firstLine(section)) as ChangedFile);
    if (!file) continue;
    const hunks = section.slice(section.indexOf("\n@@ ") + 1 || section.length).split("\n");
    file.added += hunks.filter((line) => line.startsWith("+")).length;
    file.removed += hunks.filter((line) => line.startsWith("-")).length;
  }
  return { text: kept.join("") + shown, files: [...files.values()] };
}

const titleOf = ({ path, from }: ChangedFile) =>
  `diff --git ${quotePath(`a/${from ?? path}`)} ${quotePath(`b/${path}`)}`;

const firstLine = (section: string) => section.slice(0, section.indexOf("\n"));

/** One string for each file. No line of content can start like this: each has its sign in front. */
function sections(diff: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < diff.length; ) {
    const next = diff.indexOf("\ndiff --git ", at);
    const end = next === -1 ? diff.length : next + 1;
    parts.push(diff.slice(at, end));
    at = end;
  }
  return parts;
}
