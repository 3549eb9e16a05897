import { existsSync } from "node:fs";
import { mkdir, readFile, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../fs/atomic.ts";
import { removeLeftTemps } from "../fs/left-temps.ts";
import { withLock } from "../fs/lock.ts";
import { ensureDataDirectory, ensurePrivateDirectory } from "../fs/private.ts";
import { readTarget, requireReplaceable, type Target } from "../fs/target.ts";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";
import type { Plan } from "./plan.ts";
import { hashOf, makeUndo, sameBytes, tryParseUndo, tryUndo, type UndoRecord } from "./undo.ts";

export type Planner = (before: Uint8Array | null, record: UndoRecord | undefined) => Plan;

/** What is kept of an install into the file at this real path, without the extension: `.json` while it lasts. */
export const recordStem = (dataDir: string, target: string): string =>
  join(dataDir, "agent-hook", "install", hashOf(target).slice(0, 32));

const maxPlans = 6; // one, and five more when somebody else writes in between
const rereads = 3;
const rereadMs = 40;

/**
 * Plans and writes one configuration file under a lock of its own. The file is compared with what was planned on
 * right before it is replaced; when another program changed it meanwhile, it is read and planned again.
 */
export async function applyPlan(path: string, dataDir: string, planner: Planner): Promise<Plan> {
  const { path: target, bytes } = await readTarget(path);
  const settled = bytes?.length === 0 ? undefined : unlessTorn(() => planner(bytes, undefined));
  const name = recordStem(dataDir, target);
  if (settled && !settled.result.changed && !(isGone(settled.result) && existsSync(`${name}.json`)))
    return settled.result;
  await ensureDataDirectory(dataDir);
  await ensurePrivateDirectory(dirname(name));
  return await withLock(`${name}.lock.db`, 10_000, async () => {
    await removeLeftTemps(target);
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptPlan(path, `${name}.json`, planner);
      } catch (error) {
        if (!(error instanceof RoborevError) || error.code !== "E_CONFLICT") throw error;
        if (attempt === maxPlans) {
          throw new RoborevError(`${path} keeps changing; another program is writing it`, {
            code: "E_CONFLICT",
            hint: "Try again when it is idle; nothing was changed.",
          });
        }
      }
    }
  });
}

/** Nothing of ours was in the file, and nothing was to be put there: what is kept of an install is about the past. */
const isGone = ({ changed, hadOurs }: Plan) => !changed && !hadOurs;

/** Undefined where the file does not parse right now. */
function unlessTorn<T>(work: () => T): { result: T } | undefined {
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof RoborevError && error.code === "E_SYNTAX") return undefined;
    throw error;
  }
}

async function attemptPlan(path: string, recordPath: string, planner: Planner): Promise<Plan> {
  const record = await readRecord(recordPath);
  const { target, result: plan } = await settle(path, (bytes) => planner(bytes, record));
  if (!plan.changed) {
    if (isGone(plan)) await storeRecord(recordPath, undefined);
    return plan;
  }
  await requireReplaceable(path, target);
  if (plan.after === null) {
    await removeFile(target, record?.directories ?? []);
    await unlink(recordPath).catch(ignoreAbsent);
    return plan;
  }
  const directories = await makeDirectories(dirname(target.path));
  // The record first: it counts only for exactly these bytes, so one that is ahead of the file does no harm.
  await storeRecord(recordPath, nextRecord(target, plan, record, directories));
  try {
    await writeFileAtomic(path, plan.after, { mode: 0o600, expect: target.bytes });
  } catch (error) {
    await storeRecord(recordPath, record); // as if it had never been tried
    throw error;
  }
  return plan;
}

/**
 * Reads a file and works on its bytes. One that is empty or does not parse may be one that another program is rewriting
 * in place this very moment (anthropics/claude-code#91520), so it is believed only when it stays like that.
 */
export async function settle<T>(
  path: string,
  work: (bytes: Uint8Array | null) => T,
): Promise<{ target: Target; result: T }> {
  let target = await readTarget(path);
  for (let stable = 0; stable < rereads; ) {
    const { bytes } = target;
    const done = bytes?.length === 0 ? undefined : unlessTorn(() => work(bytes));
    if (done) return { target, result: done.result };
    await Bun.sleep(rereadMs);
    const again = await readTarget(path);
    stable = sameContent(target, again) ? stable + 1 : 0;
    target = again;
  }
  return { target, result: work(target.bytes) };
}

const sameContent = (a: Target, b: Target) =>
  a.bytes === null || b.bytes === null ? a.bytes === b.bytes : sameBytes(a.bytes, b.bytes);

/** Creates what is missing of a directory with mode 0700 and names what it created, outermost first. */
async function makeDirectories(directory: string): Promise<string[]> {
  try {
    const first = await mkdir(directory, { recursive: true, mode: 0o700 });
    if (first === undefined) return [];
    const made = [directory];
    for (let at = directory; at !== first && at.startsWith(first); made.unshift(at)) at = dirname(at);
    return made;
  } catch (cause) {
    throw new RoborevError(`cannot create ${directory}: ${failureReason(cause)}`, { code: "E_WRITE", cause });
  }
}

/** What a later uninstall goes back to: the file from before our first install, as long as we can trace it. */
function nextRecord(
  target: Target,
  plan: Plan,
  record: UndoRecord | undefined,
  directories: string[],
): UndoRecord | undefined {
  if (plan.after === null) return undefined;
  const former = record && target.bytes && tryUndo(record, target.bytes);
  if (former?.bytes && sameBytes(former.bytes, plan.after)) return undefined; // undone
  if (former) return makeUndo(target.path, former.bytes, plan.after, record.directories);
  return plan.hadOurs ? undefined : makeUndo(target.path, target.bytes, plan.after, directories);
}

async function readRecord(path: string): Promise<UndoRecord | undefined> {
  try {
    return tryParseUndo(await readFile(path, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new RoborevError(`cannot read ${path}: ${failureReason(error)}`, { code: "E_READ", cause: error });
  }
}

async function storeRecord(path: string, record: UndoRecord | undefined): Promise<void> {
  if (record) await writeFileAtomic(path, `${JSON.stringify(record)}\n`);
  else await unlink(path).catch(ignoreAbsent);
}

/** Takes away a file that an install created, and the directories that it made, where nothing else is in them. */
async function removeFile(target: Target, directories: string[]): Promise<void> {
  const { bytes } = await readTarget(target.path);
  if (!sameContent(target, { path: target.path, bytes })) {
    throw new RoborevError(`${target.path} changed while it was being edited`, { code: "E_CONFLICT" });
  }
  await unlink(target.path);
  for (const directory of directories.toReversed()) {
    try {
      await rmdir(directory);
    } catch {
      return; // somebody else's files are in it by now
    }
  }
}

function ignoreAbsent(error: unknown): void {
  if (errorCode(error) !== "ENOENT") throw error;
}
