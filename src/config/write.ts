import { chmod, lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { editToml, type TomlEdit } from "../edit/toml.ts";
import { parseTomlText } from "../edit/toml-text.ts";
import { encodeText } from "../edit/tree.ts";
import { writeFileAtomic } from "../fs/atomic.ts";
import { readBoundedFile } from "../fs/bounded-file.ts";
import { withLock } from "../fs/lock.ts";
import { ensureDataDirectory } from "../fs/private.ts";
import { errorCode, errorMessage, failureReason, RoborevError } from "../lib/errors.ts";
import { maxConfigBytes } from "./parse.ts";

export interface ConfigWrite {
  path: string;
  /** 0600 for the user's file, which is also narrowed to it; 0644 for a new one of a repository. */
  mode: 0o600 | 0o644;
  /** `configLock` of the data directory. */
  lock: string;
  edit: TomlEdit;
}

export interface WrittenConfig {
  outcome: "created" | "changed" | "unchanged";
  /** What the file holds now; empty for one that there is not. */
  text: string;
}

const maxTries = 5;

/**
 * Sets or unsets one key in a file, which keeps every other byte. Who else runs `config set` waits; who writes the
 * file with an editor meanwhile keeps what was written, and the key is set in that.
 */
export async function writeConfig(write: ConfigWrite): Promise<WrittenConfig> {
  await ensureDataDirectory(dirname(write.lock));
  return withLock(write.lock, 10_000, async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await writeOnce(write);
      } catch (error) {
        if (tries === maxTries || !(error instanceof RoborevError) || error.code !== "E_CONFLICT")
          throw error;
      }
    }
  });
}

async function writeOnce({ path, mode, edit }: ConfigWrite): Promise<WrittenConfig> {
  const before = await readBytes(path);
  const document = parseTomlText(path, before ?? new Uint8Array());
  const after = editToml(document, edit);
  if (after === document) return { outcome: "unchanged", text: document.text };
  const bytes = encodeText(after);
  if (bytes.length > maxConfigBytes)
    throw new RoborevError(`${path} would be larger than 1 MiB`, { code: "E_TOO_LARGE" });
  if (before !== null && mode === 0o600) await narrow(path);
  await writeFileAtomic(path, bytes, { mode, expect: before });
  return { outcome: before === null ? "created" : "changed", text: after.text };
}

async function readBytes(path: string): Promise<Uint8Array | null> {
  try {
    return await readBoundedFile(path, maxConfigBytes);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return null;
    const problem =
      errorCode(cause) === "E_FILE" ? errorMessage(cause) : `cannot read ${path}: ${failureReason(cause)}`;
    throw new RoborevError(problem, { code: "E_CONFIG", cause });
  }
}

/** It may hold a secret; what replaces it takes its mode over. One that the user links to is the user's business. */
async function narrow(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const stat = await lstat(path);
  if (stat.isFile() && (stat.mode & 0o077) !== 0) await chmod(path, 0o600);
}
