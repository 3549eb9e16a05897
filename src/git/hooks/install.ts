import { existsSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, errorMessage, RoborevError } from "../../lib/errors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { singleLine } from "../../lib/text.ts";
import type { Checkout } from "../checkout.ts";
import { hasDamagedBlock } from "./block.ts";
import { type HooksDirectory, hooksDirectory, isInside, realTarget } from "./directory.ts";
import { type HookFile, readHookFile, writeHookFile } from "./hook-file.ts";
import { makeHooksPathAbsolute } from "./hooks-path.ts";
import type { HookOutcome } from "./outcome.ts";
import { type HookPlan, planHook } from "./plan.ts";
import { type HookRecord, type LoadedRecord, loadRecord, saveRecord, sha256 } from "./record.ts";
import { type HookName, hookBlock, hookNames, manualSnippet } from "./script.ts";
import { placeWarnings } from "./warnings.ts";

export interface InstallOptions {
  /** Absolute path of the program that the hooks run. */
  binary: string;
  /** Replace foreign hooks instead of chaining with them. */
  force?: boolean;
  /** Nobody asked for it: only hooks inside the git directory are touched, and no configuration. */
  automatic?: boolean;
  /** Only these. Default: all of ours. */
  hooks?: readonly HookName[];
}

/**
 * Installs or refreshes our hooks, chained with what is there. Every hook is attempted; what could not be written is
 * one error at the end. What was there before is recorded, so that `uninstallGitHooks` brings it back to the byte.
 */
export async function installGitHooks(checkout: Checkout, options: InstallOptions): Promise<HookOutcome[]> {
  for (const hook of hookNames) hookBlock(hook, options.binary); // refuses a bad path before anything is written
  if (!options.automatic) await requireDirectory(checkout);
  const loaded = await loadRecord(checkout.commonDir);
  const notice = options.automatic ? undefined : await makeHooksPathAbsolute(checkout, loaded);
  const directory = await hooksDirectory(checkout);
  const outcomes: HookOutcome[] = [];
  const failures: string[] = [];
  for (const hook of options.hooks ?? hookNames) {
    try {
      outcomes.push(await installHook({ checkout, options, loaded, directory, hook }));
    } catch (error) {
      failures.push(errorMessage(error));
    }
  }
  if (failures.length > 0) {
    throw new RoborevError(`git hooks not installed: ${[...new Set(failures)].join("; ")}`, {
      code: "E_GIT_HOOKS",
    });
  }
  if (notice !== undefined) outcomes[0]?.warnings.unshift(notice);
  return outcomes;
}

/** A directory that is not there may be made inside of the repository only: elsewhere it is a mistake, or not ours. */
async function requireDirectory(checkout: Checkout): Promise<void> {
  const { path, scope } = await hooksDirectory(checkout);
  if (existsSync(path)) return;
  const real = await realTarget(path);
  const { worktreeRoot, mainRoot, commonDir } = checkout;
  if ([worktreeRoot, mainRoot, commonDir].some((root) => isInside(real, root))) return;
  throw new RoborevError(`core.hooksPath is ${singleLine(path)}, which does not exist`, {
    code: "E_GIT_HOOKS",
    hint: `Make it with mkdir -p ${shellWord(path)}, or drop the setting with git config --${scope} --unset core.hooksPath`,
  });
}

interface Installation {
  checkout: Checkout;
  options: InstallOptions;
  loaded: LoadedRecord;
  directory: HooksDirectory;
  hook: HookName;
}

async function installHook(installation: Installation): Promise<HookOutcome> {
  const { checkout, options, directory, hook } = installation;
  const path = join(directory.path, hook);
  const outcome = (result: HookOutcome["result"], warnings: string[] = []) => ({
    hook,
    path,
    result,
    warnings,
  });
  if (options.automatic && !isInside(await realTarget(path), checkout.commonDir)) return outcome("skipped");
  const file = await readHookFile(path);
  const text = file.bytes?.toString("latin1") ?? null;
  const plan = planHook(text, hook, options.binary, options.force ?? false);
  if (plan.kind === "non-shell") {
    const why = `${path} is no shell script: roborev does not change it`;
    return { ...outcome("non-shell", [why]), snippet: manualSnippet(hook, options.binary) };
  }
  if (plan.kind === "current") {
    return outcome("current", await placeWarnings({ checkout, directory, hook, path, mode: file.mode }));
  }
  const backup = await write(installation, path, file, plan);
  const mode = options.force ? 0o755 : (file.mode ?? 0o755);
  const warnings = await placeWarnings({ checkout, directory, hook, path, mode });
  if (text !== null && hasDamagedBlock(text, hook)) {
    warnings.push(`${path} also has an older roborev block without its end: remove that by hand`);
  }
  return {
    ...outcome(plan.upgraded ? "upgraded" : "installed", warnings),
    ...(backup === undefined ? {} : { backup }),
  };
}

type WritePlan = Extract<HookPlan, { kind: "write" }>;

/** Record first: whatever happens in between, the record never promises less than what can be undone. */
async function write(installation: Installation, path: string, file: HookFile, plan: WritePlan) {
  const { checkout, options, loaded, directory, hook } = installation;
  await ensureDirectory(directory, loaded);
  const { record } = loaded;
  const earlier = record.hooks.find((entry) => entry.path === path);
  const isUntouched = earlier !== undefined && file.bytes !== null && sha256(file.bytes) === earlier.written;
  const former = isUntouched ? earlier.former : toBase64(plan.former);
  const backup = plan.backup && plan.former !== null ? await saveBackup(path, plan.former) : undefined;
  const entry: HookRecord = {
    hook,
    path,
    former,
    ...(former === null || file.mode === undefined ? {} : { formerMode: earlier?.formerMode ?? file.mode }),
    written: sha256(Buffer.from(plan.text, "latin1")),
    ...((backup ?? (isUntouched ? earlier.backup : undefined)) === undefined
      ? {}
      : { backup: (backup ?? earlier?.backup) as string }),
  };
  record.hooks = [...record.hooks.filter((candidate) => candidate.path !== path), entry];
  await saveRecord(checkout.commonDir, loaded);
  await writeHookFile(path, file, plan.text, options.force ? 0o755 : undefined);
  return backup;
}

const toBase64 = (text: string | null) => text && Buffer.from(text, "latin1").toString("base64");

/** Beside the hook; an earlier backup is never overwritten. */
async function saveBackup(path: string, former: string): Promise<string> {
  for (let number = 0; ; number++) {
    const backup = `${path}.roborev-backup${number === 0 ? "" : `-${number}`}`;
    try {
      await writeFile(backup, Buffer.from(former, "latin1"), { flag: "wx", mode: 0o600 });
      return backup;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

async function ensureDirectory({ path }: HooksDirectory, loaded: LoadedRecord): Promise<void> {
  const missing: string[] = [];
  for (let directory = path; !existsSync(directory); directory = dirname(directory)) missing.push(directory);
  if (missing.length > 0) {
    await mkdir(path, { recursive: true });
    loaded.record.createdDirectories = [...missing, ...(loaded.record.createdDirectories ?? [])];
    return;
  }
  if ((await stat(path)).isDirectory()) return;
  throw new RoborevError(
    `core.hooksPath is ${path}, which is no directory: git hooks are switched off here`,
    {
      code: "E_GIT_HOOKS",
    },
  );
}
