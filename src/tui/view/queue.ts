import { columnTitles } from "../columns.ts";
import { detailWidth, isCompact, isSplit, listRows } from "../layout.ts";
import { type Model, shownJobs } from "../model.ts";
import { badgeTexts } from "./badges.ts";
import { cellText, longestCell, paintCell } from "./cells.ts";
import { detailLines } from "./detail.ts";
import { footer } from "./footer.ts";
import { cell, cutTo, type Paint } from "./paint.ts";
import { slotsFor } from "./slots.ts";
import { tasksText } from "./tasks.ts";

/** The list with what stands above, below and beside it. */
export function queueLines(model: Model, paint: Paint): string[] {
  const split = isSplit(model);
  const width = split ? model.size.columns - detailWidth(model) - 1 : model.size.columns;
  const list = listLines(model, width, paint);
  const title = titleLine(model, paint);
  if (isCompact(model)) return [title, ...list.slice(1)];
  const below = split ? beside(list, width, detailLines(model, paint), paint) : list;
  return [title, statusLine(model, paint), ...below, footer(model, "queue", paint)];
}

function beside(list: string[], width: number, detail: string[], paint: Paint): string[] {
  return list.map((line, row) => `${padded(line, width)}${paint("dim", "│")}${detail[row] ?? ""}`);
}

/** The names of the columns and the jobs below them. */
function listLines(model: Model, width: number, paint: Paint): string[] {
  const jobs = shownJobs(model);
  const rows = listRows(model);
  const visible = jobs.slice(model.top, model.top + rows);
  const idWidth = Math.max(3, ...visible.map(({ id }) => String(id).length));
  const wanted = model.order.filter((name) => !model.hidden.has(name));
  const slots = slotsFor(width - 2 - idWidth, wanted, (name) => longestCell(model.jobs, name));
  const now = new Date(model.nowMs);
  const list = visible.map((job) => {
    const isSelected = job.id === model.selected;
    const cells = slots.map(({ column, width }) =>
      paintCell(job, column, cell(cellText(job, column, now), width), isSelected ? plain : paint),
    );
    const line = [cell(String(job.id), idWidth, "right"), ...cells].join("  ");
    const full = cell(`${isSelected ? "> " : "  "}`, 2) + line;
    return isSelected ? paint("inverse", padded(full, width)) : full;
  });
  if (list.length === 0) list.push(`  ${emptyText(model)}`);
  while (list.length < rows) list.push("");
  const head = slots.map(({ column, width }) => cell(columnTitles[column], width));
  const names = `  ${[cell("ID", idWidth, "right"), ...head].join("  ")}`;
  return [paint("dim", names), ...list];
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
  const fixes = tasksText(model);
  const parts = [
    ...(daemon === undefined
      ? []
      : [
          `daemon ${daemon.version}${daemon.version === model.version ? "" : ` (this is ${model.version})`}`,
          `${daemon.active_workers}/${daemon.max_workers} workers`,
          ...(daemon.queued_jobs > 0 ? [`${daemon.queued_jobs} waiting`] : []),
        ]),
    ...(stats === undefined ? [] : [`${stats.done} done`, `${stats.closed} closed`, `${stats.open} open`]),
    ...(fixes === undefined ? [] : [paint("green", fixes)]),
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
