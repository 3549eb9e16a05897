// Plain strings and arrays: building sets of these costs the hook more than all the look-ups it makes.

/** Sub-commands that write a commit whenever they move HEAD. */
export const committingVerbs = ["commit", "cherry-pick", "revert", "merge", "am"];

/** Sub-commands that may bring commits in, of ours or of others. */
export const integratingVerbs = ["rebase", "pull"];

// Anything that is in neither list may be an alias or a script that commits (`git ci`, `git flow`).
const harmlessVerbs =
  " add annotate apply archive blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap " +
  "check-ref-format checkout checkout-index cherry clean clone column commit-graph commit-tree config " +
  "count-objects credential describe " +
  "diagnose diff diff-files diff-index diff-tree difftool fetch fetch-pack for-each-ref format-patch fsck gc " +
  "grep hash-object help index-pack init instaweb interpret-trailers log ls-files ls-remote ls-tree mailinfo " +
  "maintenance merge-base merge-file merge-tree mergetool mktag mktree mv name-rev notes pack-objects pack-refs " +
  "patch-id prune push range-diff read-tree reflog remote repack replace request-pull rerere reset restore " +
  "rev-list rev-parse rm send-email shortlog show show-branch show-index show-ref sparse-checkout stash status " +
  "stripspace switch symbolic-ref tag unpack-objects update-index var verify-commit verify-pack verify-tag " +
  "version whatchanged worktree write-tree ";

// Those that move the commit which git sees as HEAD.
const jjVerbs =
  " abandon absorb backout ci commit desc describe duplicate edit metaedit new next prev rebase redo restore revert " +
  "split squash undo ";

/** Whether this sub-command of git (or jj) never adds a commit to the history of HEAD. */
export function cannotCommit(verb: string, program = "git"): boolean {
  if (verb === "" || verb.includes(" ")) return false;
  return program === "jj" ? !jjVerbs.includes(` ${verb} `) : harmlessVerbs.includes(` ${verb} `);
}

/** The global options of git and jj that take their value from the next word. */
export const valueOptions = [
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--attr-source",
  "-R",
  "--repository",
  "--at-operation",
  "--at-op",
  "--config",
  "--config-file",
  "--color",
];
