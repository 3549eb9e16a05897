import { besideList, detailRows, isSplit } from "../layout.ts";
import type { KeyPress, Next } from "../message.ts";
import { type Detail, type Model, selectedJob } from "../model.ts";
import { clampScroll, pageLines } from "../view/page.ts";
import { scrolledTo } from "./scroll.ts";

/** Has the review of the selected job beside the list, where there is room and there is one. */
export function followSelection([model, effects]: Next): Next {
  const job = isSplit(model) ? selectedJob(model) : undefined;
  if (job?.closed === undefined) return [withoutDetail(model), effects];
  if (model.detail?.jobId === job.id) return [model, effects];
  const detail: Detail = { jobId: job.id, scroll: 0 };
  return [{ ...model, detail }, [...effects, { kind: "load-review", jobId: job.id }]];
}

function withoutDetail(model: Model): Model {
  if (model.detail === undefined) return model;
  const { detail: _, ...rest } = model;
  return { ...rest, hasDetailFocus: false };
}

/** Keys of the list's screen that concern the review beside it; undefined where it is none of these. */
export function onDetailKey(model: Model, key: KeyPress): Next | undefined {
  const { detail } = model;
  if (key.text === "L" && !key.ctrl)
    return [{ ...model, isSplit: !model.isSplit, hasDetailFocus: false }, []];
  if (detail === undefined) return undefined;
  if (key.name === "tab") return [{ ...model, hasDetailFocus: !model.hasDetailFocus }, []];
  if (!model.hasDetailFocus) return undefined;
  if (key.name === "escape") return [{ ...model, hasDetailFocus: false }, []];
  const lines = pageLines(besideList(model), { kind: "review", ...detail }).length;
  const rows = detailRows(model);
  const scroll = scrolledTo(key, clampScroll(detail.scroll, lines, rows), lines, rows);
  return scroll === undefined ? undefined : [{ ...model, detail: { ...detail, scroll } }, []];
}
