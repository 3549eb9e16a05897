import type { PendingReminder, Session } from "../../../src/reminder/state.ts";
import { checkReminder, must } from "./checks.ts";
import type { Conversation, EventFields } from "./conversation.ts";
import type { Hooks } from "./hooks.ts";

/** Longer than any harness's turn is told apart by its prompt alone. */
const nextTurnMs = 31 * 60_000;
const mostTurns = 20;

/**
 * Wherever a session could be told something it is, if only its turns go on, and what it was not told of by then is
 * less than a reminder is worth. Changes nothing.
 */
export function checkLiveness(hooks: Hooks, conversations: readonly Conversation[]): void {
  const { world } = hooks;
  const { nowMs } = world;
  for (const conversation of conversations) {
    if (conversation.kind.harness.optIn !== undefined) continue;
    for (const worktree of world.worktrees) {
      checkTold(hooks, conversation, worktree);
      world.nowMs = nowMs;
    }
  }
}

function checkTold(hooks: Hooks, conversation: Conversation, worktree: string): void {
  const { world, judge, thresholds, state } = hooks;
  const { key } = conversation;
  const owner = judge.owners.of(worktree);
  const place = world.place(worktree);
  if (place?.openFailed === undefined || (owner !== undefined && owner.session !== key)) return;
  const { told, session } = tellAll(hooks, conversation.fork(), worktree);
  const lineage = judge.lineageIn(session, place.scope) as string;
  const left = judge.fresh(key, worktree, lineage).filter((id) => !told.has(id));
  const isLittle = thresholds.failedReviews === 0 || left.length < thresholds.failedReviews;
  const before = state.sessions.get(key);
  must(isLittle, "(6) every review is told of in the end", worktree, lineage, left, [...told], before);
  const { head, branch: branchNow } = place.scope;
  const isHere = ({ lineage_key, worktree_root, branch = "", ...pending }: PendingReminder) =>
    lineage_key === lineage &&
    worktree_root === worktree &&
    branch === branchNow &&
    (branch !== "" || pending.head === head);
  const waits = Object.values(before?.pending_reminders ?? {}).some(isHere);
  must(
    !waits || left.length === 0 || told.size >= 50,
    "(6) what waits is told in the end",
    worktree,
    lineage,
    left,
    before,
  );
}

/** The next turns of a session in a working tree, until it is told nothing more, and what it was told of that tree. */
function tellAll(
  hooks: Hooks,
  conversation: Conversation,
  worktree: string,
): { told: Set<number>; session: Session | undefined } {
  const { world } = hooks;
  const state = hooks.state.fork();
  const told = new Set<number>();
  for (let isQuiet = false, turn = 0; !isQuiet && turn < mostTurns; turn++) {
    isQuiet = true;
    world.nowMs += nextTurnMs;
    for (const fields of turnOf(conversation)) {
      const input = hooks.input(conversation, worktree, fields);
      const decision = state.decide(input, world);
      checkReminder(decision, input, world);
      state.apply(input, decision);
      const { trigger } = decision;
      const blocked = trigger === undefined ? undefined : input.newId;
      if (fields.event === "Stop") conversation.stopped(fields, { blocked, others: false }, world.nowMs);
      if (trigger !== undefined) isQuiet = false;
      if (trigger?.scope.worktreeRoot === worktree) for (const id of trigger.ids) told.add(id);
    }
  }
  return { told, session: state.sessions.get(conversation.key) };
}

function* turnOf(conversation: Conversation): Iterable<EventFields> {
  const prompt = conversation.prompt(false);
  if (prompt) yield prompt;
  if (conversation.kind.harness.turns.untilEnd) yield conversation.stop("check");
  yield conversation.stop("whole");
}
