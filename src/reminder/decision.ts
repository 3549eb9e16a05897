import type { SkillFact } from "./facts.ts";
import type { Scope } from "./lineage.ts";
import type { Delivery, FixSession, Session } from "./state.ts";

/** A reminder to deliver now. */
export interface Trigger {
  by: "failed_reviews" | "commit" | "stop" | "fix_session";
  /** Reviews it names, newest first. They will not be named again in this lineage. */
  ids: number[];
  /** Open ones beyond those. */
  unnamed: number;
  /** Turns since the last reminder. */
  turns: number;
  /** Commits since the last reminder. */
  commits: number;
  /** The checkout that it is about. */
  scope: Scope;
  /** Waited in the queue: the agent may be somewhere else by now. */
  queued?: { instruction: string; reason?: string };
  /** The session is in another working tree now. */
  isElsewhere?: boolean;
  fixSessionId?: string;
  /** Reviews that its fix session still has to finish. */
  closing?: number[];
  /** Of the skill for this work; absent: unknown. */
  skill?: Exclude<SkillFact, "unknown">;
  /** The session was not told before that the skill is outdated or missing. */
  warnsOfSkill?: true;
}

export interface Decision {
  /** The session afterwards; undefined: nothing changes. */
  session?: Session;
  /** By `worktreeKey`; null: released. */
  fixSessions?: Record<string, FixSession | null>;
  /** New and advanced ones, by id. */
  deliveries?: Record<string, Delivery>;
  trigger?: Trigger;
  skipped: boolean;
  /** Open failed reviews that nobody was told about. */
  actionable: number;
  /** Commits that wait for a reminder here. */
  commits: number;
}

export const unchanged: Decision = { skipped: true, actionable: 0, commits: 0 };
