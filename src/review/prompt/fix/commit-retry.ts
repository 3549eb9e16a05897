import { boundaryToken, tokenLine } from "../boundary.ts";
import type { FixPromptInput } from "./fix-prompt.ts";
import { creditText } from "./instructions.ts";
import { untouchableText, withGuidelines } from "./sections.ts";

/** Asks for the commit of changes that an agent left behind. Complete in itself: not every agent can be continued. */
export function buildCommitRetryPrompt(
  input: Pick<FixPromptInput, "credit" | "guidelines" | "untracked" | "nonce">,
): string {
  const token = boundaryToken(input.nonce, [...input.untracked]);
  const untouchable = untouchableText(token, input.untracked);
  const credit = creditText(input.credit);
  const prompt = `${tokenLine(token)}

# Commit the changes of a fix

A fix of review findings in this working tree left changes that are not committed.

1. Look at them with \`git status\` and \`git diff\`.
2. Stage the files that belong to the fix by name, new ones included. Take back what does not belong to it, such as
   debug output and temporary files.
3. Commit them as one commit on the current branch, with a message that says what was wrong and what changed. No
   amending, no other branch, no stash, no push. If a hook refuses the commit, mend what it names and commit again.
4. Change nothing else. Do not run \`roborev\`.

Answer with one sentence: what you committed, or why there is nothing to commit.${untouchable && `\n\n${untouchable}`}${credit && `\n\n${credit}`}`;
  return withGuidelines(prompt, input.guidelines);
}
