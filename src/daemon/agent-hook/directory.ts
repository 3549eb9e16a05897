import { statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { HookEventBody } from "../api/hook-event.ts";

/**
 * The directory an event happened in: the payload's `cwd`, then what the tool input names, then the steps that a
 * recognised commit command takes (`cd`, `-C`, `--work-tree`). A step that is no directory is ignored.
 * Never the directory of the hook process.
 */
export function eventDirectory(
  event: HookEventBody,
  isDirectory = isExistingDirectory,
  { isAbsolute, join, resolve, sep }: Pick<typeof path, "isAbsolute" | "join" | "resolve" | "sep"> = path,
): string | undefined {
  if (event.cwd === undefined || event.cwd.includes("\0") || !isAbsolute(event.cwd)) return undefined;
  const steps = [event.tool_directory, ...(event.commit?.directories ?? [])];
  return steps.reduce<string>((directory, step) => {
    if (!step || step.includes("\0")) return directory;
    // Git Bash writes C:\x as /c/x.
    const drive = sep === "\\" ? /^\/([A-Za-z])(?=\/|$)/.exec(step)?.[1] : undefined;
    const native = drive === undefined ? step : `${drive.toUpperCase()}:/${step.slice(2)}`;
    const isHome = step === "~" || step.startsWith("~/");
    const next = isHome ? join(homedir(), step.slice(1)) : resolve(directory, native);
    return isDirectory(next) ? next : directory;
  }, event.cwd);
}

function isExistingDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // ENAMETOOLONG, ENOTDIR, EACCES: not a directory we can be in
  }
}
