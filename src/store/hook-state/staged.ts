import type { Delivery, FixSession, HookState, Session, StagedState, Table } from "../../reminder/state.ts";
import type { JournalBatch } from "./journal.ts";
import { sessionChanges } from "./session-changes.ts";

type Changed<T> = Map<string, T | null>;

/** How a staged copy stood; good for one `revert`. */
export interface Mark {
  sessions: Changed<Session>;
  fixSessions: Changed<FixSession>;
  deliveries: Changed<Delivery>;
}

/** The state as a batch leaves it, without touching the published one. */
export class Staged implements StagedState {
  readonly sessions: StagedTable<Session>;
  readonly fixSessions: StagedTable<FixSession>;
  readonly deliveries: StagedTable<Delivery>;

  constructor(private readonly published: Readonly<HookState>) {
    this.sessions = new StagedTable(published.sessions);
    this.fixSessions = new StagedTable(published.fixSessions);
    this.deliveries = new StagedTable(published.deliveries);
  }

  get hasChanges(): boolean {
    return this.sessions.changed.size + this.fixSessions.changed.size + this.deliveries.changed.size > 0;
  }

  get batch(): JournalBatch {
    const { sessions, fixSessions, deliveries } = this;
    return {
      ...sessionChanges(this.published.sessions, sessions.changed),
      ...(fixSessions.changed.size > 0 ? { fix_sessions: Object.fromEntries(fixSessions.changed) } : {}),
      ...(deliveries.changed.size > 0 ? { deliveries: Object.fromEntries(deliveries.changed) } : {}),
    };
  }

  mark(): Mark {
    return {
      sessions: new Map(this.sessions.changed),
      fixSessions: new Map(this.fixSessions.changed),
      deliveries: new Map(this.deliveries.changed),
    };
  }

  revert(mark: Mark): void {
    this.sessions.changed = mark.sessions;
    this.fixSessions.changed = mark.fixSessions;
    this.deliveries.changed = mark.deliveries;
  }
}

class StagedTable<T> implements Table<T> {
  changed: Changed<T> = new Map();

  constructor(private readonly published: ReadonlyMap<string, T>) {}

  get(key: string): T | undefined {
    const changed = this.changed.get(key);
    return changed === undefined ? this.published.get(key) : (changed ?? undefined);
  }

  keys(): string[] {
    return [...new Set([...this.published.keys(), ...this.changed.keys()])].filter(
      (key) => this.get(key) !== undefined,
    );
  }

  put(key: string, row: T): void {
    this.changed.set(key, row);
  }

  forget(key: string): void {
    if (this.get(key) !== undefined) this.changed.set(key, null);
  }
}
