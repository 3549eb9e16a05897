/** A line that every file of ours carries: the hash of the rest of it. */
const sealLine = /\broborev-digest: "?([0-9a-f]{16})"?$/m;
const open = "0".repeat(16);

/** The line for a text that is not sealed yet. */
export const sealSlot = `roborev-digest: "${open}"`;

/** The text with the hash of the rest in its slot. */
export function sealed(text: string): string {
  return text.replace(sealLine, (line) => line.replace(open, digestOf(text)));
}

/**
 * Whether a file is as some release of roborev wrote it, whichever that was. One that was edited, or that never was ours,
 * is not: its hash is wrong or missing.
 */
export function isUntouched(text: string): boolean {
  const digest = sealLine.exec(text)?.[1];
  return digest !== undefined && digestOf(text.replace(digest, open)) === digest;
}

const digestOf = (text: string): string =>
  new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, open.length);
