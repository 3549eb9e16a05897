import { mkdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomic } from "../../fs/atomic.ts";
import { readBoundedFile } from "../../fs/bounded-file.ts";
import { errorCode, errorMessage, failureReason, RoborevError } from "../../lib/errors.ts";
import { isUntouched } from "../../skills/seal.ts";

/** What stands where a service's file belongs. */
export type ServiceFile =
  | { state: "absent" }
  /** `ours`: as a release of roborev wrote it; `edited`: one that was changed since; `foreign`: of somebody else. */
  | { state: "ours" | "edited" | "foreign"; text: string; bytes: Uint8Array };

const maxBytes = 1024 * 1024;

export async function readServiceFile(path: string): Promise<ServiceFile> {
  try {
    const bytes = await readBoundedFile(path, maxBytes);
    const text = new TextDecoder().decode(bytes);
    const isMarked = /\broborev-digest:/.test(text);
    return { state: isUntouched(text) ? "ours" : isMarked ? "edited" : "foreign", text, bytes };
  } catch (cause) {
    if (errorCode(cause) === "ENOENT" || errorCode(cause) === "ENOTDIR") return { state: "absent" };
    const why =
      errorCode(cause) === "E_FILE" ? errorMessage(cause) : `cannot read ${path}: ${failureReason(cause)}`;
    throw new RoborevError(why, { code: "E_SERVICE", cause });
  }
}

/** Refuses to touch what is not ours as we wrote it, unless that is wanted. */
export function requireOurs(path: string, file: ServiceFile, force: boolean): void {
  if (force || file.state === "absent" || file.state === "ours") return;
  const what = file.state === "edited" ? "was edited by hand" : "is not of roborev's making";
  throw new RoborevError(`${path} ${what}`, {
    code: "E_SERVICE_FILE",
    hint: "Keep it, or give --force: its content is then kept beside it.",
  });
}

/**
 * The name under which a file that is not ours is kept: the first that no other bytes have. Service managers read nothing
 * that is called so.
 */
async function keptName(path: string, bytes: Uint8Array): Promise<string> {
  for (let number = 1; ; number++) {
    const name = `${path}.before-roborev${number === 1 ? "" : `.${number}`}`;
    if (await isFor(bytes, name)) return name;
  }
}

async function isFor(bytes: Uint8Array, name: string): Promise<boolean> {
  try {
    return Buffer.compare(await readBoundedFile(name, maxBytes), bytes) === 0;
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return true;
    if (errorCode(cause) === "E_FILE") return false;
    throw new RoborevError(`cannot read ${name}: ${failureReason(cause)}`, { code: "E_SERVICE", cause });
  }
}

/** Writes a file; what stood there and is not ours is kept beside it, under the name that is returned. */
export async function writeServiceFile(
  path: string,
  text: string,
  former: ServiceFile,
): Promise<{ changed: boolean; kept?: string }> {
  if (former.state !== "absent" && former.text === text) return { changed: false };
  const kept = await keepFormer(path, former);
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (cause) {
    throw new RoborevError(`cannot create ${dirname(path)}: ${failureReason(cause)}`, {
      code: "E_WRITE",
      cause,
    });
  }
  const expect = former.state === "absent" ? null : former.bytes;
  await writeFileAtomic(path, text, { mode: 0o644, expect });
  return { changed: true, ...(kept === undefined ? {} : { kept }) };
}

/** Takes back what was written: what stood there stands there again, and is not kept beside it any more. */
export async function restoreServiceFile(
  path: string,
  former: ServiceFile,
  written: { changed: boolean; kept?: string },
): Promise<void> {
  if (!written.changed) return;
  if (former.state === "absent") await removeServiceFile(path, former);
  else await writeFileAtomic(path, former.text, { mode: 0o644 });
  if (written.kept !== undefined) await unlink(written.kept);
}

/** Removes the file; what is not ours is kept as well. */
export async function removeServiceFile(path: string, former: ServiceFile): Promise<{ kept?: string }> {
  const kept = await keepFormer(path, former);
  try {
    await unlink(path);
  } catch (cause) {
    if (errorCode(cause) !== "ENOENT")
      throw new RoborevError(`cannot remove ${path}: ${failureReason(cause)}`, { code: "E_WRITE", cause });
  }
  return kept === undefined ? {} : { kept };
}

async function keepFormer(path: string, former: ServiceFile): Promise<string | undefined> {
  if (former.state !== "edited" && former.state !== "foreign") return undefined;
  const kept = await keptName(path, former.bytes);
  await writeFileAtomic(kept, former.bytes, { mode: 0o644 });
  return kept;
}
