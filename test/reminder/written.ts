import type { Trigger } from "../../src/reminder/decision.ts";
import { type ReminderTextInput, reminderText } from "../../src/reminder/text.ts";

/** A reminder of four reviews. */
export const trigger: Trigger = {
  by: "failed_reviews",
  ids: [14, 13, 12, 11],
  unnamed: 0,
  turns: 0,
  commits: 0,
  scope: { worktreeRoot: "/src/app", trackedRoot: "/src/app", head: "c1", branch: "main" },
};

export const fixSessionId = "0d9a1f3e-6c1b-4a57-9f0e-2b3c4d5e6f70";

export type Change = Partial<Trigger> & Partial<Omit<ReminderTextInput, "trigger">>;

/** The text of that reminder, with changes to its trigger or to what is around it. */
export function write(change: Change = {}): string {
  const {
    instruction = "",
    fixGuidelines = "",
    maxBytes = 9000,
    cli = { platform: "linux" },
    skillCall,
    ...about
  } = change;
  return reminderText({
    trigger: { ...trigger, ...about },
    instruction,
    fixGuidelines,
    cli,
    maxBytes,
    ...(skillCall === undefined ? {} : { skillCall }),
  });
}

export const bytes = (text: string): number => new TextEncoder().encode(text).length;
