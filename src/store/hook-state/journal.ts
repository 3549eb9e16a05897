import type { Session } from "../../reminder/state.ts";

// `state.journal`: a header line that names the snapshot it continues, then one line a batch. Every line carries
// its own checksum, so that a line torn by a crash is seen: it was never acknowledged and is dropped.

/** Sessions after a batch of events; null: forgotten. */
export interface JournalBatch {
  sessions: Record<string, Session | null>;
}

export const journalHeader = (generation: string): string => line({ generation });

export const journalLine = (batch: JournalBatch): string => line(batch);

export interface JournalContent {
  generation: string;
  batches: JournalBatch[];
  /** Bytes up to the end of the last whole line. */
  goodBytes: number;
}

/** Reads a journal up to its first damaged line; undefined when not even the header is whole. */
export function parseJournal(bytes: Uint8Array): JournalContent | undefined {
  let generation: string | undefined;
  const batches: JournalBatch[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    const value = end < 0 ? undefined : readLine(bytes.subarray(start, end));
    if (value === undefined) break;
    if (generation === undefined) generation = String((value as { generation?: unknown }).generation);
    else batches.push(value as JournalBatch);
    start = end + 1;
  }
  return generation === undefined ? undefined : { generation, batches, goodBytes: start };
}

function line(value: unknown): string {
  const json = JSON.stringify(value);
  return `${checksum(json)} ${json}\n`;
}

function readLine(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  const json = text.slice(9);
  if (text.slice(0, 9) !== `${checksum(json)} `) return undefined;
  return JSON.parse(json);
}

const checksum = (text: string): string => Bun.hash.crc32(text).toString(16).padStart(8, "0");
