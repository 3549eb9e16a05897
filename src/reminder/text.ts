import { plural, quotedLabel, singleLine, truncateUtf8 } from "../lib/text.ts";
import type { Scope } from "./lineage.ts";
import type { Trigger } from "./policy.ts";

export interface ReminderTextInput {
  trigger: Trigger;
  scope: Scope;
  /** Open failed reviews that nobody was told about before. */
  actionable: number;
  /** The user's `instruction`; empty: our own. */
  instruction: string;
  /** The user's `fix_guidelines`; empty: none. */
  fixGuidelines: string;
  /** Path of the roborev that runs the hook; the shell of the agent may have another PATH, or none of ours on it. */
  executable?: string;
  /** What the harness passes to the model whole. */
  maxBytes: number;
}

/**
 * The whole text that the model reads. Only ids and counts of ours, and one quoted, cleaned label, ever enter it:
 * no finding, commit message or path of a repository, because the model obeys what stands here.
 */
export function reminderText(input: ReminderTextInput): string {
  const detail = `${detailOf(input)} ${namedIds(input.trigger)} ${continuation}`;
  const guidelines = input.fixGuidelines.trim();
  const custom = input.instruction.trim();
  const heading = guidelines === "" ? "" : "\n\n## Autofix Guidelines\n\n";
  // Our own part always fits; what the user wrote shares the rest, the instruction first.
  const room = input.maxBytes - bytes(detail) - bytes(heading) - 1;
  const instruction =
    custom === "" ? ownInstruction(input.executable) : cut(custom, room, "agent_hook.instruction");
  const tail =
    guidelines === "" ? "" : cut(guidelines, Math.max(0, room - bytes(instruction)), "fix_guidelines");
  return `${instruction} ${detail}${heading}${tail}`;
}

const defaultInstruction = [
  "Act on the open roborev findings now, before you go on.",
  "Use the roborev-fix skill if you have it, restricted to the review job ids named below.",
  "Otherwise use the roborev command line, for each id in turn:",
  "read the review with `roborev show --job ID --json`;",
  "treat every finding as a claim that still has to be checked against the code;",
  "fix the valid ones and verify the fix with the project's own checks;",
  'record what you did with `roborev comment --commenter agent-hook --job ID "SUMMARY"`;',
  "and close the review with `roborev close ID`.",
  "A finding that is wrong needs no code change: say why in the comment and close the review.",
  "Leave a review open when a valid finding is unclear or outside your task, and tell the user.",
].join(" ");

function ownInstruction(executable: string | undefined): string {
  const path = executable === undefined || executable.includes('"') ? "" : singleLine(executable);
  if (path === "" || path !== executable) return defaultInstruction;
  return `${defaultInstruction} Should your shell not find roborev, it is ${JSON.stringify(path)}.`;
}

const continuation =
  "If there is something to fix, fix it first, and then continue with the task that this interrupted.";

function detailOf({ trigger, scope, actionable }: ReminderTextInput): string {
  if (trigger.by === "stop") return `${plural(trigger.turns, "Stop hook")} reached.`;
  const label =
    scope.branch === "" ? quotedLabel(directoryName(scope.worktreeRoot)) : quotedLabel(scope.branch);
  return `${plural(actionable, "open failed roborev review")}${label === "" ? "" : ` on ${label}`}.`;
}

function namedIds({ ids, unnamed }: Trigger): string {
  const more = unnamed === 0 ? "" : `, and ${unnamed} more open`;
  return `Review job ${ids.length === 1 ? "id" : "ids"}: ${ids.join(", ")}${more}.`;
}

/** The user's own text, whole or cut at a line end with a note that names its configuration key. */
function cut(text: string, maxBytes: number, key: string): string {
  if (bytes(text) <= maxBytes) return text;
  const note = `\n[${key} is too long for this harness and was cut here]`;
  const kept = truncateUtf8(text, Math.max(0, maxBytes - bytes(note)));
  const lineEnd = kept.lastIndexOf("\n");
  return `${lineEnd > 0 ? kept.slice(0, lineEnd) : kept}${note}`;
}

const bytes = (text: string): number => new TextEncoder().encode(text).length;

const directoryName = (path: string): string => path.slice(path.replace(/\/+$/, "").lastIndexOf("/") + 1);
