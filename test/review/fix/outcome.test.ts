import { expect, test } from "bun:test";
import type { ReviewerOutcome } from "../../../src/review/agents/outcome.ts";
import { decideFix, needsCommitRetry } from "../../../src/review/fix/outcome.ts";
import { type Observed, type TreeChange, treeChange } from "../../../src/review/fix/tree-change.ts";

const ended: ReviewerOutcome = { ok: true, text: "done", durationMs: 1 };
const silent: ReviewerOutcome = { ok: false, reason: "empty", message: "said nothing", retryable: true };
const broken: ReviewerOutcome = { ok: false, reason: "exit", message: "exit 1", retryable: true };
const none: TreeChange = { kind: "none" };
const commit = (leftover: string[] = [], isTracked = false): TreeChange => ({
  ...{ kind: "committed", sha: "a".repeat(40), count: 1, leftover, isTracked },
});
const edits: TreeChange = { kind: "uncommitted", paths: ["a.ts"], isTracked: true };
const newFiles: TreeChange = { kind: "uncommitted", paths: ["cache/x"], isTracked: false };
const astray: TreeChange = { kind: "astray", what: "went away" };

// agent, change, refuted, outcome, the review is closed, the run stops
test.each<[string, ReviewerOutcome, TreeChange, boolean, string, boolean, boolean]>([
  ["a commit closes the review", ended, commit(), false, "fixed", true, false],
  ["a commit of an agent that said nothing closes it too", silent, commit(), false, "fixed", true, false],
  [
    "a commit beside uncommitted edits closes it, and ends the run",
    ended,
    commit(["b"], true),
    false,
    "fixed",
    true,
    true,
  ],
  ["no change and every finding refuted closes it", ended, none, true, "refuted", true, false],
  ["no change and no explanation leaves it open", ended, none, false, "unanswered", false, false],
  ["an agent that does nothing at all leaves it open", silent, none, false, "unanswered", false, false],
  ["uncommitted edits leave it open, and end the run", ended, edits, false, "uncommitted", false, true],
  ["uncommitted edits leave it open even if it was refuted", ended, edits, true, "uncommitted", false, true],
  ["a new file that is in no commit leaves it open", ended, newFiles, false, "uncommitted", false, false],
  ["files that tests left do not undo a refutation", ended, newFiles, true, "refuted", true, false],
  ["an agent that failed closes nothing", broken, none, false, "failed", false, false],
  ["an agent that failed after a commit closes nothing", broken, commit(), false, "failed", false, false],
  ["an agent that failed with edits ends the run", broken, edits, false, "failed", false, true],
  ["a moved HEAD closes nothing and ends the run", ended, astray, true, "astray", false, true],
])("%s", (_, agent, change, refuted, kind, closes, stops) => {
  const said = { refuted, deferred: false };
  expect(decideFix({ agent, change, said })).toEqual({ kind: kind as never, closes, stops });
});

test("a commit beside a finding that was put off leaves the review open, and the run goes on", () => {
  const said = { refuted: false, deferred: true };
  const stays = { kind: "partly", closes: false, stops: false } as const;
  expect(decideFix({ agent: ended, change: commit(), said })).toEqual(stays);
  expect(decideFix({ agent: ended, change: none, said })).toEqual({ ...stays, kind: "unanswered" });
});

test("C05 an agent is asked to commit what it left, unless it failed, or left only files of its tests", () => {
  expect(needsCommitRetry(ended, edits, false)).toBe(true);
  expect(needsCommitRetry(silent, edits, false)).toBe(true);
  expect(needsCommitRetry(ended, newFiles, false)).toBe(true);
  expect(needsCommitRetry(ended, commit(["b"], true), false)).toBe(true);
  for (const [agent, change, refuted] of [
    [broken, edits, false],
    [ended, newFiles, true],
    [ended, commit(["cache/x"], false), false],
    [ended, none, false],
    [ended, astray, false],
  ] as const)
    expect(needsCommitRetry(agent, change, refuted)).toBe(false);
});

const before = { head: "1", branch: "main", modified: [], untracked: new Map([["mine", "1:1"]]) };
const seen = (more: Partial<Observed["after"]>, rest: Partial<Observed> = {}): TreeChange =>
  treeChange({ before, after: { ...before, ...more }, commits: 0, operation: undefined, ...rest });

test("the change of a working tree is read off its states before and after", () => {
  expect(seen({})).toEqual({ kind: "none" });
  expect(seen({ modified: ["a"], untracked: new Map([...before.untracked, ["b", "2:2"]]) })).toEqual({
    ...{ kind: "uncommitted", paths: ["a", "b"], isTracked: true },
  });
  // What was untracked before counts only when it is not as it was.
  expect(seen({ untracked: new Map([["mine", "1:9"]]) })).toEqual({
    ...{ kind: "uncommitted", paths: ["mine"], isTracked: false },
  });
  expect(seen({ head: "3", modified: ["a"] }, { commits: 2 })).toEqual({
    ...{ kind: "committed", sha: "3", count: 2, leftover: ["a"], isTracked: true },
  });
  expect(seen({ head: "3" }, { commits: undefined })).toEqual({
    ...{ kind: "astray", what: "rewrote commits that were there before" },
  });
  expect(seen({ branch: "other" })).toEqual({ kind: "astray", what: "went from main to other" });
  expect(seen({ branch: "" })).toEqual({ kind: "astray", what: "went from main to a detached HEAD" });
  expect(seen({}, { operation: "merge" })).toEqual({ kind: "astray", what: "left a merge in progress" });
});
