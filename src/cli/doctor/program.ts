import { existsSync } from "node:fs";
import { findOnPath } from "../../install/detect.ts";
import { programState } from "../../install/doctor/program.ts";
import { systemProbe } from "../../install/probe.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";
import { isCompiled } from "../../lib/self.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { singleLine } from "../../lib/text.ts";
import { version } from "../../lib/version.ts";
import { lastCheck } from "../../update/check.ts";
import { releaseSource } from "../../update/source.ts";
import { judge } from "../../update/verdict.ts";
import type { Context } from "../command.ts";
import { availability } from "../update-text.ts";
import { type Check, error, type Finding, note, warning } from "./finding.ts";
import { danglingLinks, type Launch, launchProblem, probeLaunch } from "./launch.ts";

/** The program that runs now, and the one that typing its name starts. */
export interface ProgramFound {
  version: string;
  /** Undefined when it runs from source. */
  running?: { path: string; isThere: boolean };
  onPath?: { launch: Launch; version?: string };
  /** Links to nowhere of that name on PATH. */
  dangling: string[];
  /** What is known of a newer release, without asking anybody now; why that cannot be known. */
  release?: { available: string } | { problem: string };
  /** What every user of this machine may change: the program, or a directory above it. */
  open?: string;
}

export async function probeProgram(context: Context): Promise<ProgramFound> {
  const { env } = context;
  const path = findOnPath("roborev", env, systemProbe);
  const execPath = isCompiled() ? process.execPath : undefined;
  const open = systemProbe.openToOthers(path ?? process.execPath);
  const directories = (env.PATH ?? "").split(":").filter((entry) => entry.startsWith("/"));
  const release = await knownRelease(context);
  return {
    version,
    ...(release === undefined ? {} : { release }),
    ...(execPath === undefined ? {} : { running: { path: execPath, isThere: existsSync(execPath) } }),
    ...(path === undefined ? {} : { onPath: await lookAt(path, env, execPath) }),
    dangling: danglingLinks("roborev", directories),
    ...(open === undefined ? {} : { open }),
  };
}

/** As `roborev update --check` remembered it within a day. */
async function knownRelease(context: Context): Promise<ProgramFound["release"]> {
  const { env, program } = context;
  try {
    const known = await lastCheck(context.paths().updateCheck, releaseSource(env), context.now());
    if (known === undefined || judge(program.version, known.version, false) !== "install") return undefined;
    return { available: availability(program, known.version, "install") };
  } catch (failure) {
    if (errorCode(failure) === "E_NO_RELEASES") return undefined;
    if (failure instanceof RoborevError) return { problem: failure.message };
    throw failure;
  }
}

async function lookAt(path: string, env: Context["env"], execPath: string | undefined) {
  const launch = await probeLaunch(path, env, (name) =>
    name.startsWith("/") ? (existsSync(name) ? name : undefined) : findOnPath(name, env, systemProbe),
  );
  if (launchProblem(launch) !== undefined) return { launch };
  const state = await programState(path, env, { execPath, version, fromSource: execPath === undefined });
  return { launch, ...(state.state === "other" ? { version: state.version } : {}) };
}

export function judgeProgram({
  version: own,
  running,
  onPath,
  dangling,
  open,
  release,
}: ProgramFound): Check {
  const findings: Finding[] = [];
  if (running?.isThere === false) {
    const what = `${running.path} was moved or replaced while it runs`;
    findings.push(error("program-moved", what, "Open a new shell and look again: roborev doctor"));
  }
  if (onPath === undefined && running !== undefined) {
    const directory = running.path.slice(0, running.path.lastIndexOf("/"));
    findings.push(
      warning(
        "not-on-path",
        "roborev is not on PATH, where git hooks and skills look for it when their own is gone",
        `export PATH=${shellWord(directory)}:"$PATH"`,
      ),
    );
  }
  const problem = onPath && launchProblem(onPath.launch);
  if (problem !== undefined)
    findings.push(
      error(
        "program-shim",
        `the roborev on PATH will not start: ${problem}`,
        "Install it again with that version manager, or remove the stand-in.",
      ),
    );
  if (onPath?.version !== undefined)
    findings.push(
      warning(
        "program-version",
        `the roborev on PATH, ${onPath.launch.path}, is ${singleLine(onPath.version)}; this one is ${own}`,
        `rm ${shellWord(onPath.launch.path)}, or put this one first on PATH`,
      ),
    );
  for (const link of dangling)
    findings.push(warning("program-link", `${link} is on PATH and leads nowhere`, `rm ${shellWord(link)}`));
  if (release !== undefined)
    findings.push(
      "available" in release
        ? note("release", release.available)
        : warning("update-address", release.problem, "unset ROBOREV_UPDATE_URL"),
    );
  if (open !== undefined)
    findings.push(
      error(
        "program-open",
        `every user of this machine can change ${open}, and git hooks run it`,
        `chmod o-w ${shellWord(open)}`,
      ),
    );
  return {
    name: "program",
    title: "Program",
    summary: `${own}, ${onPath?.launch.path ?? running?.path ?? "from source"}`,
    findings,
  };
}
