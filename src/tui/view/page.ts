import type { ReviewResponse } from "../../daemon/api/responses.ts";
import { evidenceLines } from "../../lib/evidence-text.ts";
import { shortRef } from "../../lib/job-text.ts";
import { localTime } from "../../lib/local-time.ts";
import { reviewerText, usageText, withoutDataBlock } from "../../lib/review-text.ts";
import { safeMultiline, singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import { statusText, taskState } from "../columns.ts";
import { textWidth } from "../layout.ts";
import type { Model, Screen } from "../model.ts";
import { helpLines } from "./help.ts";
import { type Palette, painter, wrapLine } from "./paint.ts";

/** Screens that are read from top to bottom. */
export type Page = Extract<Screen, { kind: "review" | "prompt" | "log" | "commit" | "patch" | "help" }>;

export const isPage = (screen: Screen | undefined): screen is Page =>
  screen !== undefined && ["review", "prompt", "log", "commit", "patch", "help"].includes(screen.kind);

/** All lines of a page, however many fit. */
export function pageLines(model: Model, page: Page): string[] {
  const width = textWidth(model);
  switch (page.kind) {
    case "review":
      if (page.review) return reviewLines(page.review, width, model.palette);
      return [page.problem ?? "Loading …"].flatMap((text) => wrapped(text, width));
    case "prompt":
      return page.job === undefined
        ? wrapped(page.problem ?? "Loading …", width)
        : promptLines(page.job, model.size.columns);
    case "log":
      return laidOut(page.text, model, `log ${page.problem}`, (text) =>
        logLines(text, page.problem, model.size.columns),
      );
    case "commit":
      return wrapped(page.text ?? "Loading …", width);
    case "patch":
      return laidOut(page.text ?? page.problem ?? "Loading …", model, "patch", (text) =>
        patchLines(text, model),
      );
    case "help":
      return helpLines;
  }
}

let last = { text: "", how: "", lines: [] as string[] };

/** Every key asks for all lines, twice, and a patch may have hundreds of thousands: they are made once. */
function laidOut(text: string, model: Model, kind: string, lay: (text: string) => string[]): string[] {
  const { size, palette } = model;
  const how = `${kind} ${size.columns} ${palette.colour} ${palette.isLight}`;
  if (last.how !== how || last.text !== text) last = { text, how, lines: lay(text) };
  return last.lines;
}

/** Where the page begins: never so far down that it would show less than it could. */
export function clampScroll(scroll: number, lines: number, rows: number): number {
  return Math.max(0, Math.min(scroll, lines - rows));
}

/** The lines of a text of strangers. */
export const wrapped = (text: string, width: number): string[] =>
  safeMultiline(text)
    .split("\n")
    .flatMap((line) => wrapLine(line, width));

/** Rendered anew only when the review or the screen is another one: every key asks for it. */
const rendered = new WeakMap<ReviewResponse, { key: string; lines: string[] }>();

function reviewLines(review: ReviewResponse, width: number, palette: Palette): string[] {
  const key = `${width} ${palette.colour} ${palette.isLight}`;
  const before = rendered.get(review);
  if (before?.key === key) return before.lines;
  const { job, comments } = review;
  const lines = [
    ...(job.token_usage ? [usageText(job.token_usage)] : []),
    ...(job.superseded_by ? [`The commit was rewritten as ${shortRef(singleLine(job.superseded_by))}`] : []),
    ...evidenceLines(job.evidence).flatMap((line) => wrapped(line, width)),
    "",
    ...markdown(withoutDataBlock(review.output), width, palette),
    ...(review.findings ?? []).flatMap(({ number, disposition }) => {
      if (disposition === undefined) return [];
      const { state, by, at, message } = disposition;
      const said = message === undefined ? [] : wrapped(message.trimEnd(), width);
      return ["", `── finding ${number} ${state}: ${singleLine(by)}, ${singleLine(localTime(at))}`, ...said];
    }),
    ...comments.flatMap(({ created_at, responder, response }) => [
      "",
      `── ${singleLine(responder)}, ${singleLine(localTime(created_at))}`,
      ...wrapped(response.trimEnd(), width),
    ]),
  ];
  rendered.set(review, { key, lines });
  return lines;
}

/** Text of strangers: cleaned before, because what the renderer adds are the only escapes that may reach the terminal. */
function markdown(text: string, columns: number, { colour, isLight }: Palette): string[] {
  const theme = { columns, colors: colour, light: isLight, hyperlinks: false, kittyGraphics: false };
  return Bun.markdown.ansi(safeMultiline(text), theme).trimEnd().split("\n");
}

function promptLines(job: Job, width: number): string[] {
  const command = job.command_line === undefined ? [] : [`$ ${job.command_line}`, ""];
  return [...command, job.prompt ?? "This job has no prompt yet."].flatMap((text) => wrapped(text, width));
}

function logLines(text: string, problem: string | undefined, width: number): string[] {
  const lines = text.split("\n").flatMap((line) => wrapLine(line, width));
  if (lines.at(-1) === "") lines.pop();
  return problem === undefined ? lines : [...lines, problem];
}

/** Lines of a patch are not wrapped at words: a change is read as it stands. */
function patchLines(text: string, { size, palette }: Model): string[] {
  const paint = painter(palette);
  return safeMultiline(text)
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const style = line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : undefined;
      const parts = Bun.wrapAnsi(line, Math.max(1, size.columns), {
        hard: true,
        wordWrap: false,
        trim: false,
      });
      return parts.split("\n").map((part) => (style === undefined ? part : paint(style, part)));
    });
}

/** The two lines above a page: what it is about. */
export function pageTitle(model: Model, page: Page): [string, string] {
  if (page.kind === "help") return ["Keys", ""];
  const job = jobOf(model, page);
  const name = `#${page.jobId} ${singleLine(job?.repo_name ?? "")}`;
  const agent =
    job === undefined ? "" : ` (${reviewerText(job.agent)}${job.model ? `: ${singleLine(job.model)}` : ""})`;
  if (page.kind === "prompt") return [`Prompt of ${name}`, placeOf(job)];
  if (page.kind === "patch") return [`Patch of ${name}${agent}`, job === undefined ? "" : taskState(job)];
  if (page.kind === "commit") return [`Commit of ${name}`, placeOf(job)];
  if (page.kind === "log") return [`Log of ${name}${agent}`, job === undefined ? "" : statusText(job)];
  return [`${name}${agent}${stateOf(job)}`, placeOf(job)];
}

function jobOf(model: Model, page: Exclude<Page, { kind: "help" }>): Job | undefined {
  if (page.kind === "review" && page.review) return page.review.job;
  return (
    [...model.jobs, ...(model.tasks ?? [])].find(({ id }) => id === page.jobId) ??
    (page.kind === "prompt" ? page.job : undefined)
  );
}

function stateOf(job: Job | undefined): string {
  if (job === undefined) return "";
  const verdict = job.verdict === undefined ? "" : job.verdict === "P" ? " · pass" : " · fail";
  return `${verdict || ` · ${statusText(job)}`}${job.closed ? " [CLOSED]" : ""}`;
}

const placeOf = (job: Job | undefined): string =>
  job === undefined
    ? ""
    : [job.repo_path ?? "", shortRef(job.git_ref), job.branch ?? "", job.commit_subject ?? ""]
        .map(singleLine)
        .filter((part) => part !== "")
        .join("  ");
