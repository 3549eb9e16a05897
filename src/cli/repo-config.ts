import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { maxConfigBytes, parseRepoConfig } from "../config/parse.ts";
import type { RepoConfig } from "../config/schema.ts";
import type { Checkout } from "../git/checkout.ts";
import { errorCode, RoborevError } from "../lib/errors.ts";

/** The `.roborev.toml` of a working tree; a missing one is empty, a broken one throws E_CONFIG. */
export async function readRepoConfig(checkout: Pick<Checkout, "worktreeRoot">): Promise<RepoConfig> {
  const path = join(checkout.worktreeRoot, ".roborev.toml");
  try {
    const { size } = await stat(path);
    if (size > maxConfigBytes) {
      throw new RoborevError(`${path} is larger than ${maxConfigBytes} bytes`, { code: "E_CONFIG" });
    }
    return parseRepoConfig(await readFile(path, "utf8"), path).config;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return {};
    throw error;
  }
}
