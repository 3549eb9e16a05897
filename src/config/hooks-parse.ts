import { Value } from "@sinclair/typebox/value";
import { quotedLine } from "../lib/text.ts";
import { hookEvents, type ReviewHook, ReviewHookSchema } from "./hooks-schema.ts";
import { locateKey, locateTable } from "./position.ts";

/** Something about the hook of this index; undefined: about the list as a whole. */
export interface HookProblem {
  index: number | undefined;
  text: string;
}

export interface ParsedHooks {
  /** Those that can be run. */
  hooks: ReviewHook[];
  problems: HookProblem[];
  /** What has no effect and hinders nothing. `isNote`: it is right, but means nothing to this version. */
  ignored: (HookProblem & { isNote: boolean })[];
}

const maxHooks = 100;
const maxCommandChars = 16 * 1024;
/** Kinds that the Go program knows. */
const foreignTypes: readonly unknown[] = ["beads", "kata"];

/** Reads the value of `hooks` as TOML has it. What cannot be run is left out and told. */
export function parseHooks(value: unknown): ParsedHooks {
  const parsed: ParsedHooks = { hooks: [], problems: [], ignored: [] };
  if (value === undefined) return parsed;
  if (!Array.isArray(value) || !value.every(isTable)) {
    parsed.problems.push({ index: undefined, text: "must be tables, each below a line [[hooks]]" });
  } else if (value.length > maxHooks) {
    parsed.problems.push({ index: undefined, text: `must be at most ${maxHooks} tables` });
  } else for (const [index, table] of value.entries()) addHook(parsed, table, index);
  return parsed;
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

function addHook({ hooks, problems, ignored }: ParsedHooks, table: Record<string, unknown>, index: number) {
  if (foreignTypes.includes(table.type)) {
    const text = `type "${table.type}" is not supported, the hook is left out: use a command`;
    ignored.push({ index, text, isNote: true });
    return;
  }
  const known = Object.keys(ReviewHookSchema.properties);
  for (const key of Object.keys(table).filter((key) => !known.includes(key)))
    ignored.push({ index, text: `${quotedLine(key)} is not a known key`, isNote: false });
  const text = problemOf(table);
  if (text === undefined) hooks.push(Value.Clean(ReviewHookSchema, { ...table }) as ReviewHook);
  else problems.push({ index, text });
}

/** What is wrong with a table; values are not repeated, they may hold secrets. */
function problemOf(table: Record<string, unknown>): string | undefined {
  const { event, command, type, url, timeout, branches } = table;
  if (!(hookEvents as readonly unknown[]).includes(event))
    return `\`event\` must be one of ${hookEvents.join(", ")}`;
  if (type !== undefined && type !== "webhook") return '`type` must be "webhook", or left out for a command';
  const isWebhook = type === "webhook" && isWebAddress(url) && command === undefined;
  if (!isWebhook && (type !== undefined || url !== undefined))
    return 'a webhook has type = "webhook", a `url` with http:// or https://, and no `command`';
  if (!isWebhook && !isCommand(command)) return "`command` must be a text of at most 16 KiB";
  const { properties } = ReviewHookSchema;
  if (timeout !== undefined && !Value.Check(properties.timeout, timeout))
    return "`timeout` must be a whole number of seconds from 1 to 3600";
  if (branches !== undefined && !Value.Check(properties.branches, branches))
    return "`branches` must be a list of names or globs";
  return undefined;
}

const isCommand = (value: unknown): boolean =>
  typeof value === "string" &&
  value.trim() !== "" &&
  value.length <= maxCommandChars &&
  !value.includes("\0");

const isWebAddress = (value: unknown): boolean =>
  typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "");

/** The problem on one line, with file, position and number of the hook; `where` names the file that `source` is. */
export function hookProblemLine({ index, text }: HookProblem, source: string, where: string): string {
  const position = locateTable(source, "hooks", index ?? 0) ?? locateKey(source, ["hooks"]);
  const place = position ? `${where}:${position.line}:${position.column}` : where;
  return `${place}: ${index === undefined ? "`hooks`" : `hook ${index + 1}:`} ${text}`;
}

/** Of everything below `hooks`, whether this version knows it or not. */
export function hooksDigest(value: unknown): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part));
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
