import type { HookStatus } from "../git/hooks/status.ts";
import { elapsedText } from "../lib/job-text.ts";
import { localTimeWithZone } from "../lib/local-time.ts";
import { plural, singleLine } from "../lib/text.ts";
import type { Cooldown } from "../review/cooldowns.ts";
import type { ActiveSnooze } from "../store/schema.ts";
import type { StatusReport } from "./commands/status.ts";
import { jobTable } from "./job-table.ts";
import type { Output } from "./output.ts";
import { snoozeTable } from "./snooze-table.ts";

/** The screen of `roborev status`. */
export function statusText(report: StatusReport, now: Date, out: Output): string {
  const { daemon } = report;
  if (!report.running)
    return ["Daemon   not running. Start it with: roborev daemon start", ...serviceLines(report)].join("\n");
  if (daemon === undefined)
    return `Daemon   ${out.paint("yellow", "unavailable")}: ${singleLine(report.error ?? "")}`;
  const uptime = elapsedText(daemon.uptime_seconds * 1000);
  const health = daemon.healthy ? out.paint("green", "OK") : out.paint("red", "DEGRADED");
  return [
    `Daemon   running for ${uptime}, version ${singleLine(daemon.version)}, pid ${daemon.pid}`,
    ...serviceLines(report),
    `Workers  ${daemon.active_workers} of ${daemon.max_workers} busy${daemon.draining ? ", the daemon stops when they are done" : ""}`,
    ...(daemon.queue_paused ? ["Queue    paused. Go on with: roborev unpause"] : []),
    ...restLines(daemon.agent_cooldowns),
    `Jobs     ${jobCounts(daemon)}`,
    `Health   ${health}`,
    ...daemon.components.map(
      ({ name, healthy, message }) =>
        `  ${healthy ? "+" : "!"} ${name}${message ? `: ${singleLine(message)}` : ""}`,
    ),
    ...errorLines(daemon.recent_errors, now),
    ...snoozeLines(daemon.active_snoozes),
    ...(report.jobs?.length ? ["", jobTable(report.jobs, now, out)] : []),
  ].join("\n");
}

/** Which service keeps the daemon running, or would if it were asked to. */
function serviceLines({ running, managed_by, service }: StatusReport): string[] {
  if (service === undefined) return managed_by === undefined ? [] : [`Service  ${singleLine(managed_by)}`];
  const { manager, path, state } = service;
  const without = running && managed_by !== manager;
  return [
    `Service  ${manager}, ${singleLine(path)}${state === "edited" ? ", edited by hand" : ""}`,
    ...(without ? ["         This daemon runs without it. Hand over with: roborev daemon restart"] : []),
  ];
}

type Daemon = NonNullable<StatusReport["daemon"]>;

function jobCounts(daemon: Daemon): string {
  const always = [
    `${daemon.queued_jobs} queued`,
    `${daemon.running_jobs} running`,
    `${daemon.completed_jobs} completed`,
    `${daemon.failed_jobs} failed`,
    `${daemon.skipped_jobs} skipped`,
  ];
  return daemon.canceled_jobs > 0
    ? [...always, `${daemon.canceled_jobs} canceled`].join(", ")
    : always.join(", ");
}

/** Reviewers that are not asked for a while; an older daemon tells of none. */
function restLines(cooldowns: readonly Cooldown[] = []): string[] {
  return cooldowns.map(
    ({ agent, until, reason }) =>
      `Resting  ${singleLine(agent)} until ${localTimeWithZone(until)}: ${singleLine(reason)}`,
  );
}

const dayMs = 24 * 60 * 60 * 1000;

function errorLines(errors: Daemon["recent_errors"], now: Date): string[] {
  const recent = errors.filter(({ ts }) => now.getTime() - Date.parse(ts) < dayMs);
  if (recent.length === 0) return [];
  return [
    `Errors   ${plural(recent.length, "error")} in the last 24 hours`,
    ...recent.map(({ ts, component, message, job_id }) => {
      const job = job_id === undefined ? "" : ` (job ${job_id})`;
      return `  ${elapsedText(now.getTime() - Date.parse(ts))} ago  ${component}${job}: ${singleLine(message)}`;
    }),
  ];
}

function snoozeLines(snoozes: readonly ActiveSnooze[] = []): string[] {
  if (snoozes.length === 0) return [];
  return ["", "Active Snoozes:", ...snoozeTable(snoozes)];
}

/** What is wrong with the git hooks of a repository, one line each. */
export function hookWarnings(hooks: readonly HookStatus[]): string[] {
  const ours = hooks.filter(
    ({ state }) => state === "current" || state === "outdated" || state === "damaged",
  );
  if (ours.length === 0) return ["Commits of this repository are not reviewed. Set it up with: roborev init"];
  return hooks.flatMap((status) => {
    const problem = hookProblem(status);
    return problem === undefined
      ? []
      : [`Warning: the ${status.hook} hook ${problem}. Mend it with: roborev init`];
  });
}

function hookProblem({ state, executable, binary }: HookStatus): string | undefined {
  if (state === "outdated") return "is of an older version";
  if (state === "damaged") return "was changed by hand";
  if (state !== "current") return "is missing";
  if (!executable) return "is not executable, so git ignores it";
  if (binary && !binary.executable) return `runs ${singleLine(binary.path)}, which is not there any more`;
  return undefined;
}
