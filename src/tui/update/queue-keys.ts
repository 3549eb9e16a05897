import { listRows } from "../layout.ts";
import type { KeyPress, Next } from "../message.ts";
import { type Filter, filterOf, type Model, selectedJob, shownJobs } from "../model.ts";
import { onDetailKey } from "./detail.ts";
import { flash } from "./flash.ts";
import { onJobKey } from "./job-keys.ts";
import { moveBy, reloadFiltered, selectAt } from "./list.ts";
import { open } from "./screens.ts";
import { stepOf } from "./step.ts";

export function onQueueKey(model: Model, key: KeyPress): Next {
  return (
    onDetailKey(model, key) ??
    onMove(model, key) ??
    onCommand(model, key) ??
    onJobKey(model, selectedJob(model), key) ?? [model, []]
  );
}

function onMove(model: Model, key: KeyPress): Next | undefined {
  const step = stepOf(key, listRows(model));
  return step === undefined ? undefined : moveBy(model, step);
}

function onCommand(model: Model, { name, text, ctrl }: KeyPress): Next | undefined {
  if (ctrl) return undefined;
  if (name === "enter") return openReview(model);
  if (name === "escape") return withoutLastFilter(model);
  switch (text) {
    case "q":
      return model.staysOpen ? [model, []] : [model, [{ kind: "quit" }]];
    case "?":
      return [open(model, { kind: "help", scroll: 0 }), []];
    case "f":
      return openFilter(model, "repo");
    case "b":
      return openFilter(model, "branch");
    case "h":
      return toggleClosed(model);
    case "o":
      return [open(model, { kind: "columns", cursor: 0, isChanged: false }), []];
    case "T":
      return [open(model, { kind: "tasks" }), [{ kind: "load-tasks" }]];
    case "D":
      return selectAt(
        { ...model, isFocused: !model.isFocused },
        shownJobs(model).findIndex(({ id }) => id === model.selected),
      );
    case "P":
      return model.daemon === undefined
        ? [flash(model, "The daemon does not answer", true), []]
        : [model, [{ kind: "pause", paused: !model.daemon.queue_paused }]];
    default:
      return undefined;
  }
}

function openReview(model: Model): Next {
  const job = selectedJob(model);
  if (job === undefined) return [model, []];
  const { id: jobId } = job;
  if (job.closed === undefined) {
    const hint =
      job.status === "failed" ? (job.error ?? "it failed") : "there is no review yet; l shows its log";
    return [flash(model, `Job ${jobId}: ${hint}`, job.status === "failed"), []];
  }
  return [open(model, { kind: "review", jobId, scroll: 0 }), [{ kind: "load-review", jobId }]];
}

function openFilter(model: Model, kind: "repo" | "branch"): Next {
  if (model.locked.has(kind)) return [flash(model, `The command line decides the ${kind}`, true), []];
  const repo =
    filterOf(model, "repo")?.path ?? (kind === "branch" ? selectedJob(model)?.repo_path : undefined);
  // Branches are those of one repository: the one that is shown, else that of the selected job.
  const only = kind === "branch" || model.locked.has("repo") ? repo : undefined;
  const screen = { kind: "filter", query: "", cursor: 0, ...(only === undefined ? {} : { only }) } as const;
  return [open(model, screen), [{ kind: "load-repos" }]];
}

function toggleClosed(model: Model): Next {
  const others = model.filters.filter(({ kind }) => kind !== "closed");
  const isOn = others.length < model.filters.length;
  return reloadFiltered({ ...model, filters: isOn ? others : [...others, { kind: "closed" }] });
}

function withoutLastFilter(model: Model): Next {
  const last = model.filters.findLast(({ kind }) => !model.locked.has(kind));
  if (last === undefined) return [model, []];
  return reloadFiltered({ ...model, filters: model.filters.filter((filter: Filter) => filter !== last) });
}
