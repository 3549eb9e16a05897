import type { Job } from "../../store/schema.ts";
import { pageRows } from "../layout.ts";
import type { KeyPress, Next } from "../message.ts";
import { type Model, selectedTask, shownTasks } from "../model.ts";
import { flash } from "./flash.ts";
import { ask, openLog } from "./job-keys.ts";
import { back, onTop, open } from "./screens.ts";
import { stepOf } from "./step.ts";

/** Fixes in the background: look at their patches, apply them, have them made anew. */
export function onTasksKey(model: Model, key: KeyPress): Next {
  const { name, text, ctrl } = key;
  if (name === "escape" || (!ctrl && (text === "q" || text === "T"))) return [back(model), []];
  if (text === "?") return [open(model, { kind: "help", scroll: 0 }), []];
  const step = stepOf(key, pageRows(model));
  if (step !== undefined) return [moved(model, step), []];
  const task = selectedTask(model);
  if (ctrl || (text === "" && name !== "enter")) return [model, []];
  return task === undefined ? [model, []] : onTask(model, task, name === "enter" ? "p" : text);
}

/** What a key does to a fix, wherever that is shown. */
export function onTask(model: Model, task: Job, key: string): Next {
  const { id: jobId, parent_job_id: parent } = task;
  const refuse = (why: string): Next => [flash(model, `Job ${jobId} ${why}`, true), []];
  switch (key) {
    case "A":
      if (task.status !== "done") return refuse(whyNotReady(task));
      return ask(model, `Apply the patch of job ${jobId} and commit it?`, jobId, "apply");
    case "R":
      if (task.status !== "done") return refuse(whyNotReady(task));
      return ask(model, `Have job ${jobId} made anew on the newest commit?`, jobId, "rebase");
    case "p":
      if (!hasPatch(task)) return refuse(whyNotReady(task));
      return [open(model, { kind: "patch", jobId, scroll: 0 }), [{ kind: "load-patch", jobId }]];
    case "P":
      if (parent === undefined) return refuse("belongs to no review");
      return [
        open(model, { kind: "review", jobId: parent, scroll: 0 }),
        [{ kind: "load-review", jobId: parent }],
      ];
    case "l":
    case "t":
      return openLog(model, task);
    case "x":
      if (task.status !== "queued" && task.status !== "running") return refuse("has ended already");
      return ask(model, `Cancel job ${jobId}?`, jobId, "cancel");
    default:
      return [model, []];
  }
}

/** Whether the agent's change is there to be looked at. */
const hasPatch = ({ status }: Job) => status === "done" || status === "applied" || status === "rebased";

function whyNotReady({ status, error }: Job): string {
  if (status === "queued" || status === "running") return "is not ready yet";
  if (status === "failed") return `failed: ${error ?? "its log (l) says why"}`;
  return status === "canceled" ? "was canceled" : `was ${status} already`;
}

function moved(model: Model, step: number): Model {
  const tasks = shownTasks(model);
  const at = tasks.findIndex(({ id }) => id === selectedTask(model)?.id);
  const next = tasks[Math.max(0, Math.min(at + step, tasks.length - 1))];
  return next === undefined ? model : onTop(model, { selected: next.id });
}

/** A fix that changed, in its place among the others. */
export function withTask(model: Model, id: number, job: Job | undefined): Model {
  if (model.tasks === undefined || (job !== undefined && job.job_type !== "fix")) return model;
  const others = model.tasks.filter((task) => task.id !== id);
  if (job === undefined) return { ...model, tasks: others };
  return { ...model, tasks: [...others, job].sort((a, b) => b.id - a.id) };
}
