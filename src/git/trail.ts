import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../lib/errors.ts";

// What is only known by a file's time stamps may have changed again within one tick of the file system's clock, so
// that young stamps prove nothing (https://git-scm.com/docs/racy-git). Stamps of whole seconds come from file
// systems that know no finer ones, FAT's steps are two seconds long.
const tickMs = 100;
const coarseTickMs = 3_000;

/** One thing that was looked at, and how it was. */
type Look =
  | { what: "real"; path: string; is: string }
  | { what: "place"; path: string; stat: Stats; atMs: number }
  | { what: "file"; path: string; stat: Stats | undefined }
  | { what: "entry"; path: string; parent: string; exists: boolean };

/**
 * Looks at the file system and remembers what was seen, so that `isUnchanged` tells later, with nothing but a few
 * stats, that everything would be seen as before.
 */
export class Trail {
  private readonly looks: Look[] = [];
  private isSettled = true;

  constructor(private readonly nowMs: () => number = Date.now) {}

  /** The real path; throws when there is none. */
  real(path: string): string {
    const is = realpathSync(path);
    this.looks.push({ what: "real", path, is });
    return is;
  }

  /** A directory that counts for what and whose it is, not for what is in it. Throws when there is nothing. */
  place(path: string): Stats {
    for (const look of this.looks) if (look.what === "place" && look.path === path) return look.stat;
    const atMs = this.nowMs();
    const stat = lstatSync(path);
    // A closer look at the entry that was just found.
    const last = this.looks.at(-1);
    if (last?.what === "entry" && last.path === path) this.looks.pop();
    this.looks.push({ what: "place", path, stat, atMs });
    return stat;
  }

  /** A file that counts for its content, which is read after this. A link is seen as one. */
  readonly file = (path: string): Stats | undefined => {
    const atMs = this.nowMs();
    const stat = statOf(path);
    if (stat && !isSettledAt(stat, atMs)) this.isSettled = false;
    this.looks.push({ what: "file", path, stat });
    return stat;
  };

  /** Whether a directory has an entry; a link that leads nowhere is none. Where a link leads, its directory cannot tell. */
  has(parent: string, name: string): boolean {
    const path = join(parent, name);
    const entry = lstatSync(path, { throwIfNoEntry: false });
    const isLink = entry?.isSymbolicLink() === true;
    if (isLink) this.lose();
    const exists = isLink ? statSync(path, { throwIfNoEntry: false }) !== undefined : entry !== undefined;
    this.looks.push({ what: "entry", path, parent, exists });
    return exists;
  }

  /** Whether a directory has nothing of this name. What it has is not remembered: another look follows. */
  lacks(parent: string, name: string): boolean {
    const path = join(parent, name);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
    this.looks.push({ what: "entry", path, parent, exists: false });
    return true;
  }

  /** Something was seen that cannot be told unchanged. */
  lose(): void {
    this.isSettled = false;
  }

  /** Whether the trail can ever be proven unchanged. */
  get isProvable(): boolean {
    return this.isSettled;
  }

  isUnchanged(): boolean {
    try {
      return this.retrace();
    } catch {
      return false; // gone, or no longer ours to see
    }
  }

  private retrace(): boolean {
    let quiet = ""; // the last place in which no entry came or went
    for (const look of this.looks) {
      if (look.what === "real") {
        if (realpathSync.native(look.path) !== look.is) return false;
      } else if (look.what === "file") {
        const stat = statOf(look.path);
        if (stat === undefined || look.stat === undefined) {
          if (stat !== look.stat) return false;
        } else if (!isSameFile(stat, look.stat)) return false;
      } else if (look.what === "place") {
        const atMs = this.nowMs();
        const stat = lstatSync(look.path);
        if (!isSamePlace(stat, look.stat)) return false;
        if (isSameFile(stat, look.stat) && isSettledAt(look.stat, look.atMs)) quiet = look.path;
        else {
          // Its entries are looked at again below; if they are as they were, this is how the place looks with them.
          look.stat = stat;
          look.atMs = atMs;
        }
      } else if (look.parent !== quiet) {
        if ((lstatSync(look.path, { throwIfNoEntry: false }) !== undefined) !== look.exists) return false;
      }
    }
    return true;
  }
}

/** Undefined also where no file can be: below another file, or by a name that is too long. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR" || errorCode(error) === "ENAMETOOLONG") return undefined;
    throw error;
  }
}

const isSamePlace = (a: Stats, b: Stats) =>
  a.ino === b.ino && a.dev === b.dev && a.uid === b.uid && a.mode === b.mode;

/** `ctime` cannot be set: every change of content, mode or owner moves it. */
const isSameFile = (a: Stats, b: Stats) =>
  a.ctimeMs === b.ctimeMs &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeMs === b.mtimeMs &&
  a.mode === b.mode;

/** Whether the file would have another time stamp if it was changed after `atMs`. */
export function isSettledAt(stat: Stats, atMs: number): boolean {
  const tick = stat.ctimeMs % 1000 === 0 ? coarseTickMs : tickMs;
  return stat.ctimeMs + tick < atMs;
}
