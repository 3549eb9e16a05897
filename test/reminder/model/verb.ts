import { recogniseCommit } from "../../../src/lib/shell-commit.ts";
import type { Step } from "./repository.ts";

const words: Record<Step["op"], string> = {
  commit: "git commit -m x",
  nothing: "git commit -m x",
  amend: "git commit --amend",
  pick: "git cherry-pick x",
  alias: "git ci",
  merge: "git merge x",
  rebase: "git rebase x",
  pull: "git pull",
  switch: "git switch x",
  create: "git switch -c x",
  detach: "git checkout --detach x",
  reset: "git reset --hard x",
  push: "git push",
};

const known = new Map<string, string | undefined>();

/** What the hook says of the command that takes these steps; undefined: that it cannot commit. */
export function verbOf(steps: readonly Step[]): string | undefined {
  const command = steps.map(({ op }) => words[op]).join(" && ");
  if (!known.has(command)) known.set(command, recogniseCommit(command)?.verb);
  return known.get(command);
}
