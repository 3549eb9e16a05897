import { registerIn } from "./change.ts";
import { registeredLine } from "./command.ts";
import type { InstallOptions, Outcome } from "./options.ts";
import { planInstall } from "./plan.ts";
import { installLine } from "./report.ts";
import { checkInstall } from "./request.ts";
import { selfTest } from "./self-test.ts";

/**
 * Registers the hooks of every selected agent. One agent's failure is recorded and the others are still done.
 * A command that fails its trial run is a notice, not a failure: what was asked for is in place, hooks fail open,
 * and the trial may be wrong (a slow machine, a shim that is provisioned later).
 */
export async function installAgentHooks(options: InstallOptions): Promise<Outcome> {
  const request = checkInstall(options);
  const outcome: Outcome = { lines: [], notices: [...request.notices], failures: [] };
  for (const harness of request.selected) {
    const command = request.command(harness);
    const changed = await registerIn({ harness, options, outcome, line: installLine }, (target) =>
      planInstall(target, command, request.timeoutMs),
    );
    if (changed === undefined || options.dryRun) continue;
    const line = registeredLine(harness, command);
    const problem = await selfTest({ harness, command: line, env: options.env, cwd: options.cwd });
    if (problem !== undefined) outcome.notices.push(problem);
    if (changed && harness.afterInstall !== undefined) outcome.notices.push(harness.afterInstall);
  }
  return outcome;
}
