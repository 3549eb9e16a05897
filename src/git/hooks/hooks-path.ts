import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { writeFileAtomic } from "../../fs/atomic.ts";
import { singleLine } from "../../lib/text.ts";
import type { Checkout } from "../checkout.ts";
import { runGitChecked } from "../exec.ts";
import { hooksDirectory } from "./directory.ts";
import { type LoadedRecord, saveRecord, sha256 } from "./record.ts";

/**
 * Git counts a relative `core.hooksPath` from each working tree, so that linked worktrees without that directory run
 * no hooks: the repository's own setting is made absolute. Other people's (global, included) are not ours to change.
 * Returns what to tell the user.
 */
export async function makeHooksPathAbsolute(
  checkout: Checkout,
  loaded: LoadedRecord,
): Promise<string | undefined> {
  const { path, scope, value, origin } = await hooksDirectory(checkout);
  const config = join(checkout.commonDir, "config");
  if (scope !== "local" || value === undefined || isAbsolute(value) || origin !== config) return undefined;
  const before = await readFile(config);
  await setHooksPath(checkout, path);
  const after = await readFile(config);
  loaded.record.hooksPath = {
    former: value,
    written: path,
    formerConfig: before.toString("base64"),
    writtenConfig: sha256(after),
  };
  await saveRecord(checkout.commonDir, loaded);
  return `core.hooksPath was ${singleLine(value)}: it is absolute now, so that linked worktrees use it too`;
}

/** Undoes the above: to the byte while the configuration is as we left it, else only that one value. */
export async function restoreHooksPath(checkout: Checkout, loaded: LoadedRecord): Promise<void> {
  const entry = loaded.record.hooksPath;
  if (!entry) return;
  const config = join(checkout.commonDir, "config");
  const current = await readFile(config);
  if (sha256(current) === entry.writtenConfig) {
    await writeFileAtomic(config, Buffer.from(entry.formerConfig, "base64"), { expect: current });
  } else if ((await hooksDirectory(checkout)).value === entry.written) {
    await setHooksPath(checkout, entry.former);
  }
  delete loaded.record.hooksPath;
}

async function setHooksPath({ worktreeRoot }: Checkout, value: string): Promise<void> {
  const args = ["config", "--local", "--replace-all", "core.hooksPath", value];
  await runGitChecked(args, { cwd: worktreeRoot });
}
