import { unreachableFrom } from "./reachability.ts";
import { isFullSha } from "./revision.ts";

export type FindUnreachable = typeof unreachableFrom;

const maxTips = 32;

/**
 * As `unreachableFrom`, but git is asked once about each commit and tip: what a commit reaches never changes. Where the
 * tip is a ref, every time.
 */
export function rememberUnreachable(find: FindUnreachable = unreachableFrom): FindUnreachable {
  /** By repository and tip, the one used last at the end: whether the tip does not reach a commit. */
  const tips = new Map<string, Map<string, boolean>>();

  function outsideOf(key: string): Map<string, boolean> {
    const known = tips.get(key) ?? new Map<string, boolean>();
    tips.delete(key);
    if (tips.size >= maxTips) tips.delete(tips.keys().next().value as string);
    tips.set(key, known);
    return known;
  }

  return async (cwd, shas, tip) => {
    if (!isFullSha(tip)) return find(cwd, shas, tip);
    const known = outsideOf(`${cwd}\0${tip}`);
    const unknown = shas.filter((sha) => !known.has(sha));
    if (unknown.length > 0) {
      const outside = await find(cwd, unknown, tip);
      if (outside === undefined) return undefined;
      for (const sha of unknown) known.set(sha, outside.has(sha));
    }
    return new Set(shas.filter((sha) => known.get(sha)));
  };
}
