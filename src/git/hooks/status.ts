import { join } from "node:path";
import { isExecutable } from "../../fs/executable.ts";
import type { Checkout } from "../checkout.ts";
import { cutBlocks, findBlock, hasDamagedBlock, isBlankScript, isShellScript } from "./block.ts";
import { type HooksDirectory, hooksDirectory } from "./directory.ts";
import { readHookFile } from "./hook-file.ts";
import { blockBinary, type HookName, hookBlock, hookNames } from "./script.ts";

export interface HookStatus {
  hook: HookName;
  path: string;
  /**
   * `current`, `outdated` (a block of an older make), `damaged` (cut by hand), `foreign` (a shell hook without us),
   * `non-shell`, `missing`.
   */
  state: "current" | "outdated" | "damaged" | "foreign" | "non-shell" | "missing";
  /** Git ignores a hook that is not. */
  executable: boolean;
  /** Nothing but our block stands in the file. */
  alone: boolean;
  /** No shell script, but one that its owner made call us. */
  byHand?: true;
  /** The program that our block runs, and whether it can be run. */
  binary?: { path: string; executable: boolean };
}

/** How our hooks stand in the directory where git looks for them. Reads only. */
export async function gitHookStatus(
  checkout: Checkout,
): Promise<{ directory: HooksDirectory; hooks: HookStatus[] }> {
  const directory = await hooksDirectory(checkout);
  return { directory, hooks: await Promise.all(hookNames.map((hook) => status(hook, directory.path))) };
}

async function status(hook: HookName, directory: string): Promise<HookStatus> {
  const path = join(directory, hook);
  const { bytes, mode = 0 } = await readHookFile(path);
  if (bytes === null) return { hook, path, state: "missing", executable: false, alone: false };
  const text = bytes.toString("latin1");
  const range = findBlock(text, hook);
  const block = range && text.slice(range.start, range.end);
  const binary = block === undefined ? undefined : blockBinary(block);
  const state = stateOf(hook, text, block, binary);
  return {
    hook,
    path,
    state,
    ...(state === "non-shell" && callsUs[hook].test(text) ? { byHand: true as const } : {}),
    executable: (mode & 0o111) !== 0,
    alone: cutBlocks(text, hook) !== text && isBlankScript(cutBlocks(text, hook)),
    ...(binary === undefined ? {} : { binary: { path: binary, executable: isExecutable(binary) } }),
  };
}

/** As far as a program in any language can be read: the name of ours, and on the same line what it is to do. */
const callsUs: Record<HookName, RegExp> = {
  "post-commit": /\broborev\b.*\bpost-commit\b/,
  "post-rewrite": /\broborev\b.*\bremap\b/,
};

function stateOf(hook: HookName, text: string, block: string | undefined, binary: string | undefined) {
  if (hasDamagedBlock(text, hook)) return "damaged";
  if (block !== undefined && binary?.startsWith("/") && block === hookBlock(hook, binary)) return "current";
  if (cutBlocks(text, hook) !== text) return "outdated";
  return isShellScript(text) ? "foreign" : "non-shell";
}
