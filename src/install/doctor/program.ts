import { isAbsolute } from "node:path";
import { RoborevError } from "../../lib/errors.ts";
import { runProcess } from "../../lib/process.ts";
import { singleLine } from "../../lib/text.ts";
import { findOnPath } from "../detect.ts";
import type { Environment } from "../options.ts";
import { systemProbe } from "../probe.ts";

/** What became of the program that a registration names. */
export type ProgramState =
  | { state: "ours" }
  /** The file is gone or cannot be executed. */
  | { state: "dead"; why: string }
  /** It runs, and is of another release than this one. */
  | { state: "other"; version: string }
  | { state: "open"; path: string };

export interface Self {
  /** The running executable; undefined when it is not known. */
  execPath?: string | undefined;
  version: string;
  /** Runs from source: there is no release to compare with. */
  fromSource: boolean;
}

/** Looks at the first word of a registered command. Another file is asked for its version. */
export async function programState(program: string, env: Environment, self: Self): Promise<ProgramState> {
  const path = isAbsolute(program) ? program : findOnPath(program, env, systemProbe);
  if (path === undefined) return { state: "dead", why: "is not on PATH" };
  const type = systemProbe.nodeType(path);
  if (type === "missing") return { state: "dead", why: "is not there any more" };
  if (type !== "executable") return { state: "dead", why: "cannot be executed" };
  const open = systemProbe.openToOthers(path);
  if (open !== undefined) return { state: "open", path: open };
  const real = systemProbe.realPath(path);
  if (self.fromSource || (self.execPath !== undefined && real === systemProbe.realPath(self.execPath)))
    return { state: "ours" };
  const version = await versionOf(path, env);
  return version === `roborev ${self.version}` || version === `roborev v${self.version}`
    ? { state: "ours" }
    : { state: "other", version };
}

async function versionOf(path: string, env: Environment): Promise<string> {
  try {
    const run = await runProcess([path, "version"], { env, timeoutMs: 3_000, maxBytes: 4_096 });
    const line = singleLine(new TextDecoder().decode(run.stdout)).slice(0, 80);
    return run.exitCode === 0 && line !== "" ? line : "a program that does not tell its version";
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return "a program that does not start";
  }
}
