import type { Harness } from "../harness/harness.ts";
import { applyPlan, type Planner } from "./apply.ts";
import type { Outcome, SelectionOptions } from "./options.ts";
import type { Plan } from "./plan.ts";
import type { Result } from "./report.ts";
import { failureOf, targetPath } from "./request.ts";
import { readTarget } from "./target.ts";

type PlanFor = (before: Uint8Array | null, path: string, record?: Parameters<Planner>[1]) => Plan;

/** Plans one agent's file and, unless this is a dry run, writes it; adds the result or the failure to `outcome`. */
export async function changeOne(
  harness: Harness,
  options: SelectionOptions,
  outcome: Outcome,
  line: (result: Result) => string,
  planFor: PlanFor,
): Promise<Plan | undefined> {
  const path = targetPath(harness, options);
  try {
    const plan = options.dryRun
      ? planFor((await readTarget(path)).bytes, path)
      : await applyPlan(path, options.dataDir, (before, record) => planFor(before, path, record));
    const { displayName } = harness;
    outcome.lines.push(line({ displayName, path, changed: plan.changed, dryRun: options.dryRun }));
    outcome.notices.push(...plan.notices);
    return plan;
  } catch (error) {
    outcome.failures.push(failureOf(harness, path, error));
    return undefined;
  }
}
