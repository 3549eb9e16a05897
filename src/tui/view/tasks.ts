import { jobTime } from "../../lib/job-text.ts";
import { localTime } from "../../lib/local-time.ts";
import type { Job } from "../../store/schema.ts";
import { taskState } from "../columns.ts";
import { pageRows } from "../layout.ts";
import { type Model, selectedTask, shownTasks } from "../model.ts";
import { cell, type Paint } from "./paint.ts";

const widths = [8, 5, 6, 12, 8] as const;
const titles = ["Status", "Job", "Review", "Queued", "Elapsed"];

/** Fixes in the background, as many as fit around the selected one. */
export function taskLines(model: Model, paint: Paint): string[] {
  const tasks = shownTasks(model);
  if (tasks.length === 0) return ["", model.tasks === undefined ? "  Loading …" : `  ${nothing}`];
  const rows = pageRows(model) - 1;
  const selected = selectedTask(model)?.id;
  const at = tasks.findIndex(({ id }) => id === selected);
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), tasks.length - rows));
  const now = new Date(model.nowMs);
  const rest = Math.max(8, model.size.columns - 2 - widths.reduce((sum, width) => sum + width + 2, 0));
  const row = (cells: readonly string[], about: string) =>
    [...cells.map((text, index) => cell(text, widths[index] ?? 0)), cell(about, rest)].join("  ");
  const lines = tasks.slice(first, first + rows).map((task) => {
    const isSelected = task.id === selected;
    const line = `${isSelected ? "> " : "  "}${row(cellsOf(task, now), aboutOf(task))}`;
    return isSelected ? paint("inverse", line) : task.status === "done" ? paint("green", line) : line;
  });
  return [paint("dim", `  ${row(titles, "Of")}`), ...lines];
}

const nothing = "No fixes yet. F on a review that failed has an agent make one in the background.";

const cellsOf = (task: Job, now: Date): string[] => [
  taskState(task),
  String(task.id),
  task.parent_job_id === undefined ? "" : String(task.parent_job_id),
  localTime(task.enqueued_at),
  jobTime(task, now),
];

const aboutOf = ({ repo_name, branch, commit_subject, error }: Job): string =>
  [repo_name ?? "", branch ?? "", error ?? commit_subject ?? ""].filter((part) => part !== "").join(" · ");

/** What the fixes are at, for the line above the list of jobs. */
export function tasksText(model: Pick<Model, "tasks" | "filters">): string | undefined {
  const tasks = shownTasks(model);
  const at = (...states: Job["status"][]) => tasks.filter(({ status }) => states.includes(status)).length;
  const [ready, going] = [at("done"), at("queued", "running")];
  const fixes = (count: number) => `${count} ${count === 1 ? "fix" : "fixes"}`;
  if (ready > 0) return `${fixes(ready)} ready: T`;
  return going > 0 ? `${fixes(going)} under way` : undefined;
}
