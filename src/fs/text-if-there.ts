import { readFile } from "node:fs/promises";
import { errorCode } from "../lib/errors.ts";

/** The text of a file; undefined where there is none. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
