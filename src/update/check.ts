import { writeFileAtomic } from "../fs/atomic.ts";
import { readBoundedFile } from "../fs/bounded-file.ts";
import { fetchText } from "./fetch.ts";
import type { ReleaseSource } from "./source.ts";
import { parseSums, type Release } from "./sums.ts";
import { isVersion } from "./verdict.ts";

/** What `update_check.json` holds: who was asked last, when, and the answer, if there was one. */
interface Memory {
  source: string;
  version?: string;
  checked_at: string;
}

export type LastCheck = Required<Memory>;

const freshMs = 24 * 60 * 60 * 1000;

interface Asking {
  file: string;
  now: Date;
  signal: AbortSignal;
}

/** Asks for the latest release and remembers the answer in `file`, and that there was none as well. */
export async function latestRelease(
  source: ReleaseSource,
  platform: string,
  { file, now, signal }: Asking,
): Promise<Release> {
  const remember = (answer: Pick<Memory, "version">) => {
    const memory: Memory = { source: source.sumsUrl, ...answer, checked_at: now.toISOString() };
    return writeFileAtomic(file, `${JSON.stringify(memory)}\n`);
  };
  let release: Release;
  try {
    release = parseSums(await fetchText(source.sumsUrl, signal), platform);
  } catch (error) {
    await remember({});
    throw error;
  }
  await remember({ version: release.version });
  return release;
}

/** The last answer of this source, unless it is older than a day. */
export async function lastCheck(
  file: string,
  source: ReleaseSource,
  now: Date,
): Promise<LastCheck | undefined> {
  const { version, ...memory } = (await recent(file, source, now)) ?? {};
  return version === undefined ? undefined : ({ version, ...memory } as LastCheck);
}

/** Whether this source was asked within a day, with an answer or without. */
export const wasAsked = async (file: string, source: ReleaseSource, now: Date): Promise<boolean> =>
  (await recent(file, source, now)) !== undefined;

/** A file that cannot be read holds nothing: the next answer replaces it. */
async function recent(file: string, source: ReleaseSource, now: Date): Promise<Memory | undefined> {
  try {
    const { version, checked_at, ...rest } = JSON.parse((await readBoundedFile(file, 4096)).toString());
    const ageMs = now.getTime() - Date.parse(checked_at);
    if (rest.source !== source.sumsUrl || !(ageMs >= 0 && ageMs < freshMs)) return undefined;
    return { source: rest.source, checked_at, ...(isVersion(version) ? { version } : {}) };
  } catch {
    return undefined; // absent or damaged
  }
}
