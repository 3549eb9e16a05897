import { isColumn, orderOf } from "../columns.ts";
import type { Effect, Message, Next } from "../message.ts";
import type { Filter, Model, Place, Size } from "../model.ts";
import type { Palette } from "../view/paint.ts";
import { followSelection } from "./detail.ts";
import { flash, withoutOldFlash } from "./flash.ts";
import { onKey } from "./keys.ts";
import { reload, selectedIndex, settle, withJob } from "./list.ts";
import { onMouse } from "./mouse.ts";
import { onPaste } from "./paste.ts";
import { changeScreen } from "./screens.ts";
import { withTask } from "./task-keys.ts";

const mostSearched = 100;

export interface Beginning {
  size: Size;
  palette: Palette;
  nowMs: number;
  version: string;
  place?: Place;
  filters: Filter[];
  locked: Filter["kind"][];
  /** Names of columns as the configuration has them. */
  hidden: readonly string[];
  order: readonly string[];
  staysOpen: boolean;
}

/** The first model, and what it needs to be filled. */
export function begin(beginning: Beginning): Next {
  const { filters, locked, hidden, order, ...rest } = beginning;
  const model: Model = {
    ...rest,
    link: "connecting",
    jobs: [],
    hasMore: false,
    isLoading: false,
    generation: 0,
    filters,
    locked: new Set(locked),
    top: 0,
    isFocused: false,
    hidden: new Set(hidden.filter(isColumn)),
    order: orderOf(order),
    screens: [],
    isSplit: true,
    hasDetailFocus: false,
  };
  const [next, effects] = reload(model);
  return [next, [...effects, { kind: "load-status" }, { kind: "load-tasks" }]];
}

/** The model after a message, and what is to be asked of the world. Pure. */
export const update = (model: Model, message: Message): Next => followSelection(next(model, message));

function next(model: Model, message: Message): Next {
  switch (message.kind) {
    case "key":
      return onKey(model, message.key);
    case "paste":
      return [onPaste(model, message.text), []];
    case "mouse":
      return onMouse(model, message.mouse, message.isDouble);
    case "resize":
      return settle({ ...model, size: message.size }, selectedIndex(model));
    case "tick":
      return [withoutOldFlash({ ...model, nowMs: message.nowMs }), []];
    case "link":
      return onLink(model, message);
    case "event":
      return [model, eventEffects(model, message.jobId)];
    case "stale":
      return refresh(model);
    case "status":
      return [{ ...model, daemon: message.status }, []];
    case "jobs":
      return onJobs(model, message);
    case "job":
      return withJob(withTask(model, message.id, message.job), message.id, message.job);
    case "tasks":
      return [{ ...model, tasks: message.tasks }, []];
    case "repos": {
      // The search looks at their names as well.
      const wanted = message.repos.slice(0, mostSearched);
      const effects = wanted.map(({ path }): Effect => ({ kind: "load-branches", repo: path }));
      return [changeScreen(model, message), effects];
    }
    case "done": {
      const told = flash(model, message.text, false);
      return [
        told,
        message.jobId === undefined ? [{ kind: "load-status" }] : eventEffects(model, message.jobId),
      ];
    }
    case "failed":
      return [flash(model, message.text, true), []];
    default:
      return [changeScreen(model, message), []];
  }
}

function onLink(model: Model, { link, problem }: Extract<Message, { kind: "link" }>): Next {
  const { problem: _, ...rest } = model;
  const next = { ...rest, link, ...(problem === undefined ? {} : { problem }) };
  // Whatever happened while nothing was heard.
  return model.link === "lost" && link !== "lost" ? refresh(next) : [next, []];
}

function refresh(model: Model): Next {
  const [next, effects] = reload(model, { keepsLength: true });
  const open = reviewsShown(next).map((jobId): Effect => ({ kind: "load-review", jobId }));
  return [next, [...effects, { kind: "load-status" }, { kind: "load-tasks" }, ...open]];
}

/** Jobs of which the screen shows the review. */
function reviewsShown({ detail, screens }: Model): number[] {
  const screen = screens.at(-1);
  const shown = [screen?.kind === "review" ? screen.jobId : undefined, detail?.jobId];
  return [...new Set(shown.filter((id) => id !== undefined))];
}

function eventEffects(model: Model, jobId: number): Effect[] {
  const isShown = reviewsShown(model).includes(jobId);
  return [
    { kind: "load-job", id: jobId },
    { kind: "load-status" },
    ...(isShown ? ([{ kind: "load-review", jobId }] as const) : []),
  ];
}

function onJobs(model: Model, { generation, isMore, page }: Extract<Message, { kind: "jobs" }>): Next {
  if (generation !== model.generation) return [model, []];
  const before = selectedIndex(model);
  const known = new Set(isMore ? model.jobs.map(({ id }) => id) : []);
  const jobs = isMore ? [...model.jobs, ...page.jobs.filter(({ id }) => !known.has(id))] : page.jobs;
  return settle({ ...model, jobs, hasMore: page.has_more, stats: page.stats, isLoading: false }, before);
}
