import type { ReviewSettings, Sourced } from "../config/resolve.ts";
import type { GlobalConfig } from "../config/schema.ts";
import { errorCode, errorMessage, RoborevError } from "../lib/errors.ts";
import type { Job } from "../store/schema.ts";
import type { Environment } from "./agents/reviewer.ts";
import { requireReviewer } from "./agents/select.ts";
import { chooseReviewer, modelFor } from "./choose-reviewer.ts";
import type { Cooldown } from "./cooldowns.ts";
import type { Backup, JobOutcome } from "./job-outcome.ts";

interface BackupQuestion {
  job: Pick<Job, "agent" | "attempted_agents">;
  settings: Pick<ReviewSettings, "backup">;
  global: GlobalConfig;
  /** Those that hold. */
  cooldowns: readonly Cooldown[];
  /** Programs are found by its PATH. */
  env: Environment;
}

/**
 * A failure that is the reviewer's own, with the reviewer that takes over: only one that somebody configured as the
 * backup, and only once. Where it cannot, the failure says why.
 */
export function reviewerFailure(
  failure: { error: string; retryable: boolean },
  question: BackupQuestion,
): JobOutcome {
  const found = findBackup(question);
  if (found === undefined) return { kind: "failed", ...failure };
  if ("agent" in found) return { kind: "failed", ...failure, backup: found };
  return { kind: "failed", ...failure, error: `${failure.error}. ${found.refused}` };
}

function findBackup({
  job,
  settings: { backup },
  global,
  cooldowns,
  env,
}: BackupQuestion): Backup | { refused: string } | undefined {
  if (backup === undefined) return undefined;
  const { value: wanted } = backup.agent;
  const refused = (why: string) => ({ refused: `The backup ${wanted} did not take over: ${why}` });
  try {
    const reviewer = requireReviewer(wanted);
    const { name: agent } = reviewer;
    if ([job.agent, ...(job.attempted_agents ?? [])].includes(agent)) return undefined;
    if (reviewer.builtIn) return refused("it finds no real problems");
    chooseReviewer(backup.agent, global, env);
    const cooldown = cooldowns.find((each) => each.agent === agent);
    if (cooldown) return refused(`it rests until ${cooldown.until}`);
    const model = modelFor(agent, backup.model);
    return { agent, ...(model === undefined ? {} : { model }) };
  } catch (error) {
    if (error instanceof RoborevError) return refused(errorMessage(error));
    throw error;
  }
}

/**
 * The reviewer that a new job names. One that is not installed is refused, unless a backup was configured that is: the
 * job then tells by itself why another one reviewed it.
 */
export function reviewerFor(
  { agent, backup }: Pick<ReviewSettings, "agent" | "backup">,
  global: GlobalConfig,
  env: Environment,
): string {
  try {
    return chooseReviewer(agent, global, env).reviewer.name;
  } catch (error) {
    const isMissing = errorCode(error) === "E_AGENT_MISSING";
    if (isMissing && agent && backup && isReady(backup.agent, global, env)) return agent.value;
    throw error;
  }
}

function isReady(agent: Sourced<string>, global: GlobalConfig, env: Environment): boolean {
  try {
    return !chooseReviewer(agent, global, env).reviewer.builtIn;
  } catch {
    return false; // unknown or missing: the chosen reviewer's own error says more
  }
}
