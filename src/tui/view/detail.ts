import { besideList, detailRows } from "../layout.ts";
import { type Model, selectedJob } from "../model.ts";
import { clampScroll, type Page, pageLines, pageTitle, wrapped } from "./page.ts";
import { cutTo, type Paint } from "./paint.ts";

/** What stands beside the list: the review of the selected job, else why there is none. */
export function detailLines(model: Model, paint: Paint): string[] {
  const narrow = besideList(model);
  const { columns } = narrow.size;
  const job = selectedJob(model);
  if (job === undefined) return [];
  const page: Page = { kind: "review", ...(model.detail ?? { jobId: job.id, scroll: 0 }) };
  const [title, below] = pageTitle(narrow, page).map((text) => cutTo(text, columns)) as [string, string];
  const lines =
    model.detail === undefined
      ? ["", ...wrapped(job.error ?? "There is no review yet.", columns)]
      : pageLines(narrow, page);
  const rows = detailRows(model);
  const from = clampScroll(page.scroll, lines.length, rows);
  const style = model.hasDetailFocus ? "inverse" : "bold";
  return [paint(style, title), paint("dim", below), ...lines.slice(from, from + rows)].map(
    (line) => ` ${line}`,
  );
}
