import { readTarget } from "../fs/target.ts";
import type { Harness } from "../harness/harness.ts";
import { RoborevError, UsageError } from "../lib/errors.ts";
import { explicitAgent } from "./detect.ts";
import type { InstallOptions } from "./options.ts";
import { choosePlace, placesOf } from "./places.ts";
import { planInstall } from "./plan.ts";
import { failureLine } from "./report.ts";
import { checkInstall, failureOf } from "./request.ts";

/** The complete file that an install would leave for one explicit agent. Writes nothing. */
export async function dumpAgentHooks(options: InstallOptions): Promise<{ text: string; notices: string[] }> {
  if (explicitAgent(options.agent) === undefined) {
    throw new UsageError("dump requires one explicit agent", { hint: "Add --agent NAME." });
  }
  const request = checkInstall(options);
  const harness = request.selected[0] as Harness;
  let { path } = placesOf(harness, options)[0];
  try {
    const place = await choosePlace(harness, options);
    path = place.path;
    const before = (await readTarget(path)).bytes;
    const plan = planInstall({ harness, before, ...place }, request.command(harness), request.timeoutMs);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(plan.after ?? new Uint8Array());
    return { text, notices: [...request.notices, ...plan.notices] };
  } catch (error) {
    throw new RoborevError(failureLine(failureOf(harness, path, error)), { code: "E_DUMP", cause: error });
  }
}
