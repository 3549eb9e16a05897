import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isExecutable } from "../fs/executable.ts";
import { runProcessSync } from "../lib/process.ts";
import type { BinaryProbe } from "./binary.ts";
import type { ProgramProbe } from "./detect.ts";

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false });

/** A probe never throws: what cannot be looked at is not there. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** The real file system. */
export const systemProbe: BinaryProbe & ProgramProbe = {
  isDirectory: (path) => attempt(() => statOf(path)?.isDirectory()) ?? false,
  isExecutable: (path) => systemProbe.nodeType(path) === "executable",
  realPath: (path) => attempt(() => realpathSync(path)),
  versionText: (path) => runProcessSync([path, "--version"]),
  nodeType(path) {
    const stat = attempt(() => statOf(path));
    if (!stat) return "missing";
    if (stat.isDirectory()) return "directory";
    if (!stat.isFile()) return "other";
    return isExecutable(path) ? "executable" : "file";
  },
  openToOthers(path) {
    for (let at = attempt(() => realpathSync(path)); at !== undefined; ) {
      const stat = attempt(() => statOf(at as string));
      const isSticky = stat?.isDirectory() === true && (stat.mode & 0o1000) !== 0;
      if (stat && (stat.mode & 0o002) !== 0 && !isSticky) return at;
      const parent = dirname(at);
      if (parent === at) return undefined;
      at = parent;
    }
    return undefined;
  },
};
