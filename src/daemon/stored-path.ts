import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { RoborevError } from "../lib/errors.ts";

/** A path of a request as the database has it: real. One that is gone stays what it was. */
export async function storedPath(path: string): Promise<string> {
  if (!isAbsolute(path)) throw new RoborevError(`${path} is not an absolute path`, { code: "E_INVALID" });
  return await realpath(path).catch(() => resolve(path));
}
