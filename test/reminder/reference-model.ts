import type { Trigger } from "../../src/reminder/decision.ts";
import type { Place } from "../../src/reminder/facts.ts";

/** An event of a session that has a branch checked out, of a harness with turn ids that hears every answer. */
export interface ModelEvent {
  event: "PreToolUse" | "PostToolUse" | "Stop" | "UserPromptSubmit";
  session: string;
  place: Place;
  now: Date;
  turn: string;
  /** The harness says that this Stop follows a block. */
  active: boolean;
  fromSubagent: boolean;
  /** Its user left delivery switched off. */
  optedOut: boolean;
}

/** What is told: why, and which reviews are named. */
export interface Told {
  by: Trigger["by"];
  ids: number[];
}

interface Fix {
  session: string;
  ids: Set<number>;
  asked: number;
  endsMs: number;
}

/**
 * The reminders of failed reviews and turns, as short as they can be told: no commits, no queue, no detached HEAD. What
 * the policy does is compared with it.
 */
export class ReferenceModel {
  /** Turns in a session's life. */
  readonly counts = new Map<string, number>();
  private readonly told = new Map<string, Set<number>>();
  private readonly turns = new Map<string, number>();
  private readonly blocked = new Map<string, string>();
  private readonly fixes = new Map<string, Fix>();

  constructor(
    private readonly thresholds: { turn: number; failedReviews: number },
    private readonly settled: ReadonlySet<number>,
  ) {}

  turnsOf(session: string, { scope }: Place): number {
    return this.turns.get(lineOf(session, scope)) ?? 0;
  }

  event(at: ModelEvent): Told | undefined {
    const { event, session, place, now } = at;
    const line = lineOf(session, place.scope);
    const isStop = event === "Stop";
    if (at.fromSubagent) {
      if (!isStop && event !== "UserPromptSubmit" && isSnoozed(at)) this.turns.delete(line);
      return undefined;
    }
    if (isStop && (at.active || this.blocked.get(session) === at.turn)) {
      this.releaseSpent(at);
      return undefined;
    }
    if (isSnoozed(at)) {
      this.turns.delete(line);
      return undefined;
    }
    if (event === "PreToolUse") return undefined;
    const known = this.told.get(line) ?? new Set<number>();
    const fresh = (place.openFailed ?? []).filter((id) => !known.has(id)).sort((a, b) => b - a);
    const own = this.ownFix(at);
    if (isStop && own !== undefined && !at.optedOut) {
      own.asked++;
      this.blocked.set(session, at.turn);
      const ids = fresh.filter((id) => !own.ids.has(id) || this.settled.has(id)).slice(0, 50);
      if (ids.length > 0) this.turns.delete(line);
      return this.tell("fix_session", ids, at, own);
    }
    if (isStop) {
      this.counts.set(session, (this.counts.get(session) ?? 0) + 1);
      this.turns.set(line, this.turnsOf(session, place) + 1);
    }
    const { failedReviews, turn } = this.thresholds;
    const isBetween = event !== "PostToolUse";
    const isDue = isBetween && this.turnsOf(session, place) >= turn && fresh.length > 0;
    const by = fresh.length >= failedReviews ? "failed_reviews" : isDue ? "stop" : undefined;
    const holder = this.fixes.get(place.scope.worktreeRoot);
    const isHeld = holder !== undefined && this.isOpen(holder, now);
    if (by === undefined || at.optedOut || (isHeld && holder.session !== session)) return undefined;
    const fix = isHeld
      ? holder
      : { session, ids: new Set<number>(), asked: 0, endsMs: +now + 12 * 3_600_000 };
    this.fixes.set(place.scope.worktreeRoot, fix);
    this.turns.delete(line);
    if (isStop) this.blocked.set(session, at.turn);
    return this.tell(by, fresh.slice(0, 50), at, fix);
  }

  private tell(by: Told["by"], ids: number[], { session, place }: ModelEvent, fix: Fix): Told {
    const line = lineOf(session, place.scope);
    const known = this.told.get(line) ?? new Set();
    for (const id of ids) {
      known.add(id);
      fix.ids.add(id);
    }
    this.told.set(line, known);
    return { by, ids };
  }

  /** That of the session in this place. One that is done, over or was asked three times is released. */
  private ownFix({ event, session, place, now }: ModelEvent): Fix | undefined {
    const { worktreeRoot } = place.scope;
    const fix = this.fixes.get(worktreeRoot);
    if (event !== "Stop" || fix?.session !== session) return undefined;
    if (fix.asked < 3 && this.isOpen(fix, now)) return fix;
    this.fixes.delete(worktreeRoot);
    return undefined;
  }

  private releaseSpent({ session, place }: ModelEvent): void {
    const fix = this.fixes.get(place.scope.worktreeRoot);
    if (fix?.session === session && fix.asked >= 3) this.fixes.delete(place.scope.worktreeRoot);
  }

  private isOpen(fix: Fix, now: Date): boolean {
    return fix.endsMs > now.getTime() && [...fix.ids].some((id) => !this.settled.has(id));
  }
}

const lineOf = (session: string, { trackedRoot, branch }: Place["scope"]) =>
  `${session} ${trackedRoot} ${branch}`;

const isSnoozed = ({ place, now }: ModelEvent) => (place.snoozedUntil?.getTime() ?? 0) > now.getTime();
