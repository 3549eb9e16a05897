import { createHash } from "node:crypto";
import { mkdir, readFile, rmdir, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../../fs/atomic.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";
import { type HookName, hookNames } from "./script.ts";

/** What an installation changed, so that it can be undone to the byte. */
export interface InstallRecord {
  version: 1;
  hooks: HookRecord[];
  /** Set when a relative `core.hooksPath` was made absolute. */
  hooksPath?: HooksPathRecord;
  /** Directories that did not exist, innermost first. */
  createdDirectories?: string[];
}

export interface HookRecord {
  hook: HookName;
  path: string;
  /** Base64 of the file before us, null when there was none. */
  former: string | null;
  formerMode?: number;
  /** SHA-256 of the file as we left it. */
  written: string;
  /** Copy of a hook that `--force` replaced. */
  backup?: string;
}

export interface HooksPathRecord {
  former: string;
  written: string;
  /** Base64 of the configuration file before, SHA-256 of it after. */
  formerConfig: string;
  writtenConfig: string;
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const recordPath = (commonDir: string) => join(commonDir, "roborev", "git-hooks.json");

/** The record and the bytes it was read from (null: none yet), which a later save must still find. */
export interface LoadedRecord {
  record: InstallRecord;
  bytes: Buffer | null;
}

export async function loadRecord(commonDir: string): Promise<LoadedRecord> {
  const path = recordPath(commonDir);
  const bytes = await readFile(path).catch((error) => {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  });
  if (bytes === null) return { record: { version: 1, hooks: [] }, bytes };
  const record = tryParseRecord(bytes.toString());
  if (record) return { record, bytes };
  throw new RoborevError(`${path} cannot be read`, {
    code: "E_HOOK_RECORD",
    hint: "It says how the git hooks were before roborev; without it, blocks are still removed. Delete it to go on.",
  });
}

/** Stores the record, or removes it when nothing is left to undo. */
export async function saveRecord(commonDir: string, loaded: LoadedRecord): Promise<void> {
  const { record } = loaded;
  const path = recordPath(commonDir);
  if (record.hooks.length === 0 && !record.hooksPath && !record.createdDirectories) {
    if (loaded.bytes === null) return;
    await unlink(path);
    loaded.bytes = null;
    await removeIfEmpty(dirname(path));
    return;
  }
  const bytes = Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
  if (loaded.bytes !== null && Buffer.compare(bytes, loaded.bytes) === 0) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, bytes, { mode: 0o600, expect: loaded.bytes });
  loaded.bytes = bytes;
}

/** Removes a directory that holds nothing; says whether it is gone. */
export async function removeIfEmpty(directory: string): Promise<boolean> {
  try {
    await rmdir(directory);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    if (errorCode(error) === "ENOTEMPTY" || errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isOptional = (value: unknown, is: (value: unknown) => boolean) => value === undefined || is(value);

function tryParseRecord(text: string): InstallRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: the caller names the file
  }
}

function isRecord(value: unknown): value is InstallRecord {
  if (!isObject(value) || value.version !== 1 || !Array.isArray(value.hooks)) return false;
  if (!value.hooks.every(isHookRecord)) return false;
  const isTexts = (list: unknown) => Array.isArray(list) && list.every(isText);
  if (!isOptional(value.createdDirectories, isTexts)) return false;
  return isOptional(value.hooksPath, (path) => {
    if (!isObject(path)) return false;
    return [path.former, path.written, path.formerConfig, path.writtenConfig].every(isText);
  });
}

function isHookRecord(value: unknown): value is HookRecord {
  if (!isObject(value) || !hookNames.some((name) => name === value.hook)) return false;
  if (
    !isText(value.path) ||
    basename(value.path) !== value.hook ||
    !isText(value.written) ||
    !isOptional(value.backup, isText)
  )
    return false;
  const isMode = (mode: unknown) =>
    Number.isInteger(mode) && (mode as number) >= 0 && (mode as number) <= 0o7777;
  return (value.former === null || isText(value.former)) && isOptional(value.formerMode, isMode);
}
