import { chmod, readFile, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, errorMessage, RoborevError } from "../../lib/errors.ts";
import type { Checkout } from "../checkout.ts";
import { cutBlocks, findBlock, hasDamagedBlock, insertBlock, isBlankScript } from "./block.ts";
import { hooksDirectory, isInside } from "./directory.ts";
import { deleteHookFile, type HookFile, readHookFile, writeHookFile } from "./hook-file.ts";
import { restoreHooksPath } from "./hooks-path.ts";
import type { HookOutcome } from "./outcome.ts";
import { type HookRecord, loadRecord, removeIfEmpty, saveRecord, sha256 } from "./record.ts";
import { type HookName, hookNames } from "./script.ts";

/**
 * Takes our hooks out again. A hook that nobody changed since gets its former bytes back (or is deleted where there was
 * none); from any other only our block is cut. Every hook is attempted; failures are one error at the end.
 */
export async function uninstallGitHooks(checkout: Checkout): Promise<HookOutcome[]> {
  const loaded = await loadRecord(checkout.commonDir);
  const { record } = loaded;
  const directory = await hooksDirectory(checkout);
  const outcomes: HookOutcome[] = [];
  const failures: string[] = [];
  for (const target of targets(directory.path, record.hooks)) {
    const { path } = target;
    try {
      const entry = record.hooks.find((candidate) => candidate.path === path);
      const isReachable = dirname(path) === directory.path || isOwn(checkout, path);
      outcomes.push(isReachable ? await uninstallHook(checkout, target, entry) : leftAlone(target));
      record.hooks = record.hooks.filter((candidate) => candidate.path !== path);
    } catch (error) {
      failures.push(errorMessage(error));
    }
  }
  if (failures.length === 0) {
    await restoreHooksPath(checkout, loaded);
    for (const created of record.createdDirectories ?? []) {
      if (!isOwn(checkout, created) && created !== directory.path) break;
      if (!(await removeIfEmpty(created))) break;
    }
    delete record.createdDirectories;
  }
  await saveRecord(checkout.commonDir, loaded);
  if (failures.length === 0) return outcomes;
  throw new RoborevError(`git hooks not removed: ${failures.join("; ")}`, { code: "E_GIT_HOOKS" });
}

interface Target {
  hook: HookName;
  path: string;
}

/** The hooks where git looks now, and those that we installed where it looked then. */
function targets(directory: string, records: HookRecord[]): Target[] {
  const here = hookNames.map((hook) => ({ hook, path: join(directory, hook) }));
  const elsewhere = records.filter(({ path }) => !here.some((target) => target.path === path));
  return [...here, ...elsewhere.map(({ hook, path }) => ({ hook, path }))];
}

/** The record may be a stranger's: it sends us to no file outside the repository but to those that git uses here. */
function isOwn({ commonDir, mainRoot, worktreeRoot }: Checkout, path: string): boolean {
  return [commonDir, mainRoot, worktreeRoot].some((directory) => isInside(path, directory));
}

function leftAlone({ hook, path }: Target): HookOutcome {
  const why = `${path} was installed when core.hooksPath led there: remove the roborev block by hand`;
  return { hook, path, result: "kept", warnings: [why] };
}

async function uninstallHook(
  checkout: Checkout,
  { hook, path }: Target,
  entry: HookRecord | undefined,
): Promise<HookOutcome> {
  const outcome = (result: HookOutcome["result"], ...warnings: string[]) => ({
    hook,
    path,
    result,
    warnings,
  });
  const file = await readHookFile(path);
  if (file.bytes === null) return outcome("absent");
  const text = file.bytes.toString("latin1");
  if (entry && canRestore(checkout, entry, text)) return outcome(await restore(entry, file));
  const rest = cutBlocks(text, hook);
  const damaged = `${path} has a roborev block without its end: remove that by hand`;
  if (rest === text) return hasDamagedBlock(text, hook) ? outcome("kept", damaged) : outcome("absent");
  const isOurs = isBlankScript(rest) && (entry === undefined || entry.former === null);
  if (!isOurs || !(await deleteHookFile(path))) await writeHookFile(path, file, rest);
  const warnings = hasDamagedBlock(rest, hook) ? [damaged] : [];
  if (entry?.backup !== undefined) warnings.push(`the hook that --force replaced is in ${entry.backup}`);
  return outcome("removed", ...warnings);
}

/**
 * The record lies in the repository, which may be hostile: it is believed only where the file is what installing over
 * the recorded bytes gives, so that it can never put other bytes into a hook that other repositories share.
 */
function canRestore(checkout: Checkout, entry: HookRecord, text: string): boolean {
  if (sha256(Buffer.from(text, "latin1")) !== entry.written) return false;
  const block = findBlock(text, entry.hook);
  if (!block) return false;
  if (entry.former === null || entry.backup !== undefined) {
    const isOwn = [checkout.commonDir, checkout.mainRoot].some((directory) =>
      isInside(entry.path, directory),
    );
    return isBlankScript(cutBlocks(text, entry.hook)) && (entry.former === null || isOwn);
  }
  return insertBlock(formerText(entry.former), text.slice(block.start, block.end)) === text;
}

const formerText = (base64: string) => Buffer.from(base64, "base64").toString("latin1");

async function restore(entry: HookRecord, file: HookFile): Promise<HookOutcome["result"]> {
  if (entry.former === null) {
    if (!(await deleteHookFile(entry.path))) await writeHookFile(entry.path, file, "");
    return "removed";
  }
  const text = formerText(entry.former);
  await writeHookFile(entry.path, file, text);
  if (entry.formerMode !== undefined && entry.formerMode !== file.mode)
    await chmod(entry.path, entry.formerMode);
  if (entry.backup !== undefined) await removeBackup(entry, text);
  return "restored";
}

async function removeBackup({ path, backup = "" }: HookRecord, former: string): Promise<void> {
  if (!backup.startsWith(`${path}.roborev-backup`)) return;
  try {
    if ((await readFile(backup)).toString("latin1") === former) await unlink(backup);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
