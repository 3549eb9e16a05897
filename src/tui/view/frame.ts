import { safeMultiline } from "../../lib/text.ts";
import { columnTitles } from "../columns.ts";
import { pageRows } from "../layout.ts";
import { type Model, type Screen, screenOf } from "../model.ts";
import { filterLines } from "./filter.ts";
import { footer } from "./footer.ts";
import { clampScroll, isPage, type Page, pageLines, pageTitle } from "./page.ts";
import { cell, cutTo, type Paint, painter } from "./paint.ts";
import { queueLines } from "./queue.ts";
import { taskLines } from "./tasks.ts";

/** The lines of the whole screen, none wider than it, and as many as it has. */
export function frame(model: Model): string[] {
  const paint = painter(model.palette);
  const screen = screenOf(model);
  const lines = screen === undefined ? queueLines(model, paint) : screenLines(model, screen, paint);
  const { columns, rows } = model.size;
  return lines.slice(0, rows).map((line) => cutTo(line, columns));
}

function screenLines(model: Model, screen: Screen, paint: Paint): string[] {
  const rows = pageRows(model);
  const [title, below] = titleOf(model, screen, paint);
  const body = bodyOf(model, screen, paint).slice(0, rows);
  while (body.length < rows) body.push("");
  return [title, below, ...body, footer(model, screen.kind, paint)];
}

function titleOf(model: Model, screen: Screen, paint: Paint): [string, string] {
  const { flash, question } = model;
  const told = question
    ? paint("yellow", question.text)
    : flash && paint(flash.isError ? "red" : "green", flash.text);
  if (isPage(screen)) {
    const [title, below] = pageTitle(model, screen);
    return [paint("bold", title), told ?? paint("dim", below)];
  }
  return [paint("bold", titles[screen.kind](screen)), told ?? ""];
}

const titles: Record<Exclude<Screen["kind"], Page["kind"]>, (screen: Screen) => string> = {
  filter: () => "Show only",
  comment: (screen) => `Comment on #${"jobId" in screen ? screen.jobId : ""}`,
  fix: (screen) => `Fix #${"jobId" in screen ? screen.jobId : ""} in the background`,
  tasks: () => "Fixes",
  columns: () => "Columns",
};

function bodyOf(model: Model, screen: Screen, paint: Paint): string[] {
  if (isPage(screen)) {
    const lines = pageLines(model, screen);
    const wanted = screen.kind === "log" && screen.follows ? lines.length : screen.scroll;
    const from = clampScroll(wanted, lines.length, pageRows(model));
    return lines.slice(from, from + pageRows(model));
  }
  if (screen.kind === "filter") return filterLines(model, screen, paint);
  if (screen.kind === "columns") return columnLines(model, screen.cursor, paint);
  if (screen.kind === "tasks") return taskLines(model, paint);
  if (screen.kind === "fix")
    return [
      "What the agent should heed besides, or nothing:",
      ...typedLines(screen.text, model.size.columns, pageRows(model) - 1),
    ];
  return typedLines(screen.text, model.size.columns, pageRows(model));
}

function columnLines(model: Model, cursor: number, paint: Paint): string[] {
  return model.order.map((name, index) => {
    const box = model.hidden.has(name) ? "[ ]" : "[x]";
    const text = `  ${cell(`${box} ${columnTitles[name]}`, model.size.columns - 2)}`;
    return index === cursor ? paint("inverse", text) : text;
  });
}

/** The end of what was typed, where the cursor is. */
function typedLines(text: string, width: number, rows: number): string[] {
  return Bun.wrapAnsi(`${safeMultiline(text)}▏`, Math.max(1, width), { hard: true, trim: false })
    .split("\n")
    .slice(-rows);
}
