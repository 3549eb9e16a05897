import { removeEverywhere } from "./change.ts";
import type { Outcome, SelectionOptions } from "./options.ts";
import { uninstallLine } from "./report.ts";
import { select } from "./request.ts";

/** Takes our registrations out again: a file that nobody changed since gets the very bytes back that it had. */
export async function uninstallAgentHooks(options: SelectionOptions): Promise<Outcome> {
  const outcome: Outcome = { lines: [], notices: [], failures: [] };
  const selected = select(options);
  if (selected.length === 0)
    outcome.notices.push("No coding agents were detected; there is nothing to remove.");
  for (const harness of selected) await removeEverywhere({ harness, options, outcome, line: uninstallLine });
  return outcome;
}
