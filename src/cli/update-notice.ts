import { existsSync } from "node:fs";
import { RoborevError } from "../lib/errors.ts";
import { isOff } from "../lib/text.ts";
import { latestRelease, wasAsked } from "../update/check.ts";
import { releaseSource } from "../update/source.ts";
import { isDevelopment, judge } from "../update/verdict.ts";
import type { Context } from "./command.ts";
import { availability } from "./update-text.ts";

/** Nobody waits longer than this for something that was not asked for. */
const limitMs = 1_000;

/**
 * One line about a newer release, for somebody at a terminal: it asks at most once a day, tells of nothing in between, and
 * whatever goes wrong is no news. Never for a development build, nor where ROBOREV_NO_UPDATE_CHECK or CI is set.
 */
export async function updateNotice(context: Context): Promise<string | undefined> {
  const { env, out, program, signal } = context;
  const { platform, version } = program;
  if (!out.isTerminal || isSet(env.ROBOREV_NO_UPDATE_CHECK) || isSet(env.CI)) return undefined;
  if (platform === undefined || isDevelopment(version)) return undefined;
  try {
    const { dataDir, updateCheck: file } = context.paths();
    const source = releaseSource(env);
    const now = context.now();
    if (!existsSync(dataDir) || (await wasAsked(file, source, now))) return undefined;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    const latest = await latestRelease(source, platform, { file, now, signal: limit });
    const verdict = judge(version, latest.version, false);
    return verdict === "install" ? availability(program, latest.version, verdict) : undefined;
  } catch (error) {
    if (error instanceof RoborevError || signal.aborted || isTimeout(error)) return undefined;
    throw error;
  }
}

const isSet = (value: string | undefined) => value !== undefined && value !== "" && !isOff(value);

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === "TimeoutError";
