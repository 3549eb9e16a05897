import { RoborevError } from "../lib/errors.ts";
import { singleLine } from "../lib/text.ts";
import { gitFields } from "./exec.ts";

/**
 * Switches that make every filter and diff driver of the repository's own configuration do nothing, for commands that
 * read or write a work tree: git would start their programs. Drivers of the user's own configuration (Git LFS) stay.
 * Configured hooks (git 2.54, https://git-scm.com/docs/git-hook) are off whoever configured them, as core.hooksPath is.
 */
export async function withoutLocalDrivers(cwd: string, env?: Record<string, string>): Promise<string[]> {
  const place = { cwd, ...(env === undefined ? {} : { env }) };
  const listed = await gitFields(["config", "--null", "--show-scope", "--list"], place);
  return localDriverSwitches(listed);
}

/** The same from `git config --null --show-scope --list`: scope and `key LF value` alternate. */
export function localDriverSwitches(listed: string[]): string[] {
  const settings = new Set<string>();
  for (let index = 0; index + 1 < listed.length; index += 2) {
    const isOwn = listed[index] === "local" || listed[index] === "worktree";
    const key = (listed[index + 1] ?? "").split("\n", 1)[0] ?? "";
    const driver = /^(filter|diff|hook)\.(.+)\.[^.]+$/s.exec(key);
    if (!driver) continue;
    const [, kind = "", name = ""] = driver;
    if (!isOwn && kind !== "hook") continue;
    if (name.includes("=")) {
      if (!isOwn) continue; // the user's own hook, with a name that `-c` cannot spell
      throw unquotable(key); // `-c` would end the key at the first `=`
    }
    if (kind === "hook") {
      settings.add(`hook.${name}.enabled=false`);
      continue;
    }
    if (kind === "diff") {
      settings.add(`diff.${name}.textconv=`).add(`diff.${name}.command=`);
      continue;
    }
    for (const program of ["clean", "smudge", "process"]) settings.add(`filter.${name}.${program}=`);
    settings.add(`filter.${name}.required=false`);
  }
  return [...settings].flatMap((setting) => ["-c", setting]);
}

function unquotable(key: string): RoborevError {
  return new RoborevError(`the repository's git configuration has a driver named ${singleLine(key)}`, {
    code: "E_GIT_CONFIG",
    hint: "roborev cannot switch off a driver with `=` in its name: rename or remove it.",
  });
}
