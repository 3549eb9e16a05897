import { cutBlocks, insertBlock, isBlankScript, isShellScript } from "./block.ts";
import { type HookName, hookBlock, standaloneHook } from "./script.ts";

export type HookPlan =
  | { kind: "current" }
  | { kind: "non-shell" }
  | {
      kind: "write";
      text: string;
      /** What uninstalling brings back: the file without any block of ours, null for no file. */
      former: string | null;
      upgraded: boolean;
      /** `former` is lost from the new text and must be saved beside it. */
      backup: boolean;
    };

/** What installing makes of a hook's text (null: there is none). Pure; `force` replaces whatever stands there. */
export function planHook(text: string | null, hook: HookName, binary: string, force: boolean): HookPlan {
  const standalone = standaloneHook(hook, binary);
  if (text === standalone) return { kind: "current" };
  if (text === null) return { kind: "write", text: standalone, former: null, upgraded: false, backup: false };
  const rest = cutBlocks(text, hook);
  const upgraded = rest !== text;
  const former = upgraded && isBlankScript(rest) ? null : rest;
  if (force) return { kind: "write", text: standalone, former, upgraded, backup: former !== null };
  if (former === null) return { kind: "write", text: standalone, former, upgraded, backup: false };
  if (!isShellScript(rest)) return { kind: "non-shell" };
  const embedded = insertBlock(rest, hookBlock(hook, binary));
  if (embedded === text) return { kind: "current" };
  return { kind: "write", text: embedded, former, upgraded, backup: false };
}
