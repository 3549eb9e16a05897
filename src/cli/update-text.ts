import { packagedBy } from "../lib/packaged.ts";
import { singleLine } from "../lib/text.ts";
import type { Program } from "../update/program.ts";
import type { Verdict } from "../update/verdict.ts";
import type { Updated } from "./update-run.ts";

/** Whether there is something newer, and how one gets it. */
export function availability({ version, path }: Program, latest: string, verdict: Verdict): string {
  if (verdict === "current") return `roborev ${version} is up to date, the latest release is ${latest}.`;
  const command = packagedBy(path)?.upgrade ?? `roborev update${verdict === "development" ? " --force" : ""}`;
  return verdict === "development"
    ? `roborev ${version} is a development build, the latest release is ${latest}. Install that with: ${command}`
    : `roborev ${latest} is available, this is ${version}. Update with: ${command}`;
}

/** What was done, one line each; git hooks and skills tell of themselves. */
export function updateText(program: Program, updated: Updated, isRestarted: boolean): string {
  const { archive, bytes, daemon, version } = updated;
  return [
    `Download   ${archive}, ${(bytes / 1e6).toFixed(1)} MB, checksum verified`,
    `Program    ${singleLine(program.path)} is ${version} now, it was ${program.version}`,
    `Daemon     ${daemonText(daemon, isRestarted)}`,
  ].join("\n");
}

function daemonText(daemon: Updated["daemon"], isRestarted: boolean): string {
  if (daemon !== undefined) return `restarted (pid ${daemon.pid}, version ${daemon.version})`;
  return isRestarted ? "was not running" : "left as it was. Restart it with: roborev daemon restart";
}
