import { lstat, readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DataPaths } from "../../config/paths.ts";
import { errorCode } from "../../lib/errors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { type Check, error, type Finding, warning } from "./finding.ts";

export interface Node {
  path: string;
  type: "missing" | "file" | "directory" | "other";
  mode: number;
  /** Belongs to whoever asks. */
  mine: boolean;
}

export interface DataDirectory {
  directory: Node;
  /** What roborev keeps in it, as far as it is there; links are left out, their targets are somebody's choice. */
  entries: Node[];
  /** Left on the disk for this user; undefined where it cannot be told. */
  freeBytes?: number;
}

const mebibyte = 1024 * 1024;
/** The daemon calls a disk full below this. */
const leastBytes = mebibyte;
const fewBytes = 200 * mebibyte;

const ownNames = [
  "config",
  "configLock",
  "database",
  "daemonLock",
  "daemonStartLock",
  "daemonRecord",
  "daemonLog",
  "hookDir",
  "hookState",
  "hookJournal",
  "missedCommits",
  "postCommitLog",
  "jobLogs",
  "worktrees",
  "fixes",
  "updateCheck",
] as const satisfies (keyof DataPaths)[];

export async function probeDataDirectory(paths: DataPaths): Promise<DataDirectory> {
  const directory = await nodeAt(paths.dataDir);
  if (directory.type !== "directory") return { directory, entries: [] };
  const names = await readdir(paths.dataDir).catch((): string[] => []); // said below: it is not ours to read
  const own = ownNames.map((name) => paths[name]);
  const database = names
    .filter((name) => name.startsWith("reviews.db-"))
    .map((name) => join(paths.dataDir, name));
  const nodes = await Promise.all([...own, ...database].map(nodeAt));
  const free = await statfs(paths.dataDir).catch(() => undefined); // a file system that does not tell
  return {
    directory,
    entries: nodes.filter(({ type }) => type === "file" || type === "directory"),
    ...(free === undefined ? {} : { freeBytes: free.bavail * free.bsize }),
  };
}

async function nodeAt(path: string): Promise<Node> {
  try {
    const found = await lstat(path);
    const type = found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
    return { path, type, mode: found.mode & 0o7777, mine: found.uid === (process.getuid?.() ?? found.uid) };
  } catch (failure) {
    const absent = errorCode(failure) === "ENOENT" || errorCode(failure) === "ENOTDIR";
    return { path, type: absent ? "missing" : "other", mode: 0, mine: false };
  }
}

export function judgeDataDirectory({ directory, entries, freeBytes }: DataDirectory): Check {
  const { path, type } = directory;
  const check = (summary: string, findings: Finding[] = []): Check => ({
    name: "data-dir",
    title: "Data directory",
    summary,
    findings,
  });
  const elsewhere = "Make it a directory of your own, or point ROBOREV_DATA_DIR at one.";
  if (type === "missing") return check(`${path}, made at the first use`);
  if (type === "other") return check(path, [error("not-a-directory", `${path} is no directory`, elsewhere)]);
  if (!directory.mine)
    return check(path, [error("foreign-directory", `${path} belongs to another user`, elsewhere)]);
  const open = entries.filter(({ mode, mine }) => mine && (mode & 0o077) !== 0);
  const foreign = entries.filter(({ mine }) => !mine);
  return check(freeBytes === undefined ? path : `${path}, ${sizeText(freeBytes)} free`, [
    ...((directory.mode & 0o077) === 0
      ? []
      : [openTo(error, directory, "open-directory", "other users of this machine can enter")]),
    ...open.map((node) => openTo(warning, node, "open-file", "other users of this machine may use")),
    ...foreign.map((node) =>
      error(
        "foreign-file",
        `${node.path} belongs to another user`,
        `sudo chown "$USER" ${shellWord(node.path)}`,
      ),
    ),
    ...diskFindings(path, freeBytes),
  ]);
}

function openTo(report: typeof error, { path, type, mode }: Node, code: string, what: string): Finding {
  const private_ = mode & 0o700;
  return report(
    code,
    `${what} ${path} (mode ${mode.toString(8).padStart(4, "0")})`,
    `chmod ${type === "directory" ? "700" : private_.toString(8)} ${shellWord(path)}`,
    { mend: { do: "chmod", path, mode: type === "directory" ? 0o700 : private_ } },
  );
}

function diskFindings(path: string, freeBytes: number | undefined): Finding[] {
  if (freeBytes === undefined || freeBytes >= fewBytes) return [];
  const full = freeBytes < leastBytes;
  return [
    (full ? error : warning)(
      "disk",
      `the disk of ${path} is ${full ? "" : "nearly "}full: ${sizeText(freeBytes)} left`,
      "Make room on it; roborev log clean removes old logs of reviewers.",
    ),
  ];
}

export function sizeText(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** at;
  return `${value < 10 && at > 0 ? value.toFixed(1) : Math.floor(value)} ${units[at]}`;
}

/** Whether a directory looks like one of ours. */
export const holdsDatabase = (dataDir: string): Promise<boolean> =>
  stat(join(dataDir, "reviews.db")).then(
    (found) => found.isFile(),
    () => false, // whatever it is, it is no data directory
  );
