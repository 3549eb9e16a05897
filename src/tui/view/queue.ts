import { elapsedText, jobTime, shortRef } from "../../lib/job-text.ts";
import { localTime } from "../../lib/local-time.ts";
import type { Job } from "../../store/schema.ts";
import { type Column, columnNames, columnTitles, statusText } from "../columns.ts";
import { isCompact, listRows } from "../layout.ts";
import { type Model, shownJobs } from "../model.ts";
import { badgeTexts } from "./badges.ts";
import { footer } from "./footer.ts";
import { cell, cutTo, type Paint } from "./paint.ts";

/** Widths that do not depend on what there is; the other columns share the rest. */
const fixedWidths: Partial<Record<Column, number>> = {
  agent: 12,
  queued: 12,
  elapsed: 8,
  status: 9,
  pf: 3,
  closed: 6,
  cost: 7,
  session_id: 12,
  requested_model: 14,
};
const flexible: readonly Column[] = ["ref", "branch", "repo"];
const leastFlexible = 8;
/** Left out one after the other where the screen is too narrow. */
const dispensable: readonly Column[] = [
  "session_id",
  "requested_model",
  "cost",
  "queued",
  "branch",
  "elapsed",
  "closed",
  "agent",
  "repo",
  "pf",
  "ref",
  "status",
];

export interface Slot {
  column: Column;
  width: number;
}

/** The columns that fit, in their order, with their widths. */
export function slotsFor(columns: number, hidden: ReadonlySet<Column>, idWidth: number): Slot[] {
  const wanted = new Set(columnNames.filter((name) => !hidden.has(name)));
  const least = (name: Column) => (fixedWidths[name] ?? leastFlexible) + 2;
  const needed = () => [...wanted].reduce((sum, name) => sum + least(name), idWidth + 2);
  for (const name of dispensable) {
    if (needed() <= columns) break;
    wanted.delete(name);
  }
  const shared = flexible.filter((name) => wanted.has(name)).length;
  const spare = Math.max(0, columns - needed());
  // What is left of an even split goes to the first of them, so that the list is as wide as the screen.
  let rest = shared === 0 ? 0 : spare % shared;
  return columnNames
    .filter((name) => wanted.has(name))
    .map((column) => {
      if (!flexible.includes(column)) return { column, width: fixedWidths[column] ?? leastFlexible };
      const extra = Math.floor(spare / shared) + (rest > 0 ? 1 : 0);
      rest = Math.max(0, rest - 1);
      return { column, width: leastFlexible + extra };
    });
}

export function queueLines(model: Model, paint: Paint): string[] {
  const jobs = shownJobs(model);
  const rows = listRows(model);
  const visible = jobs.slice(model.top, model.top + rows);
  const idWidth = Math.max(3, ...visible.map(({ id }) => String(id).length));
  const slots = slotsFor(model.size.columns - 2, model.hidden, idWidth);
  const now = new Date(model.nowMs);
  const list = visible.map((job) => {
    const isSelected = job.id === model.selected;
    const cells = slots.map(({ column, width }) =>
      paintCell(job, column, cell(cellText(job, column, now), width), isSelected ? plain : paint),
    );
    const line = [cell(String(job.id), idWidth, "right"), ...cells].join("  ");
    const full = cell(`${isSelected ? "> " : "  "}`, 2) + line;
    return isSelected ? paint("inverse", padded(full, model.size.columns)) : full;
  });
  if (list.length === 0) list.push(`  ${emptyText(model)}`);
  while (list.length < rows) list.push("");
  const title = titleLine(model, paint);
  if (isCompact(model)) return [title, ...list];
  const head = slots.map(({ column, width }) => cell(columnTitles[column], width));
  const names = `  ${[cell("ID", idWidth, "right"), ...head].join("  ")}`;
  return [title, statusLine(model, paint), paint("dim", names), ...list, footer(model, "queue", paint)];
}

const plain: Paint = (_, text) => text;

const padded = (line: string, width: number): string =>
  line + " ".repeat(Math.max(0, width - Bun.stringWidth(line)));

/** Name, filters and what is muted; never left out, only cut. */
function titleLine(model: Model, paint: Paint): string {
  const badges = badgeTexts(model).map((text) => paint("cyan", text));
  return [paint("bold", "roborev"), ...badges].join(" ");
}

function statusLine(model: Model, paint: Paint): string {
  const { daemon, link, problem, stats, flash, question } = model;
  if (question) return paint("yellow", cutTo(question.text, model.size.columns));
  if (flash) return paint(flash.isError ? "red" : "green", cutTo(flash.text, model.size.columns));
  if (link === "lost" || link === "connecting") {
    const what = link === "lost" ? `No daemon answers, trying again: ${problem ?? ""}` : "Connecting …";
    return paint(link === "lost" ? "red" : "dim", cell(what, model.size.columns).trimEnd());
  }
  const parts = [
    ...(daemon === undefined
      ? []
      : [
          `daemon ${daemon.version}${daemon.version === model.version ? "" : ` (this is ${model.version})`}`,
          `${daemon.active_workers}/${daemon.max_workers} workers`,
          ...(daemon.queued_jobs > 0 ? [`${daemon.queued_jobs} waiting`] : []),
        ]),
    ...(stats === undefined ? [] : [`${stats.done} done`, `${stats.closed} closed`, `${stats.open} open`]),
    ...(daemon?.queue_paused ? [paint("yellow", "PAUSED")] : []),
    ...(daemon?.draining ? [paint("yellow", "STOPPING")] : []),
    ...(daemon?.healthy === false ? [paint("red", "DEGRADED, see roborev status")] : []),
  ];
  return cutTo(parts.join(" · "), model.size.columns);
}

function emptyText(model: Model): string {
  if (model.isLoading || model.link === "connecting") return "Loading …";
  if (model.filters.length > 0) return "No jobs with these filters. Esc takes the last one away.";
  return "No jobs yet. Commit in a repository that was set up with roborev init.";
}

function cellText(job: Job, column: Column, now: Date): string {
  switch (column) {
    case "ref":
      return shortRef(job.git_ref) + (job.review_type ? ` [${job.review_type}]` : "");
    case "branch":
      return job.branch ?? "";
    case "repo":
      return job.repo_name ?? "";
    case "agent":
      return job.agent === "claude-code" ? "claude" : job.agent;
    case "queued":
      return localTime(job.enqueued_at);
    case "elapsed":
      return jobTime(job, now) || waitingTime(job, now);
    case "status":
      return statusText(job);
    case "pf":
      return job.verdict ?? "-";
    case "closed":
      return job.closed === undefined ? "" : job.closed ? "yes" : "no";
    case "cost":
      return job.token_usage?.cost_usd === undefined ? "" : `~$${job.token_usage.cost_usd.toFixed(2)}`;
    case "session_id":
      return job.session_id ?? "";
    case "requested_model":
      return job.requested_model ?? "";
  }
}

function waitingTime({ status, enqueued_at: since }: Job, now: Date): string {
  const waitedMs = now.getTime() - Date.parse(since);
  return status !== "queued" || Number.isNaN(waitedMs) ? "" : `(${elapsedText(waitedMs)})`;
}

function paintCell(job: Job, column: Column, text: string, paint: Paint): string {
  if (column === "pf" && job.verdict) return paint(job.verdict === "P" ? "green" : "red", text);
  if (column !== "status") return column === "closed" && job.closed ? paint("dim", text) : text;
  if (job.status === "running") return paint("cyan", text);
  if (job.status === "failed") return paint("red", text);
  return job.status === "done" ? text : paint("dim", text);
}
