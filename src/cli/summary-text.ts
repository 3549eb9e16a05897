import type { SummaryResponse } from "../daemon/api/responses.ts";
import { elapsedText } from "../lib/job-text.ts";
import { plural, quotedLabel, singleLine } from "../lib/text.ts";
import { tableLines } from "./table.ts";

/** Statistics as text; `period` is how the user wrote it. */
export function summaryText(summary: SummaryResponse, period: string): string {
  const { agents, repos } = summary;
  return [
    titleOf(summary, period),
    ...(summary.overview.total === 0 ? ["No jobs."] : bodyOf(summary)),
    ...(agents.length === 0 ? [] : ["", ...agentLines(agents)]),
    ...(repos === undefined || repos.length === 0 ? [] : ["", ...repoLines(repos)]),
  ].join("\n");
}

function titleOf({ repo_path: repo, branch }: SummaryResponse, period: string): string {
  const where = repo === undefined ? "all repositories" : singleLine(repo);
  return `Last ${period} of ${where}${branch === undefined ? "" : `, branch ${quotedLabel(branch)}`}`;
}

function bodyOf({ overview, verdicts, duration, failures }: SummaryResponse): string[] {
  const { total, ...states } = overview;
  const shown = Object.entries(states).filter(([, count]) => count > 0);
  const errors = Object.entries(failures.errors).map(([category, count]) => `${category} ${count}`);
  return [
    `Jobs      ${total}: ${shown.map(([state, count]) => `${count} ${state}`).join(", ")}`,
    ...(verdicts.total === 0
      ? []
      : [
          `Verdicts  ${verdicts.passed} passed${percent(verdicts.pass_rate)}, ${verdicts.failed} failed, ` +
            `${verdicts.addressed} of these closed${percent(verdicts.resolution_rate)}`,
        ]),
    ...times("Review", [duration.review_p50_secs, duration.review_p90_secs, duration.review_p99_secs]),
    ...times("Queue", [duration.queue_p50_secs, duration.queue_p90_secs, duration.queue_p99_secs]),
    ...(failures.total + failures.retries === 0
      ? []
      : [
          `Failures  ${failures.total}${errors.length === 0 ? "" : ` (${errors.join(", ")})`}, ` +
            `${plural(failures.retries, "retry", "retries")}`,
        ]),
  ];
}

const percent = (rate: number | undefined): string =>
  rate === undefined ? "" : ` (${Math.round(rate * 100)}%)`;

const elapsed = (seconds: number | undefined): string =>
  seconds === undefined ? "" : elapsedText(seconds * 1000);

function times(label: string, [median, p90, p99]: (number | undefined)[]): string[] {
  if (median === undefined) return [];
  return [`${label.padEnd(8)}  median ${elapsed(median)}, 90% in ${elapsed(p90)}, 99% in ${elapsed(p99)}`];
}

function agentLines(agents: SummaryResponse["agents"]): string[] {
  const rows = agents.map(({ agent, total, passed, failed, errors, median_duration_secs: median }) => [
    agent,
    ...[total, passed, failed, errors].map(String),
    elapsed(median),
  ]);
  return tableLines(["Agent", "Jobs", "Passed", "Failed", "Errors", "Median"], rows);
}

function repoLines(repos: NonNullable<SummaryResponse["repos"]>): string[] {
  const rows = repos.map(({ name, path, total, passed, failed, addressed }) => [
    name,
    ...[total, passed, failed, addressed].map(String),
    path,
  ]);
  return tableLines(["Repo", "Jobs", "Passed", "Failed", "Closed", "Path"], rows);
}
