import type { ReviewSettings } from "../config/resolve.ts";
import type { GlobalConfig } from "../config/schema.ts";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import type { Job } from "../store/schema.ts";
import type { SelectedReviewer } from "./agents/select.ts";
import { reviewerFailure } from "./backup.ts";
import { chooseReviewer } from "./choose-reviewer.ts";
import { type Cooldown, cooldowns } from "./cooldowns.ts";
import type { JobOutcome } from "./job-outcome.ts";
import type { RunServices } from "./run-services.ts";

/** The job's reviewer, unless it is missing or rests. */
export async function selectRested(
  { database, clock, env }: RunServices,
  job: Job,
  settings: ReviewSettings,
  global: GlobalConfig,
): Promise<SelectedReviewer | JobOutcome> {
  const resting = await database((store) => cooldowns(store.kv, clock.now()));
  const cannot = (error: string) =>
    reviewerFailure({ error, retryable: false }, { job, settings, global, cooldowns: resting, env });
  try {
    const selected = chooseReviewer({ value: job.agent, origin: "request" }, global, env);
    const cooldown = resting.find(({ agent }) => agent === selected.reviewer.name);
    return cooldown ? cannot(restingText(cooldown)) : selected;
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return cannot(errorMessage(error));
  }
}

const restingText = ({ agent, until, reason }: Cooldown) =>
  `quota: ${agent} is not asked before ${until}: ${reason}`;
