import { readTarget, requireReplaceable } from "../fs/target.ts";
import type { Harness } from "../harness/harness.ts";
import { applyPlan, type Planner } from "./apply.ts";
import type { Outcome, SelectionOptions } from "./options.ts";
import { choosePlace, type Place, placesOf } from "./places.ts";
import { type Plan, type PlanTarget, planUninstall } from "./plan.ts";
import type { Result } from "./report.ts";
import { failureOf } from "./request.ts";

type PlanFor = (target: PlanTarget, record?: Parameters<Planner>[1]) => Plan;

/** One agent whose files are changed, and where the result is told. */
export interface Change {
  harness: Harness;
  options: SelectionOptions;
  outcome: Outcome;
  line: (result: Result) => string;
}

/**
 * Registers in the file that the agent reads, and takes what is ours out of the others: there first, so that the
 * agent is at no moment without its hooks. Returns whether anything changed; undefined after a failure.
 */
export async function registerIn(change: Change, planFor: PlanFor): Promise<boolean | undefined> {
  return await reported(change, async (at) => {
    const chosen = await choosePlace(change.harness, change.options);
    const others = placesOf(change.harness, change.options).filter(({ path }) => path !== chosen.path);
    const plans = [await changeAt(change, at(chosen), planFor)];
    for (const place of others) plans.push(await changeAt(change, at(place), planUninstall));
    return { path: chosen.path, plans };
  });
}

/** Takes what is ours out of every file of the agent. */
export async function removeEverywhere(change: Change): Promise<boolean | undefined> {
  return await reported(change, async (at) => {
    const places = placesOf(change.harness, change.options);
    const plans: Plan[] = [];
    for (const place of places) plans.push(await changeAt(change, at(place), planUninstall));
    const first = plans.findIndex(({ changed }) => changed);
    return { path: (places[first] ?? places[0]).path, plans };
  });
}

/** Runs `work`, which says where it is, and adds its result or its failure to the outcome. */
async function reported(
  { harness, options, outcome, line }: Change,
  work: (at: (place: Place) => Place) => Promise<{ path: string; plans: Plan[] }>,
): Promise<boolean | undefined> {
  let { path: where } = placesOf(harness, options)[0];
  try {
    const { path, plans } = await work((place) => {
      where = place.path;
      return place;
    });
    const changed = plans.some((plan) => plan.changed);
    outcome.lines.push(line({ displayName: harness.displayName, path, changed, dryRun: options.dryRun }));
    outcome.notices.push(...plans.flatMap(({ notices }) => notices));
    return changed;
  } catch (error) {
    outcome.failures.push(failureOf(harness, where, error));
    return undefined;
  }
}

async function changeAt({ harness, options }: Change, place: Place, planFor: PlanFor): Promise<Plan> {
  const { path } = place;
  if (options.dryRun) {
    const target = await readTarget(path);
    const plan = planFor({ harness, before: target.bytes, ...place });
    if (plan.changed) await requireReplaceable(path, target);
    return plan;
  }
  return await applyPlan(path, options.dataDir, (before, record) =>
    planFor({ harness, before, ...place }, record),
  );
}
