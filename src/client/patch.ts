import { RoborevError } from "../lib/errors.ts";
import { refusalOf } from "./refusal.ts";
import { daemonError } from "./transport.ts";

const timeoutMs = 60_000;

/** The patch of a background fix, byte for byte. Rejects with `DaemonError` or `DaemonRefusal`. */
export async function fetchPatch(socket: string, jobId: number): Promise<Uint8Array> {
  const request: BunFetchRequestInit = {
    ...{ unix: socket, proxy: false, redirect: "error" },
    signal: AbortSignal.timeout(timeoutMs),
  };
  try {
    const response = await fetch(`http://localhost/api/job/patch?job_id=${jobId}`, request);
    if (!response.ok) throw await refusalOf(response);
    return await response.bytes();
  } catch (error) {
    throw error instanceof RoborevError ? error : daemonError(error, socket, timeoutMs);
  }
}
