import { plural, quotedLabel, truncateUtf8 } from "../lib/text.ts";
import type { Trigger } from "./decision.ts";
import { maxNamedIds } from "./failed-reviews.ts";
import {
  type Cli,
  closingInstruction,
  completion,
  defaultInstruction,
  type SkillCall,
  skillInstruction,
  skillWarning,
} from "./instruction.ts";
import { quotedPath } from "./quoting.ts";

export interface ReminderTextInput {
  trigger: Trigger;
  /** The user's `instruction`; empty: our own. */
  instruction: string;
  /** The user's `fix_guidelines`; empty: none. */
  fixGuidelines: string;
  /** How the agent's shell reaches this roborev. */
  cli: Cli;
  /** How the harness of the session calls the skill; absent: it has none. */
  skillCall?: SkillCall;
  /** What the harness passes to the model whole. */
  maxBytes: number;
}

/**
 * The whole text that the model reads. Only ids and counts of ours, cleaned labels in quotes and, for what waited, the
 * path of the working tree ever enter it: no finding or commit message, because the model obeys what stands here.
 */
export function reminderText(input: ReminderTextInput): string {
  const { trigger, cli } = input;
  const done = trigger.fixSessionId === undefined ? "" : `\n\n${completion(trigger.fixSessionId, cli)}`;
  // One text names so many reviews at most, old and new together.
  const finish = trigger.closing && closingInstruction(trigger.closing, maxNamedIds - trigger.ids.length);
  if (finish !== undefined && trigger.ids.length === 0) {
    return `${[finish, placeOf(trigger)].filter((part) => part !== "").join(" ")}${done}`;
  }
  const custom = (trigger.queued ?? input).instruction.trim();
  const legacy = custom === "" ? (trigger.queued?.reason?.trim() ?? "") : "";
  const closing = finish === undefined ? warningOf(input) : `${finish} Also:\n\n`;
  const facts = [legacy === "" ? detailOf(trigger) : "", namedIds(trigger), placeOf(trigger), continuation];
  const detail = facts.filter((part) => part !== "").join(" ") + done;
  const guidelines = input.fixGuidelines.trim();
  const heading = guidelines === "" ? "" : "\n\n## Autofix Guidelines\n\n";
  // Our own part always fits; what the user wrote shares the rest, the instruction first: of guidelines that do not fit
  // beside it, that they were cut is said all the same.
  const room = input.maxBytes - bytes(closing) - bytes(detail) - bytes(heading) - 1;
  const left = room - Math.min(bytes(guidelines), bytes(cutNote("fix_guidelines")));
  const instruction =
    legacy !== ""
      ? cut(legacy, left, "its text")
      : custom !== ""
        ? cut(custom, left, "instruction")
        : ownInstruction(input);
  const tail = guidelines === "" ? "" : cut(guidelines, room - bytes(instruction), "fix_guidelines");
  return `${closing}${instruction} ${detail}${heading}${tail}`;
}

/** A paragraph in front of everything else, at most once in a session. */
function warningOf({ trigger, skillCall, cli }: ReminderTextInput): string {
  const { skill, warnsOfSkill } = trigger;
  if (!warnsOfSkill || skillCall === undefined || skill === undefined || skill === "present") return "";
  return `${skillWarning(skill, skillCall, cli)}\n\n`;
}

/** Short for a session that has the skill, whole for one that has not. */
function ownInstruction({ trigger, skillCall, cli }: ReminderTextInput): string {
  if (skillCall === undefined || trigger.skill === undefined) return defaultInstruction(cli);
  return trigger.skill === "missing" ? defaultInstruction(cli, false) : skillInstruction(skillCall, cli);
}

const continuation =
  "If there is something to fix, fix it first, and then continue with the task that this interrupted.";

function detailOf({ by, turns, commits, ids, unnamed, scope }: Trigger): string {
  const directory = quotedLabel(directoryName(scope.worktreeRoot));
  if (by === "stop") return `${plural(turns, "Stop hook")} reached.`;
  if (by === "commit")
    return `${plural(commits, "commit")} reached${directory === "" ? "" : ` in ${directory}`}.`;
  const label = scope.branch === "" ? directory : quotedLabel(scope.branch);
  const count = plural(ids.length + unnamed, "open failed roborev review");
  return `${count}${label === "" ? "" : ` on ${label}`}.`;
}

function namedIds({ ids, unnamed }: Trigger): string {
  const more = unnamed === 0 ? "" : `, and ${unnamed} more open`;
  return `Review job ${ids.length === 1 ? "id" : "ids"}: ${ids.join(", ")}${more}.`;
}

/** The agent may have gone elsewhere while the reminder waited, or have committed from elsewhere. */
function placeOf({ queued, isElsewhere, scope, ids, unnamed, closing = [] }: Trigger): string {
  if (queued === undefined && !isElsewhere) return "";
  const belong = ids.length + unnamed + closing.length === 1 ? "It belongs" : "They belong";
  return `${belong} to the working tree ${quotedPath(scope.worktreeRoot)}: change to it before you run roborev commands.`;
}

/** The user's own text, whole or cut at a line end with a note that names its configuration key. */
function cut(text: string, maxBytes: number, key: string): string {
  if (bytes(text) <= maxBytes) return text;
  const note = cutNote(key);
  const kept = truncateUtf8(text, Math.max(0, maxBytes - bytes(note)));
  const lineEnd = kept.lastIndexOf("\n");
  return `${lineEnd > 0 ? kept.slice(0, lineEnd) : kept}${note}`;
}

const cutNote = (key: string): string => `\n[${key} is too long for this harness and was cut here]`;

const bytes = (text: string): number => new TextEncoder().encode(text).length;

const directoryName = (path: string): string => path.slice(path.replace(/\/+$/, "").lastIndexOf("/") + 1);
