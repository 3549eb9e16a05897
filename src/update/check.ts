import { writeFileAtomic } from "../fs/atomic.ts";
import { readBoundedFile } from "../fs/bounded-file.ts";
import { fetchText } from "./fetch.ts";
import type { ReleaseSource } from "./source.ts";
import { parseSums, type Release } from "./sums.ts";
import { isVersion } from "./verdict.ts";

/** What `update_check.json` holds: the last answer, and who gave it. */
export interface LastCheck {
  source: string;
  version: string;
  checked_at: string;
}

const freshMs = 24 * 60 * 60 * 1000;

/** Asks for the latest release and remembers the answer in `file`. */
export async function latestRelease(
  source: ReleaseSource,
  platform: string,
  { file, now, signal }: { file: string; now: Date; signal: AbortSignal },
): Promise<Release> {
  const release = parseSums(await fetchText(source.sumsUrl, signal), platform);
  const check: LastCheck = {
    source: source.sumsUrl,
    version: release.version,
    checked_at: now.toISOString(),
  };
  await writeFileAtomic(file, `${JSON.stringify(check)}\n`);
  return release;
}

/** The last answer of this source, unless it is older than a day. A file that cannot be read is no answer. */
export async function lastCheck(
  file: string,
  source: ReleaseSource,
  now: Date,
): Promise<LastCheck | undefined> {
  try {
    const { version, checked_at, ...rest } = JSON.parse((await readBoundedFile(file, 4096)).toString());
    const ageMs = now.getTime() - Date.parse(checked_at);
    if (rest.source !== source.sumsUrl || !isVersion(version) || !(ageMs >= 0 && ageMs < freshMs))
      return undefined;
    return { source: rest.source, version, checked_at };
  } catch {
    return undefined; // absent or damaged: the next answer replaces it
  }
}
