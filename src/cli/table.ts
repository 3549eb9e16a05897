import { singleLine } from "../lib/text.ts";

/**
 * Columns padded with spaces, two between them. Cells are cleaned of control characters and line breaks; `paint`
 * colours a finished cell by its column.
 */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  paint: (text: string, column: number, row: number) => string = (text) => text,
): string[] {
  const clean = [header, ...rows].map((row) => row.map(singleLine));
  const widths = header.map((_, column) =>
    Math.max(...clean.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  return clean.map((row, index) =>
    header
      .map((_, column) => {
        const cell = row[column] ?? "";
        const last = column === header.length - 1;
        const padding = last ? "" : " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell) + 2);
        return `${index === 0 ? cell : paint(cell, column, index - 1)}${padding}`;
      })
      .join("")
      .trimEnd(),
  );
}
