import { localTime } from "../../lib/local-time.ts";
import { singleLine } from "../../lib/text.ts";
import { filterOf, type Model } from "../model.ts";

/** What limits the list, in the order in which it was chosen, and whether reminders are muted where this was started. */
export function badgeTexts(model: Model): string[] {
  const filters = model.filters.map((filter) => {
    if (filter.kind === "repo") return `[f: ${singleLine(filter.name)}]`;
    return filter.kind === "branch" ? `[b: ${singleLine(filter.name) || "(none)"}]` : "[hiding closed]";
  });
  const snoozed = snoozeUntil(model);
  return snoozed === undefined ? filters : [...filters, `[SNOOZED until ${localTime(snoozed)}]`];
}

/**
 * Until when the checkout that this was started in is snoozed: told only while the list shows exactly its repository
 * and its branch, so that nobody takes it for a state of what is shown.
 */
export function snoozeUntil(model: Model): string | undefined {
  const { place, daemon, nowMs } = model;
  const repos = model.filters.filter(({ kind }) => kind === "repo");
  const branch = filterOf(model, "branch")?.name;
  if (place === undefined || place.branch === "" || repos.length !== 1) return undefined;
  if (filterOf(model, "repo")?.path !== place.repo || branch !== place.branch) return undefined;
  return daemon?.active_snoozes.find(
    (snooze) =>
      snooze.repo_path === place.repo &&
      snooze.worktree_path === place.worktree &&
      snooze.branch === place.branch &&
      Date.parse(snooze.snoozed_until) > nowMs,
  )?.snoozed_until;
}
