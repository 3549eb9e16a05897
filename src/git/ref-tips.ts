import { gitText } from "./exec.ts";
import { isPlainBranchRef } from "./head-file.ts";
import { type RefLook, unnoticed } from "./ref-memory.ts";

/** More names than this are not passed on: all refs are listed instead. */
const maxPatterns = 200;

/**
 * Which of these refs exist, by their full names, and the commits they stand at: one git process. What is no name of a
 * ref does not exist.
 */
export async function refTips(
  cwd: string,
  refs: string[],
  look: RefLook = unnoticed,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(refs.filter((ref) => ref.startsWith("refs/") && isPlainBranchRef(ref)));
  if (wanted.size === 0) return new Map();
  for (const ref of wanted) look.at(ref);
  const patterns = wanted.size > maxPatterns ? ["refs/heads", "refs/remotes"] : wanted;
  const format = "--format=%(objectname) %(refname) %(symref)";
  const tips = new Map<string, string>();
  for (const line of (await gitText(["for-each-ref", format, ...patterns], { cwd })).split("\n")) {
    const [tip, ref, symref] = line.split(" ") as [string, string, string];
    if (!wanted.has(ref)) continue;
    if (symref) look.lose(); // moves with another ref
    tips.set(ref, tip);
  }
  return tips;
}
