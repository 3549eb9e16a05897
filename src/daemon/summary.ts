import type { JobStatus } from "../store/schema.ts";
import type { JobFacts } from "../store/store.ts";
import type { SummaryResponse } from "./api/responses.ts";

type Summary = Pick<
  SummaryResponse,
  "overview" | "verdicts" | "agents" | "duration" | "job_types" | "failures"
> & { repos: NonNullable<SummaryResponse["repos"]> };

/** Statistics of jobs. Pure. */
export function summarize(jobs: readonly JobFacts[]): Summary {
  // A fix has no verdict, and its time is that of another kind of work.
  const reviews = jobs.filter(({ job_type }) => job_type !== "fix");
  const done = reviews.filter(({ status }) => status === "done");
  const durations = (some: readonly JobFacts[]) => secondsOf(some, "started_at", "finished_at");
  const verdicts = { ...countsOf(jobs), addressed: addressedOf(jobs) };
  const judged = verdicts.passed + verdicts.failed;
  return {
    overview: overviewOf(jobs),
    verdicts: {
      ...verdicts,
      total: judged,
      ...rate("pass_rate", verdicts.passed, judged),
      ...rate("resolution_rate", verdicts.addressed, verdicts.failed),
    },
    agents: grouped(reviews, ({ agent }) => agent).map(([agent, own]) => {
      const counts = countsOf(own);
      const median = percentile(durations(own.filter(({ status }) => status === "done")), 50);
      return {
        agent,
        ...counts,
        errors: own.filter(({ status }) => status === "failed").length,
        ...rate("pass_rate", counts.passed, counts.passed + counts.failed),
        ...(median === undefined ? {} : { median_duration_secs: median }),
      };
    }),
    duration: {
      ...percentiles("review", durations(done)),
      ...percentiles("queue", secondsOf(reviews, "enqueued_at", "started_at")),
    },
    job_types: grouped(jobs, ({ job_type }) => job_type).map(([type, { length: count }]) => ({
      type,
      count,
    })),
    failures: failuresOf(jobs),
    repos: grouped(jobs, ({ repo_path }) => repo_path).map(([path, own]) => ({
      name: own[0]?.repo_name ?? "",
      path,
      ...countsOf(own),
      addressed: addressedOf(own),
    })),
  };
}

function overviewOf(jobs: readonly JobFacts[]): Summary["overview"] {
  const counts: Record<JobStatus, number> = {
    ...{ queued: 0, running: 0, done: 0, failed: 0 },
    ...{ canceled: 0, applied: 0, rebased: 0, skipped: 0 },
  };
  for (const { status } of jobs) counts[status]++;
  return { total: jobs.length, ...counts };
}

const countsOf = (jobs: readonly JobFacts[]) => ({
  total: jobs.length,
  passed: jobs.filter(({ verdict }) => verdict === "P").length,
  failed: jobs.filter(({ verdict }) => verdict === "F").length,
});

const addressedOf = (jobs: readonly JobFacts[]): number =>
  jobs.filter(({ verdict, closed }) => verdict === "F" && closed === true).length;

function rate<N extends string>(name: N, part: number, whole: number): { [K in N]?: number } {
  return whole === 0 ? {} : ({ [name]: round(part / whole) } as { [K in N]?: number });
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Groups, the largest first. */
function grouped<K extends string>(
  jobs: readonly JobFacts[],
  keyOf: (job: JobFacts) => K,
): [K, JobFacts[]][] {
  return [...Map.groupBy(jobs, keyOf)].sort(
    ([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1),
  );
}

type TimeName = "enqueued_at" | "started_at" | "finished_at";

/** Sorted seconds between two times, of the jobs that have both. */
function secondsOf(jobs: readonly JobFacts[], from: TimeName, to: TimeName): number[] {
  return jobs
    .map((job) => (Date.parse(job[to] ?? "") - Date.parse(job[from] ?? "")) / 1000)
    .filter((seconds) => seconds >= 0)
    .sort((a, b) => a - b);
}

/** Nearest rank. */
function percentile(sorted: readonly number[], percent: number): number | undefined {
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  return value === undefined ? undefined : round(value);
}

function percentiles(name: "review" | "queue", sorted: readonly number[]): Summary["duration"] {
  if (sorted.length === 0) return {};
  return Object.fromEntries(
    [50, 90, 99].map((percent) => [`${name}_p${percent}_secs`, percentile(sorted, percent)]),
  );
}

function failuresOf(jobs: readonly JobFacts[]): Summary["failures"] {
  const failed = jobs.filter(({ status }) => status === "failed");
  const errors = new Map<string, number>();
  for (const { error } of failed) {
    const category = errorCategory(error ?? "");
    errors.set(category, (errors.get(category) ?? 0) + 1);
  }
  const retries = jobs.reduce((sum, { retry_count }) => sum + retry_count, 0);
  return { total: failed.length, retries, errors: Object.fromEntries(errors) };
}

/** What a failed job's error says first, as the review engine writes it. */
function errorCategory(error: string): string {
  const prefix = /^(quota|no-verdict|no-change|policy): /.exec(error)?.[1];
  if (prefix !== undefined) return prefix;
  if (/^\S+ did not finish within /.test(error)) return "timeout";
  return /^(?:reviewer \S+ is not installed|no reviewer is installed)/.test(error) ? "missing" : "other";
}
