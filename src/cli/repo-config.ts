import { join } from "node:path";
import { maxConfigBytes, parseRepoConfig } from "../config/parse.ts";
import type { RepoConfig } from "../config/schema.ts";
import { readBoundedFile } from "../fs/bounded-file.ts";
import type { Checkout } from "../git/checkout.ts";
import { errorCode, errorMessage, RoborevError } from "../lib/errors.ts";

/** The `.roborev.toml` of a working tree; a missing one is empty, a broken one throws E_CONFIG. */
export async function readRepoConfig(checkout: Pick<Checkout, "worktreeRoot">): Promise<RepoConfig> {
  const path = join(checkout.worktreeRoot, ".roborev.toml");
  try {
    const bytes = await readBoundedFile(path, maxConfigBytes);
    return parseRepoConfig(bytes.toString("utf8"), path).config;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return {};
    if (errorCode(error) === "E_FILE") throw new RoborevError(errorMessage(error), { code: "E_CONFIG" });
    throw error;
  }
}
