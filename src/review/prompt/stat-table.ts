import { plural, singleLine } from "../../lib/text.ts";
import { byteLength } from "./bytes.ts";
import type { PromptDiff } from "./input.ts";
import type { UnshownFile } from "./unshown.ts";

const maxNamed = 20;

/** `3 files changed, 10 lines added, 2 removed` and what is left out, without any name. */
export function statSummary(diff: PromptDiff): string {
  const { added, removed } = totals(diff.files);
  const excluded =
    diff.excludedFiles.length === 0
      ? ""
      : ` ${plural(diff.excludedFiles.length, "more changed file")} left out by configuration.`;
  return `${plural(diff.files.length, "file")} changed, ${plural(added, "line")} added, ${removed} removed.${excluded}`;
}

/** Quoted names of the files that the configuration leaves out; "" when there are none. */
export const excludedList = (diff: PromptDiff): string => list(diff.excludedFiles.map(shownPath));

/** Quoted names of the files that the diff does not show, each with the reason. */
export const unshownList = (files: UnshownFile[]): string =>
  list(files.map(({ path, kind }) => `${shownPath(path)} (${kind})`));

function list(names: string[]): string {
  const rest = names.length - maxNamed;
  return [
    ...names.slice(0, maxNamed).map((name) => `| ${name}`),
    ...(rest > 0 ? [`| and ${plural(rest, "more file")}`] : []),
  ].join("\n");
}

/** Every file of the diff with its counts, quoted; files that do not fit are summed up in the last line. */
export function statTable(files: PromptDiff["files"], maxBytes: number): string {
  const rows = files.map(({ path, added, removed, binary }) => {
    return `| ${shownPath(path)}  ${binary ? "binary" : `+${added} -${removed}`}`;
  });
  let shown = 0;
  let left = maxBytes - 80; // the closing line
  for (const row of rows) {
    left -= byteLength(row) + 1;
    if (left < 0) break;
    shown++;
  }
  if (shown === rows.length) return rows.join("\n");
  const rest = totals(files.slice(shown));
  const more = `| and ${plural(rows.length - shown, "more file")}  +${rest.added} -${rest.removed}`;
  return [...rows.slice(0, shown), more].join("\n");
}

const shownPath = (path: string) => singleLine(path).slice(0, 512);

function totals(files: PromptDiff["files"]) {
  return files.reduce(
    (sum, file) => ({ added: sum.added + file.added, removed: sum.removed + file.removed }),
    { added: 0, removed: 0 },
  );
}
