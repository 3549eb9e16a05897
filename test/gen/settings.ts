import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type KeyDoc, keyDocs } from "../../src/config/docs.ts";

// Part of `bun run gen`: writes the table of settings in README.md.

export const readmePath = join(import.meta.dir, "..", "..", "README.md");

const places: Record<KeyDoc["where"], string> = {
  both: "both",
  global: "yours",
  repo: "repository",
  hook: "`[agent_hook]`",
};

/** The table, one row for each setting or kind of settings, as the formatter of Markdown wants it. */
export function settingsTable(): string {
  const rows = keyDocs().map((doc) => [
    `\`${doc.label}\``,
    places[doc.where],
    standardOf(doc),
    meaningOf(doc),
  ]);
  const table = [["Key", "Where", "Default", "Meaning"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`);
  lines.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  return lines.join("\n");
}

const standardOf = ({ fallback }: KeyDoc): string =>
  "value" in fallback ? `\`${fallback.value}\`` : fallback.words;

function meaningOf({ description, expected, needsRestart }: KeyDoc): string {
  const choices = /^one of (.+)$/.exec(expected)?.[1]?.split(", ");
  if (choices) return `${description}: ${choices.map((word) => `\`${word}\``).join(", ")}`;
  return needsRestart ? `${description}, from the next start of the daemon on` : description;
}

/** README with its table of settings, which begins with these columns, replaced. */
export function withSettings(readme: string): string {
  const table = /^\| Key +\| Where +\| Default +\| Meaning +\|\n(?:\|.*\n)+/m;
  if (!table.test(readme)) throw new Error("README.md has no table of settings");
  return readme.replace(table, () => `${settingsTable()}\n`);
}

if (import.meta.main) writeFileSync(readmePath, withSettings(readFileSync(readmePath, "utf8")));
