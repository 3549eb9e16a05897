import type { DataPaths } from "../../config/paths.ts";
import type { StoredFiles } from "../../daemon/stored-files.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { plural } from "../../lib/text.ts";
import { sizeText } from "./data-directory.ts";
import { type Check, error, type Finding, warning } from "./finding.ts";

/** The files that only a daemon writes. They are read here, in the code of the daemon, whether one runs or not. */
export async function probeStoredData(paths: DataPaths): Promise<StoredFiles> {
  const { checkStoredFiles } = await import("../../daemon/stored-files.ts");
  return await checkStoredFiles(paths);
}

type Paths = Pick<DataPaths, "database" | "hookState">;

export function judgeDatabase({ database }: StoredFiles, { database: path }: Paths): Check {
  const check = (summary: string, findings: Finding[] = []): Check => ({
    name: "database",
    title: "Database",
    summary,
    findings,
  });
  switch (database.state) {
    case "missing":
      return check("none yet");
    case "sound":
      return check(`sound, ${sizeText(database.bytes)}`);
    case "damaged":
      return check("damaged", [
        error(
          "database-damaged",
          `${path} is damaged: ${database.problem}`,
          "roborev daemon stop, then move it and its -wal and -shm files away together, and put a backup in its place.",
        ),
      ]);
    case "refused":
      return check("of no use to this version", [error("database-refused", database.problem, database.hint)]);
    case "busy":
      return check("held by another program", [
        warning(
          "database-busy",
          `${path} is held by another program: ${database.problem}`,
          "Try again in a moment.",
        ),
      ]);
    case "unreadable":
      return check("not readable", [
        error(
          "database-unreadable",
          `${path} cannot be read: ${database.problem}`,
          `ls -l ${shellWord(path)}`,
        ),
      ]);
  }
}

export function judgeHookState({ hookState }: StoredFiles, { hookState: path }: Paths): Check {
  const base = { name: "hook-state", title: "Reminder state" };
  if (hookState.state === "missing") return { ...base, summary: "none yet", findings: [] };
  if (hookState.state === "sound")
    return {
      ...base,
      summary:
        hookState.sessions === 0
          ? "readable, no session yet"
          : `readable, ${plural(hookState.sessions, "session")}`,
      findings: [],
    };
  return {
    ...base,
    summary: "not readable",
    findings: [
      error(
        "hook-state",
        `no session is reminded: ${path} cannot be read: ${hookState.problem}`,
        "Move it away, or put a sound copy in its place, then: roborev daemon restart",
      ),
    ],
  };
}
