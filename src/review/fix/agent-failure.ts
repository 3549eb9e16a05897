import { RoborevError } from "../../lib/errors.ts";
import { leftoverText } from "./comment-text.ts";
import { quotaError } from "./rested-agent.ts";
import type { FixServices } from "./services.ts";
import type { FixTurn } from "./turn.ts";

/**
 * Throws for a failure that would meet every further review as well: no quota, no program, the user's interrupt. What
 * the agent had done to the working tree by then is told first.
 */
export function throwIfEndsRun(
  { command, signal, progress, now }: Pick<FixServices, "command" | "signal" | "progress" | "now">,
  agentName: string,
  { agent, change }: Pick<FixTurn, "agent" | "change">,
): void {
  const isInterrupted = signal.aborted || (!agent.ok && agent.reason === "canceled");
  if (!isInterrupted && (agent.ok || !["quota", "missing"].includes(agent.reason))) return;
  progress.warn(isInterrupted ? `${agentName} was ended. ${treeText(change)}` : treeText(change));
  if (isInterrupted) {
    signal.throwIfAborted();
    throw new RoborevError(`${agentName} was ended`, { code: "E_INTERRUPTED" });
  }
  if (agent.ok) return;
  const other = `Use another one with: roborev ${command} --agent NAME`;
  if (agent.reason === "missing")
    throw new RoborevError(agent.message, { code: "E_AGENT_MISSING", hint: other });
  const until = new Date(now().getTime() + (agent.cooldownMs ?? 0)).toISOString();
  throw quotaError({ agent: agentName, until, reason: agent.message }, { command, now });
}

/** In what state the working tree is. */
function treeText(change: FixTurn["change"]): string {
  if (change.kind === "none") return "The working tree is as it was.";
  if (change.kind === "astray") return `The agent ${change.what}. See: git status, git reflog`;
  const commit = change.kind === "committed" ? `The agent committed ${change.sha.slice(0, 7)}. ` : "";
  const leftover = leftoverText(change);
  return `${commit}${leftover === "" ? "Nothing else is changed." : `${leftover}. See: git status`}`;
}
