import { readFileSync, unlinkSync } from "node:fs";
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

/** Removes the record if it is still ours. Synchronous, for a process that is ending. */
export function removeRecord(path: string, pid: number): void {
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as Partial<RuntimeRecord>;
    if (record.pid === pid) unlinkSync(path);
  } catch {
    // Gone or unreadable: a record proves nothing, so nothing depends on its removal.
  }
}
