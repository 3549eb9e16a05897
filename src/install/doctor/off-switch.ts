import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OffSwitch } from "../../harness/health.ts";
import { errorCode } from "../../lib/errors.ts";

/** Where a setting stands that keeps the hooks of a harness from running, in words; undefined if there is none. */
export async function findOffSwitch(
  switches: readonly OffSwitch[],
  hookFile: string,
  configDirectory: string,
): Promise<string | undefined> {
  for (const { file, key, value } of switches) {
    const path = file === undefined ? hookFile : join(configDirectory, file);
    const bytes = await readIfThere(path);
    if (bytes === undefined) continue;
    if (key === undefined) {
      if (new TextDecoder().decode(bytes).includes(String(value))) return `${value} stands in ${path}`;
    } else if (isSet(settingOf(path, bytes, key), value)) {
      return typeof value === "string" ? `${key} names ${value} in ${path}` : `${key} is ${value} in ${path}`;
    }
  }
  return undefined;
}

const isSet = (actual: unknown, off: boolean | string) =>
  Array.isArray(actual) ? actual.includes(off) : actual === off;

/** The value at a dotted path; undefined as well where the file cannot be read as what it should be. */
export function settingOf(path: string, bytes: Uint8Array, key: string): unknown {
  let value: unknown;
  try {
    value = parseConfig(path, bytes);
  } catch {
    return undefined; // a file that does not parse switches nothing off; the hook file's own problems are told apart
  }
  for (const name of key.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** The file's bytes; undefined where there is none, or none that may be read. */
export async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES", "EISDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

function parseConfig(path: string, bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  if (/\.ya?ml$/i.test(path)) return Bun.YAML.parse(text);
  return /\.toml$/i.test(path) ? Bun.TOML.parse(text) : Bun.JSONC.parse(text);
}
