import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Harness } from "../../../src/harness/harness.ts";
import { findHarness, harnesses } from "../../../src/harness/registry.ts";
import { outOfReach, releases } from "../install/releases.ts";
import { type Facts, type PromiseKey, promises } from "./facts.ts";

/** The page that a run writes: what was measured, and nothing that differs from run to run. */
export const matrixFile: string = join(import.meta.dir, "../matrix.md");

type Cells = readonly string[];

/** Rows of the page, in two tables. */
export interface Rows {
  delivery: Cells[];
  promises: Cells[];
}

const promiseKeys = Object.keys(promises) as PromiseKey[];
const asReviewer: PromiseKey[] = ["review", "readOnly", "fix"];
const heads = {
  delivery: ["Program", "Version", "Event", "Channel", "Delivered"],
  promises: ["Program", "Version", ...Object.values(promises)],
};

const code = (text: string) => `\`${text}\``;

/** What is expected of a program. */
export interface Owed {
  /** A reminder right after a tool. */
  afterTool: boolean;
  reviews: boolean;
  /** That our texts are enough. */
  texts: boolean;
}

/** The rows of a program that ran. */
export function measuredRows(harness: Harness, version: string, facts: Facts, owed: Owed): Rows {
  const name = [harness.displayName, version];
  const delivered = (place: string | undefined, otherwise: string) =>
    place === undefined ? otherwise : `once, in ${code(place)}`;
  const context = channelOf(harness, "PostToolUse");
  const block = channelOf(harness, "Stop");
  const { afterTool, turnEnd, held } = facts;
  const instead = owed.afterTool ? "**no**" : "no: this version drops it, so the turn's end delivers";
  const answers = promiseKeys.map((key) => {
    if (!owed.texts && key === "texts") return "–";
    if (!owed.reviews && asReviewer.includes(key)) return "–";
    return held[key] === undefined ? "**not seen**" : held[key] ? "yes" : "**no**";
  });
  return {
    delivery: [
      [...name, context.event, context.answer, delivered(afterTool.place, instead)],
      [...name, block.event, block.answer, delivered(turnEnd.place, "**no**")],
    ],
    promises: [[...name, ...answers]],
  };
}

/** The rows of a program that could not be run. */
export function missingRows(harness: Harness, version: string, reason: string): Rows {
  const text = reason.replaceAll(/\s+/g, " ").replaceAll("|", "/");
  const name = [harness.displayName, version];
  return {
    delivery: [[...name, "–", "–", text]],
    promises: [[...name, ...promiseKeys.map(() => "–")]],
  };
}

/** The harness's own name of an event, and the member of our answer that carries the text. */
function channelOf(harness: Harness, event: "PostToolUse" | "Stop"): { event: string; answer: string } {
  const mark = "TEXT";
  const kind = event === "Stop" ? "block" : "context";
  const answer = JSON.parse(harness.encode({ event, nativeEvent: event }, { kind, text: mark })) as object;
  const pathTo = (value: object): string[] =>
    Object.entries(value).flatMap(([key, one]) =>
      one === mark ? [key] : typeof one === "object" ? pathTo(one).map((rest) => `${key}.${rest}`) : [],
    );
  const decision = "decision" in answer ? `decision: ${answer.decision}, ` : "";
  // Gemini CLI has names of its own: what runs after a tool, and what runs after the agent.
  const own = harness.registrations.map((one) => one.event);
  const position = event === "Stop" ? /^(?:stop|AfterAgent)$/i : /^(?:PostToolUse|AfterTool)$/i;
  return {
    event: own.find((one) => position.test(one)) ?? event,
    answer: code(`${decision}${pathTo(answer).join(", ")}`),
  };
}

/** Which program and version a row is about. */
const subject = (cells: Cells) => cells.slice(0, 2).join(" ");

/** The page with these rows in place of those of the same programs; other rows stay as an earlier run left them. */
export function updatedPage(page: string, fresh: Rows[]): string {
  const old = tablesOf(page);
  const table = (which: keyof Rows) => {
    const added = fresh.flatMap((rows) => rows[which]);
    const replaced = new Set(added.map(subject));
    const kept = rowsOf(old, heads[which]).filter((cells) => !replaced.has(subject(cells)));
    const known = [...kept, ...added].filter((cells) => order.includes(subject(cells)));
    return tableText(
      heads[which],
      known.sort((a, b) => order.indexOf(subject(a)) - order.indexOf(subject(b))),
    );
  };
  return `${introduction}\n${table("delivery")}\n\n${between}\n${table("promises")}\n`;
}

/** Rows of the page's table that has most of these columns; what an earlier run did not look at was not seen. */
function rowsOf(tables: [Cells, Cells[]][], head: Cells): Cells[] {
  const [columns, rows] = tables.find(([columns]) => columns[2] === head[2]) ?? [head, []];
  const place = head.map((name) => columns.indexOf(name));
  return rows.map((cells) => place.map((at) => (at < 0 ? "**not seen**" : (cells[at] ?? ""))));
}

/** Every table of the page: its head and what stands below that. */
function tablesOf(page: string): [Cells, Cells[]][] {
  const blocks = page.split("\n\n").map((block) => block.split("\n").filter((line) => line.startsWith("|")));
  return blocks.map((lines) => {
    const [head = [], , ...rows] = lines.map((line) => line.split("|").slice(1, -1)).map(trimmed);
    return [head, rows];
  });
}

const trimmed = (cells: string[]) => cells.map((cell) => cell.trim());

/** In columns, as the formatter of this repository wants them. */
function tableText(head: Cells, rows: Cells[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: Cells) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** Of all rows that there may be, in their order. */
const order: string[] = harnesses.flatMap(({ name, displayName }) => [
  ...releases.filter((one) => one.name === name).map(({ version }) => `${displayName} ${version}`),
  ...(name in outOfReach ? [`${displayName} –`] : []),
]);

const introduction = `# What the genuine programs do with our hooks

Written by \`bun run test:harness\`, from the requests that each program sent to a scripted model. One row for each way by
which a reminder may come: the event, the member of our answer that carries it, and where it then stood in the request
(role of the message, kind of its part).
`;
const between = `Texts: a model that takes reminder and skill at their word, running the commands as they stand there, has every review closed
with its comment, and is let go. The same sessions: nothing is told of a closed review or in a snoozed working tree; with the daemon stopped, exit status,
output and number of requests are the same and no more than 2 s are lost; uninstalled, every file in the home but the skills is
as it was before. Reviews: the program as reviewer of a commit, whose finding is a failed review and whose pass is a passed
one; told to write a file and to commit, it does neither. Fixes: \`roborev fix\` with the program as its agent, which commits at
once or when it is asked to in the same session, and in the background, where its patch is applied afterwards.
`;

/** Brings the page up to date; true if that changed it. */
export function writeMatrix(fresh: Rows[]): boolean {
  const old = existsSync(matrixFile) ? readFileSync(matrixFile, "utf8") : "";
  const page = updatedPage(old, fresh);
  if (page === old) return false;
  writeFileSync(matrixFile, page);
  return true;
}

/** Rows for the harnesses that no test can start. */
export const unreachableRows = (name: string, reason: string): Rows => {
  const harness = findHarness(name);
  if (harness === undefined) throw new Error(`${name} is no harness`);
  const note = harness.optIn === undefined ? "" : `; empty unless \`${harness.optIn} = true\``;
  return missingRows(harness, "–", `cannot be installed here: ${reason}${note}`);
};
