import { boundaryToken, dataBlock, quoted, tokenLine } from "../boundary.ts";
import { cutBytes } from "../bytes.ts";
import { dataRule, untouchableText } from "./sections.ts";

const maxOutputBytes = 32 * 1024;

/** Asks an agent in the working tree to mend what a git hook refused. */
export function buildHookRefusalPrompt(input: {
  hook: string;
  /** What the attempt to commit printed. */
  output: string;
  untracked: readonly string[];
  nonce: string;
}): string {
  const output = `${cutBytes(input.output, maxOutputBytes)}${input.output.length > maxOutputBytes ? "\n[cut here: too long]" : ""}`;
  const token = boundaryToken(input.nonce, [input.hook, output, ...input.untracked]);
  const untouchable = untouchableText(token, input.untracked);
  return `${tokenLine(token)}

# A git hook refused a commit

The fix of review findings is staged in this working tree, and a git hook of the repository refused to let it be
committed. This is what the attempt printed:

${dataBlock(token, "output of the hook", quoted(`${input.hook}\n${output}`))}

${dataRule(token)}

## What to do

1. Look at the change with \`git status\` and \`git diff HEAD\`, and at what the hook names.
2. Mend what the hook refuses with the smallest change. The fix itself stays.
3. Do not commit, amend, stash, reset or switch branches, and do not push: the commit is made for you, with your change.
4. Do not weaken, skip or reconfigure the hook or what it runs. Do not run \`roborev\`, and start no other agents.

Answer with one sentence: what you changed.${untouchable && `\n\n${untouchable}`}`;
}
