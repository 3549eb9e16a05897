import type { CommitCredit } from "../../../config/commit-credit.ts";

const dealing = `1. Take each finding as a claim, not as an order. Read the code it speaks of, and decide whether it holds now.
2. Mend what holds, the most severe first, with the smallest change that removes the cause. Change nothing else.
3. Do not undo an earlier fix, weaken or delete a test, or silence a check to make a finding go away.
4. Build the project and run its linters and tests, as far as it has them and they concern what you changed. Nothing
   that passed before may fail afterwards.`;

const leftAlone = "Do not run `roborev`, and start no other agents: commenting and closing is done for you.";

/** What to do with findings in the user's working tree, whatever their number; `answer` says how the last message ends. */
export const workText = (answer: string): string => `## What to do

${dealing}
5. Commit all of your change as one commit on the current branch, with a message that says what was wrong and what
   changed. Add files by name. No amending, no other branch, no rebase, no stash, no push, and let hooks run.
6. Without a change there is nothing to commit: make no empty commit.
7. ${leftAlone}

## Your last message

Say in a few sentences what you changed and how you checked it.
${answer}`;

/** What to do in a worktree whose content becomes a patch that its user reads and applies. */
export const stageText = (numbers: readonly number[], what = dealing): string => `## What to do

${what}
5. Stage your change with \`git add\`, new files by name, and do not commit: the files as you leave them become a patch,
   which the user reads and applies. No branches, no stash, no push. Remove temporary files and debug output; what
   \`.gitignore\` names is left behind anyway.
6. ${leftAlone}

## Your last message

Say in at most ten lines what you changed, why, and how you checked it. They become the message of the commit. Without a
change say how you looked instead.
${directAnswer(numbers)}`;

/** What to do with a patch that does not apply any more. */
export const renewing = `1. Read the patch and the findings: what was it to achieve?
2. Look at the code as it is now, and bring about the same with the smallest change. Part of it may be done by now, or
   have lost its ground: leave that out, and say so. Change nothing that the patch was not about.
3. Do not undo what was changed meanwhile, weaken or delete a test, or silence a check.
4. Build the project and run its linters and tests, as far as it has them and they concern what you changed. Nothing
   that passed before may fail afterwards.`;

/** What to do in a worktree whose content is taken over as it is in the end. */
export const addressText = (numbers: readonly number[]): string => `## What to do

${dealing}
5. Do not commit: the files as you leave them are your change, and it is committed for you. No branches, no stash, no
   push. Remove temporary files and debug output; what \`.gitignore\` names is left behind anyway.
6. ${leftAlone}

## Your last message

Begin with a line \`Changes:\` and at most ten bullets: what you changed and why. They become the message of the commit.
Without a change say how you looked instead.
${directAnswer(numbers)}`;

const verdicts = `FIXED: what you changed. REFUTED: why the finding is wrong or does not apply, with what you looked at. DEFERRED: why
it cannot be dealt with here. A finding without such a line, or without a reason, counts as not dealt with.`;

/** The answer to one review. */
export const directAnswer = (
  numbers: readonly number[],
): string => `End with one line for each finding (${numbers.length === 1 ? `number ${numbers[0]}` : `numbers ${numbers.join(", ")}`}), like these:

FINDING 1: FIXED - …
FINDING 2: REFUTED - …
FINDING 3: DEFERRED - …

${verdicts}`;

/** The answer to several: their findings have the same numbers. */
export const batchAnswer = `End with one line for each finding of each review, with the number of its job, like these:

JOB 7 FINDING 1: FIXED - …
JOB 7 FINDING 2: REFUTED - …
JOB 9 FINDING 1: DEFERRED - …

${verdicts}`;

/** How a commit names whom the user wants it to name; "" where it is as usual. */
export function creditText({ author, coAuthor }: CommitCredit = {}): string {
  const lines = [
    ...(author === undefined ? [] : [`Commit with this author, by git's option --author: ${author}`]),
    ...(coAuthor === undefined
      ? []
      : [`End the message of the commit with this line, after an empty one: Co-authored-by: ${coAuthor}`]),
  ];
  return lines.length === 0 ? "" : `## Whose commit it is\n\n${lines.join("\n")}`;
}
