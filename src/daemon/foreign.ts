import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { RoborevError } from "../lib/errors.ts";

/**
 * Refuses to start beside a live daemon of the Go program on this data directory: it would write to the same
 * database. Its runtime records name a loopback address; a record whose address does not answer is ignored.
 */
export async function refuseForeignDaemon(dataDir: string, ownPid: number): Promise<void> {
  const names = await readdir(dataDir).catch(() => [] as string[]);
  for (const name of names.filter((file) => /^daemon(\.\d+)?\.json$/.test(file))) {
    const record = await readRecord(join(dataDir, name));
    if (!record || record.pid === ownPid || !(await answers(record.address))) continue;
    throw new RoborevError(`another make of roborev (pid ${record.pid}) is using ${dataDir}`, {
      code: "E_FOREIGN_DAEMON",
      hint: "Stop it with that release's own `roborev daemon stop`, then try again.",
    });
  }
}

async function readRecord(path: string): Promise<{ pid: number; address: string } | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof record !== "object" || record === null) return undefined;
    const { pid, addr } = record as { pid?: unknown; addr?: unknown };
    if (typeof pid !== "number" || typeof addr !== "string" || !isLoopback(addr)) return undefined;
    return { pid, address: addr };
  } catch {
    return undefined; // a record is a hint: one that cannot be read says nothing
  }
}

const isLoopback = (address: string): boolean =>
  /^(127(\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/.test(address);

async function answers(address: string): Promise<boolean> {
  try {
    const response = await fetch(`http://${address}/api/ping`, {
      proxy: false,
      signal: AbortSignal.timeout(1000),
    } as RequestInit);
    const body = (await response.json()) as { service?: unknown };
    return body.service === "roborev";
  } catch {
    return false;
  }
}
