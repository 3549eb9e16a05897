import { type CommitCommand, countCommits } from "./commits.ts";
import type { Place } from "./facts.ts";
import { isNear, isSnoozed, type ReminderInput } from "./input.ts";
import type { Scope } from "./lineage.ts";
import { withoutField } from "./session-maps.ts";
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
 * went to the background: its event may have been lost, as after a command that fails. A snoozed place drops its own.
 */
export function settleOpenCommands(session: Session | undefined, input: ReminderInput): Session | undefined {
  if (session === undefined) return session;
  const started = session.open_commands ?? [];
  const fresh = started.filter((open) => isNear(open.at, input.now, lifetimeMs));
  const ended = endedHere(started, fresh, input);
  const current = started.filter((open) => open === ended?.open || fresh.includes(open));
  let next = session;
  const remaining: OpenCommand[] = [];
  for (const worktree of new Set(current.map((open) => open.worktree))) {
    const opens = current.filter((open) => open.worktree === worktree);
    const place = placeOf(worktree, input);
    if (place !== undefined && isSnoozed(place, input.now)) continue;
    const own = opens.find((open) => open === ended?.open) ?? opens[0]!;
    if (place !== undefined && hasMoved(own, place.scope)) {
      next = countCommits(next, place.scope, commandOf(own, ended), input.ask);
      const { head, branch } = place.scope;
      remaining.push(...opens.filter((open) => open !== own).map((open) => ({ ...open, head, branch })));
    } else remaining.push(...opens.filter((open) => open !== ended?.open || input.commit?.background));
  }
  const settled = withOpen(next, remaining);
  const here = input.place?.scope;
  // Nothing was seen of its start here: the last known position of HEAD has to do.
  return ended !== undefined && here !== undefined && ended.open?.worktree !== here.worktreeRoot
    ? countCommits(settled, here, { verb: ended.verb }, input.ask)
    : settled;
}

/** The command whose end this event tells, and its start, if that was seen: by its id anywhere and however long ago. */
function endedHere(
  started: OpenCommand[],
  fresh: OpenCommand[],
  { commit, place, event, now }: ReminderInput,
): CommitCommand | undefined {
  if (commit === undefined || place === undefined || isSnoozed(place, now)) return undefined;
  if (event !== "PostToolUse" && event !== "PostToolUseFailure") return undefined;
  const { toolUseId: id, verb } = commit;
  const open =
    started.find((other) => id !== undefined && other.tool_use_id === id) ??
    fresh.find(
      ({ worktree, tool_use_id }) =>
        worktree === place.scope.worktreeRoot && (tool_use_id === undefined || id === undefined),
    );
  return { verb, ...(open === undefined ? {} : { open }) };
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
  return open.length > 0 ? { ...session, open_commands: open } : withoutField(session, "open_commands");
}
