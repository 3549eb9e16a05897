import { type CommitCommand, countCommits } from "./commits.ts";
import type { Place } from "./facts.ts";
import { isSnoozed, type ReminderInput } from "./input.ts";
import type { Scope } from "./lineage.ts";
import type { OpenCommand, Session } from "./state.ts";

const lifetimeMs = 3_600_000;
const maxOpen = 32;

/** The session after the start of a command that may commit: where HEAD stands is what its end is compared with. */
export function openCommand(session: Session, scope: Scope, input: ReminderInput): Session {
  const opened: OpenCommand = {
    worktree: scope.worktreeRoot,
    tracked_root: scope.trackedRoot,
    branch: scope.branch,
    head: scope.head,
    verb: input.commit?.verb ?? "unknown",
    at: input.now.toISOString(),
    ...(input.commit?.toolUseId === undefined ? {} : { tool_use_id: input.commit.toolUseId }),
  };
  return withOpen(session, [...(session.open_commands ?? []), opened].slice(-maxOpen));
}

/**
 * The session after a look at every working tree in which a command may still be committing. Where HEAD has moved, a
 * command's commits are counted and it is done. Where it has not, only the command's own end closes it, unless that
 * went to the background: its event may have been lost, as after a command that fails.
 */
export function settleOpenCommands(session: Session | undefined, input: ReminderInput): Session | undefined {
  const ended = endedHere(session, input);
  if (session === undefined) return session;
  let next = session;
  const remaining: OpenCommand[] = [];
  for (const worktree of new Set((session.open_commands ?? []).map((open) => open.worktree))) {
    const opens = (session.open_commands ?? []).filter((open) => open.worktree === worktree);
    const place = placeOf(worktree, input);
    if (place !== undefined && isSnoozed(place, input.now)) continue;
    const own = opens.find((open) => open === ended?.open) ?? opens[0]!;
    if (place !== undefined && hasMoved(own, place.scope)) {
      next = countCommits(next, place.scope, commandOf(own, ended), input.ask);
      const { head, branch } = place.scope;
      remaining.push(...opens.filter((open) => open !== own).map((open) => ({ ...open, head, branch })));
    } else remaining.push(...opens.filter((open) => open !== ended?.open || input.commit?.background));
  }
  const kept = remaining.filter((open) => Date.parse(open.at) > input.now.getTime() - lifetimeMs);
  const settled = withOpen(next, kept);
  // Nothing was seen of its start: the last known position of HEAD has to do.
  const { place } = input;
  if (ended === undefined || ended.open !== undefined || place === undefined) return settled;
  return isSnoozed(place, input.now)
    ? settled
    : countCommits(settled, place.scope, { verb: ended.verb }, input.ask);
}

/** The session without the open commands of a working tree. */
export function forgetOpenCommands(session: Session, worktree: string): Session {
  const open = session.open_commands ?? [];
  return withOpen(
    session,
    open.filter((command) => command.worktree !== worktree),
  );
}

/** The command whose end this event tells, and its start, if that was seen. */
function endedHere(session: Session | undefined, input: ReminderInput): CommitCommand | undefined {
  const { commit, place, event } = input;
  if (commit === undefined || place === undefined || isSnoozed(place, input.now)) return undefined;
  if (event !== "PostToolUse" && event !== "PostToolUseFailure") return undefined;
  const here = (session?.open_commands ?? []).filter((open) => open.worktree === place.scope.worktreeRoot);
  const named = here.find((open) => open.tool_use_id !== undefined && open.tool_use_id === commit.toolUseId);
  const open =
    named ?? here.find((other) => other.tool_use_id === undefined || commit.toolUseId === undefined);
  return { verb: commit.verb, ...(open === undefined ? {} : { open }) };
}

const commandOf = (open: OpenCommand, ended: CommitCommand | undefined): CommitCommand => ({
  verb: ended?.open === open ? ended.verb : open.verb,
  open,
});

const hasMoved = (open: OpenCommand, scope: Scope): boolean =>
  open.head !== scope.head || open.branch !== scope.branch;

function placeOf(worktree: string, { place, ask }: ReminderInput): Place | undefined {
  return place?.scope.worktreeRoot === worktree ? place : ask({ ask: "place", worktree });
}

function withOpen(session: Session, open: OpenCommand[]): Session {
  if (open.length > 0) return { ...session, open_commands: open };
  if (session.open_commands === undefined) return session;
  const { open_commands: _, ...rest } = session;
  return rest as Session;
}
