import { type Stats, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { defined } from "../lib/defined.ts";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";
import { checkConfig, maxConfigBytes, type ParsedConfig, parseGlobalConfig } from "./parse.ts";
import type { GlobalConfig } from "./schema.ts";

export interface LoadedConfig extends ParsedConfig<GlobalConfig> {
  path: string;
  /** false: there is no such file, everything has its default. */
  exists: boolean;
}

/** Reads the user's configuration. A missing file is an empty one; an unreadable or invalid one throws E_CONFIG. */
export async function loadGlobalConfig(path: string): Promise<LoadedConfig> {
  const stat = statFile(path);
  return parsed(path, stat && (await readText(path)));
}

export interface ConfigCache {
  /**
   * The file as it is now; while it is broken its last sound version, or what is right in it, and what is wrong. Costs
   * one stat, and makes no promise, while it has not changed.
   */
  loadOrKeep(path: string): KeptConfig | Promise<KeptConfig>;
}

export interface KeptConfig {
  loaded: LoadedConfig;
  problem?: RoborevError;
  /** Beside a problem: no version of the file has been sound so far. What is missing is not as its user wants it. */
  neverSound?: true;
}

interface Entry {
  /** Undefined: there was no file. */
  stat: Stats | undefined;
  isReadable: boolean;
  readAtMs: number;
  outcome: LoadedConfig | RoborevError;
  lastSound?: LoadedConfig;
  /** Beside a wrong value: the file without it. */
  rest?: LoadedConfig;
}

// A file can change twice within one tick of the file system's clock; what was read that close to its time stamp
// is read again. Same cause as https://git-scm.com/docs/racy-git.
const clockTickMs = 50;
const maxEntries = 64;

/** Configurations of this process by path, re-read when modification time, size or inode changes. */
export function createConfigCache(nowMs: () => number = Date.now): ConfigCache {
  const entries = new Map<string, Entry>();

  /** What is known of the file, if it is as it was. */
  function unchanged(path: string): Entry | undefined {
    const known = entries.get(path);
    if (!known?.isReadable) return undefined;
    try {
      const stat = statFile(path);
      return isSame(stat, known.stat) && isSettled(stat, known.readAtMs) ? known : undefined;
    } catch {
      return undefined; // reading it again says why
    }
  }

  async function read(path: string): Promise<Entry> {
    const known = entries.get(path);
    const readAtMs = nowMs();
    let stat: Stats | undefined;
    let isReadable = false;
    let text: string | undefined;
    let outcome: LoadedConfig | RoborevError;
    try {
      stat = statFile(path);
      isReadable = true;
      text = stat && (await readText(path));
      outcome = parsed(path, text);
    } catch (error) {
      if (!(error instanceof RoborevError)) throw error;
      outcome = error;
    }
    const lastSound = outcome instanceof RoborevError ? known?.lastSound : outcome;
    const rest = outcome instanceof RoborevError && text !== undefined ? withoutWrong(path, text) : undefined;
    const entry: Entry = { stat, isReadable, readAtMs, outcome, ...defined({ lastSound, rest }) };
    if (!known && entries.size >= maxEntries) entries.delete(entries.keys().next().value as string);
    entries.set(path, entry);
    return entry;
  }

  function kept(path: string, { outcome, lastSound, rest }: Entry): KeptConfig {
    if (!(outcome instanceof RoborevError)) return { loaded: outcome };
    if (lastSound?.exists) return { loaded: lastSound, problem: outcome };
    return { loaded: rest ?? missing(path), problem: outcome, neverSound: true };
  }

  return {
    loadOrKeep(path) {
      const known = unchanged(path);
      return known ? kept(path, known) : read(path).then((entry) => kept(path, entry));
    },
  };
}

function isSame(a: Stats | undefined, b: Stats | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.size === b.size &&
    a.ino === b.ino &&
    a.dev === b.dev
  );
}

const isSettled = (stat: Stats | undefined, readAtMs: number) =>
  stat === undefined || stat.mtimeMs + clockTickMs < readAtMs;

const missing = (path: string): LoadedConfig => ({ path, exists: false, config: {}, warnings: [] });

function statFile(path: string): Stats | undefined {
  let stat: Stats | undefined;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if (errorCode(cause) === "ENOTDIR") return undefined;
    throw unreadable(path, failureReason(cause), cause);
  }
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw unreadable(path, "it is not a regular file");
  if (stat.size > maxConfigBytes) throw unreadable(path, "it is larger than 1 MiB");
  return stat;
}

const parsed = (path: string, text: string | undefined): LoadedConfig =>
  text === undefined ? missing(path) : { path, exists: true, ...parseGlobalConfig(text, path) };

/** Of a file that does not parse nothing is left. */
const withoutWrong = (path: string, text: string): LoadedConfig => ({
  path,
  exists: true,
  config: checkConfig(text, path, "global").config as GlobalConfig,
  warnings: [],
});

/** Undefined: it is gone. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    const reason = cause instanceof TypeError ? "it is not UTF-8 text" : failureReason(cause);
    throw unreadable(path, reason, cause);
  }
}

function unreadable(path: string, reason: string, cause?: unknown): RoborevError {
  return new RoborevError(`cannot read the configuration ${path}: ${reason}`, {
    code: "E_CONFIG",
    hint: "Make it a readable text file, or remove it to use the defaults.",
    ...(cause === undefined ? {} : { cause }),
  });
}
