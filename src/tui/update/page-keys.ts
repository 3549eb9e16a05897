import { pageRows } from "../layout.ts";
import type { Effect, KeyPress, Next } from "../message.ts";
import { type Model, selectedJob } from "../model.ts";
import { clampScroll, type Page, pageLines } from "../view/page.ts";
import { onJobKey } from "./job-keys.ts";
import { moveBy } from "./list.ts";
import { back, onTop, open } from "./screens.ts";
import { scrolledTo } from "./scroll.ts";
import { onTask } from "./task-keys.ts";

export function onPageKey(model: Model, page: Page, key: KeyPress): Next {
  const { name, text, ctrl } = key;
  if (name === "escape" || (text === "q" && !ctrl)) return [back(model), leaving(page)];
  const scrolled = scrollTo(model, page, key);
  if (scrolled !== undefined)
    return [onTop(model, { scroll: scrolled, ...unfollowed(page, scrolled, model) }), []];
  if (page.kind === "help") return [model, []];
  if (text === "?") return [open(model, { kind: "help", scroll: 0 }), []];
  if (page.kind === "patch" || isTask(model, page.jobId)) return onPageOfTask(model, page, key);
  if (name === "left") return other(model, page, 1);
  if (name === "right") return other(model, page, -1);
  if (page.kind === "log" && text === "g") return toggleFollow(model, page);
  if (page.kind === pageOpenedBy(text)) return [back(model), leaving(page)];
  const job = model.jobs.find(({ id }) => id === page.jobId) ?? selectedJob(model);
  return onJobKey(model, job, key) ?? [model, []];
}

/** The key that opens such a page also leaves it. */
const pageOpenedBy = (text: string): Page["kind"] | undefined =>
  (({ p: "prompt", l: "log", t: "log", m: "commit" }) as const)[text];

const leaving = (page: Page): Effect[] => (page.kind === "log" ? [{ kind: "leave-log" }] : []);

function scrollTo(model: Model, page: Page, key: KeyPress): number | undefined {
  // In a log this key is another one's.
  if (page.kind === "log" && key.text === "g") return undefined;
  const rows = pageRows(model);
  const lines = pageLines(model, page).length;
  const from = page.kind === "log" && page.follows ? lines : page.scroll;
  return scrolledTo(key, clampScroll(from, lines, rows), lines, rows);
}

/** Whoever scrolls up wants to read; at the end of a log it goes on by itself. */
function unfollowed(page: Page, scroll: number, model: Model): { follows?: boolean } {
  if (page.kind !== "log") return {};
  const lines = pageLines(model, page).length;
  return { follows: scroll >= clampScroll(lines, lines, pageRows(model)) };
}

function toggleFollow(model: Model, page: Extract<Page, { kind: "log" }>): Next {
  return [onTop(model, page.follows ? { follows: false, scroll: 0 } : { follows: true }), []];
}

const isTask = (model: Model, jobId: number) => model.tasks?.some(({ id }) => id === jobId) === true;

/** The patch or the log of a fix: keys of the queue's jobs are none here. */
function onPageOfTask(model: Model, page: Exclude<Page, { kind: "help" }>, { text, ctrl }: KeyPress): Next {
  const { jobId } = page;
  const task = model.tasks?.find(({ id }) => id === jobId);
  if (ctrl || task === undefined) return [model, []];
  if (page.kind === "log")
    return text === "g" ? toggleFollow(model, page) : text === "x" ? onTask(model, task, "x") : [model, []];
  if (text === "s") return [model, [{ kind: "save-patch", jobId }]];
  return text === "A" || text === "R" ? onTask(model, task, text) : [model, []];
}

/** The same kind of page of the job above or below. */
function other(model: Model, page: Exclude<Page, { kind: "help" }>, step: 1 | -1): Next {
  const [moved, effects] = moveBy(model, step);
  const job = selectedJob(moved);
  if (job === undefined || job.id === page.jobId) return [moved, effects];
  const jobId = job.id;
  const closed = back(moved);
  const before = [...effects, ...leaving(page)];
  if (page.kind === "log") {
    const screen = { kind: "log", jobId, scroll: 0, follows: true, text: "" } as const;
    return [open(closed, screen), [...before, { kind: "follow-log", jobId, agent: job.agent }]];
  }
  if (page.kind === "commit")
    return [open(closed, { kind: "commit", jobId, scroll: 0 }), [...before, { kind: "load-commit", job }]];
  const load = page.kind === "review" ? "load-review" : "load-prompt";
  return [open(closed, { kind: page.kind, jobId, scroll: 0 }), [...before, { kind: load, jobId }]];
}
