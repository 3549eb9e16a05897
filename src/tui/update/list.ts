import type { JobQuery } from "../../client/daemon.ts";
import type { Job } from "../../store/schema.ts";
import { listRows } from "../layout.ts";
import type { Next } from "../message.ts";
import { filterOf, type Model, shownJobs } from "../model.ts";

const pageSize = 200;
/** So many jobs before the end of what is loaded, more is asked for. */
const margin = 20;

function queryOf(model: Model): JobQuery {
  const repo = filterOf(model, "repo");
  const branch = filterOf(model, "branch");
  return {
    ...(repo ? { repo: repo.path } : {}),
    ...(branch ? { branch: branch.name } : {}),
    ...(filterOf(model, "closed") ? { closed: false } : {}),
    exclude_job_type: "fix",
    limit: pageSize,
  };
}

/** Asks for the list anew, as long as it was. */
export function reload(model: Model, { keepsLength = false } = {}): Next {
  const generation = model.generation + 1;
  const limit = keepsLength ? Math.min(10_000, Math.max(pageSize, model.jobs.length)) : pageSize;
  return [
    { ...model, generation, isLoading: true },
    [{ kind: "load-jobs", query: { ...queryOf(model), limit }, generation, isMore: false }],
  ];
}

/** Another filter, another list: what is shown of the old one goes at once. */
export function reloadFiltered(model: Model): Next {
  const { selected: _, stats: __, ...rest } = model;
  return reload({ ...rest, jobs: [], hasMore: false, top: 0 });
}

/** Selects the job at this place, moves the window to it, and asks for more where the end is near. */
export function selectAt(model: Model, index: number): Next {
  const jobs = shownJobs(model);
  if (jobs.length === 0) {
    const { selected: _, ...rest } = model;
    return more({ ...rest, top: 0 }, 0);
  }
  const at = Math.max(0, Math.min(index, jobs.length - 1));
  const rows = listRows(model);
  const lastTop = Math.max(0, jobs.length - rows);
  const top = Math.max(at - rows + 1, Math.min(model.top, at, lastTop));
  return more({ ...model, selected: (jobs[at] as Job).id, top: Math.max(0, top) }, at);
}

function more(model: Model, at: number): Next {
  const last = model.jobs.at(-1);
  if (!model.hasMore || model.isLoading || last === undefined) return [model, []];
  if (at < shownJobs(model).length - margin) return [model, []];
  const { generation } = model;
  const query = { ...queryOf(model), before: last.id };
  return [{ ...model, isLoading: true }, [{ kind: "load-jobs", query, generation, isMore: true }]];
}

export const selectedIndex = (model: Model): number =>
  shownJobs(model).findIndex(({ id }) => id === model.selected);

export function moveBy(model: Model, delta: number): Next {
  return selectAt(model, Math.max(0, selectedIndex(model)) + delta);
}

/** Keeps the selection on its job, or near where it was once that has gone. */
export function settle(model: Model, before: number): Next {
  const index = selectedIndex(model);
  return selectAt(model, index >= 0 ? index : Math.max(0, before));
}

/** Puts a job that changed into the list, or takes it out. */
export function withJob(model: Model, id: number, job: Job | undefined): Next {
  const before = selectedIndex(model);
  const known = model.jobs.some((one) => one.id === id);
  const belongs = job !== undefined && isWanted(model, job);
  if (!known && !belongs) return [model, []];
  // Older than all that is loaded: it comes with the next page.
  const isBelow = model.hasMore && id < (model.jobs.at(-1)?.id ?? 0);
  if (!known && isBelow) return [model, []];
  const others = model.jobs.filter((one) => one.id !== id);
  const jobs = belongs ? [...others, job as Job].sort((a, b) => b.id - a.id) : others;
  return settle({ ...model, jobs }, before);
}

function isWanted(model: Model, job: Job): boolean {
  const repo = filterOf(model, "repo");
  const branch = filterOf(model, "branch");
  return (
    job.job_type !== "fix" &&
    (repo === undefined || job.repo_path === repo.path) &&
    (branch === undefined || (job.branch ?? "") === branch.name) &&
    (filterOf(model, "closed") === undefined || job.closed !== true)
  );
}
