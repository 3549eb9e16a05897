import { readFile, unlink } from "node:fs/promises";
import { writeFileAtomic } from "../fs/atomic.ts";

/** What a running daemon writes about itself. A hint for people and tools, never proof that it lives. */
export interface RuntimeRecord {
  pid: number;
  version: string;
  api_version: number;
  socket: string;
  started_at: string;
}

export async function writeRecord(path: string, record: RuntimeRecord): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`);
}

/** Removes the record if it is still ours. */
export async function removeRecord(path: string, pid: number): Promise<void> {
  try {
    const record = JSON.parse(await readFile(path, "utf8")) as Partial<RuntimeRecord>;
    if (record.pid === pid) await unlink(path);
  } catch {
    // Gone or unreadable: a record proves nothing, so nothing depends on its removal.
  }
}
