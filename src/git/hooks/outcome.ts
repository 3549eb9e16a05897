import type { HookName } from "./script.ts";

/** What happened to one hook. */
export interface HookOutcome {
  hook: HookName;
  path: string;
  /**
   * Install: `installed`, `upgraded` (an older block of ours was replaced), `current` (nothing written), `non-shell`
   * (refused, see `snippet`), `skipped` (automatic maintenance leaves it alone).
   * Uninstall: `restored` (the former file is back), `removed` (our block, or the whole file if it was ours),
   * `absent` (nothing of ours there), `kept` (see the warning).
   */
  result:
    | "installed"
    | "upgraded"
    | "current"
    | "non-shell"
    | "skipped"
    | "restored"
    | "removed"
    | "absent"
    | "kept";
  /** What the user should know, each one sentence. */
  warnings: string[];
  /** What to add by hand. */
  snippet?: string;
  /** Where a replaced hook was saved. */
  backup?: string;
}
