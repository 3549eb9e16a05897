import type { Harness } from "../harness/harness.ts";
import { RoborevError } from "../lib/errors.ts";
import { settle } from "./apply.ts";
import { isDetected } from "./detect.ts";
import { readEntries } from "./doctor/entries.ts";
import type { Environment } from "./options.ts";
import { placesOf } from "./places.ts";
import { systemProbe } from "./probe.ts";

/** `unreadable`: its file is broken or not ours to read; `no_agent`: it is not used on this machine. */
export type Registered = "installed" | "missing" | "unreadable" | "no_agent";

/** Whether our hooks stand in a file that the harness may read. Reads files only: starts no program, repairs nothing. */
export async function registeredHooks(
  harness: Harness,
  { env, cwd, dataDir }: { env: Environment; cwd: string; dataDir: string },
): Promise<Registered> {
  const probe = { ...systemProbe, versionText: () => undefined };
  if (!isDetected(harness, env, cwd, probe)) return "no_agent";
  try {
    for (const place of placesOf(harness, { agent: harness.name, dryRun: true, env, cwd, dataDir })) {
      const { result } = await settle(place.path, (bytes) => readEntries(harness, place, bytes));
      if (result.some(({ ours }) => ours)) return "installed";
    }
    return "missing";
  } catch (error) {
    if (error instanceof RoborevError) return "unreadable";
    throw error;
  }
}
