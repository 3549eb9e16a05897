/** How to get a file's bytes from before the install back, valid only while the file is as the install left it. */
export interface UndoRecord {
  target: string;
  /** Hash of the file as we left it. */
  after: string;
  /** Hash of the file as it was; null when there was none. */
  before: string | null;
  /** The part that we wrote, and what stood there. */
  offset: number;
  length: number;
  formerBase64: string;
  /** Directories that the install made, outermost first. */
  directories: string[];
}

/** Only the changed part is kept: the rest of the file may hold secrets and stays where it is. */
export function makeUndo(
  target: string,
  before: Uint8Array | null,
  after: Uint8Array,
  directories: string[],
): UndoRecord {
  const old = before ?? new Uint8Array();
  const shorter = Math.min(old.length, after.length);
  let start = 0;
  while (start < shorter && old[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && old[old.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return {
    target,
    after: hashOf(after),
    before: before && hashOf(before),
    offset: start,
    length: after.length - tail - start,
    formerBase64: Buffer.from(old.subarray(start, old.length - tail)).toString("base64"),
    directories,
  };
}

/** The former bytes (null: no file), or undefined when the file has changed since or the record does not fit. */
export function tryUndo(record: UndoRecord, current: Uint8Array): { bytes: Uint8Array | null } | undefined {
  if (hashOf(current) !== record.after) return undefined;
  if (record.before === null) return { bytes: null };
  const bytes = Buffer.concat([
    current.subarray(0, record.offset),
    Buffer.from(record.formerBase64, "base64"),
    current.subarray(record.offset + record.length),
  ]);
  return hashOf(bytes) === record.before ? { bytes } : undefined;
}

/** Reads a stored record; anything else is undefined, and the uninstall then works without it. */
export function tryParseUndo(text: string): UndoRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<UndoRecord> | null;
    const fits =
      typeof value?.target === "string" &&
      typeof value.after === "string" &&
      (value.before === null || typeof value.before === "string") &&
      typeof value.offset === "number" &&
      typeof value.length === "number" &&
      typeof value.formerBase64 === "string" &&
      Array.isArray(value.directories) &&
      value.directories.every((directory) => typeof directory === "string");
    return fits ? (value as UndoRecord) : undefined;
  } catch {
    return undefined; // a torn record only costs the exact layout
  }
}

export const hashOf = (data: Uint8Array | string): string =>
  new Bun.CryptoHasher("sha256").update(data).digest("hex");

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
