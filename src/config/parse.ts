import type { TObject, TSchema } from "@sinclair/typebox";
import { parse, TomlError } from "smol-toml";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../lib/text.ts";
import { canonicalAgent } from "./agent-name.ts";
import { type Normalize, normalizeValue } from "./fields.ts";
import { hookProblemLine, hooksDigest, parseHooks } from "./hooks-parse.ts";
import type { ReviewHook } from "./hooks-schema.ts";
import { locateKey } from "./position.ts";
import { type Ignored, reasonWithoutEffect, type Scope } from "./refused.ts";
import { accepts, expected, isTable } from "./rule.ts";
import { type GlobalConfig, GlobalConfigSchema, type RepoConfig, RepoConfigSchema } from "./schema.ts";

export interface ParsedConfig<T> {
  config: T;
  /** One line each, with file and position: keys without effect. They never stop anything. */
  warnings: string[];
}

/** A file with everything that is wrong with it, one line each, with file and position. */
export interface CheckedConfig {
  /** What of it can be used. */
  config: Record<string, unknown>;
  problems: string[];
  /** Keys that are right, but mean nothing to this version. */
  notes: string[];
}

/** Larger files are refused: a configuration is read on paths that must stay quick. */
export const maxConfigBytes = 1024 * 1024;

/** Parses the user's own configuration; `where` names the file in messages. Throws E_CONFIG with the position. */
export function parseGlobalConfig(text: string, where: string): ParsedConfig<GlobalConfig> {
  const source = read(text, where, "global");
  return { config: takeAll(source) as GlobalConfig, warnings: source.remarks.map(({ line }) => line) };
}

/**
 * Parses a repository's `.roborev.toml`. Which copy is read (default branch or checkout) is the caller's business.
 * Keys that could run, reach or reveal something are left out with a warning. Throws E_CONFIG with the position.
 */
export function parseRepoConfig(text: string, where: string): ParsedConfig<RepoConfig> {
  const source = read(text, where, "repo");
  return { config: takeAll(source) as RepoConfig, warnings: source.remarks.map(({ line }) => line) };
}

/** The same without throwing: a wrong value is one of the problems, and left out. */
export function checkConfig(text: string, where: string, scope: Scope): CheckedConfig {
  const wrong: string[] = [];
  try {
    const source = read(text, where, scope);
    source.onWrong = (error) => {
      if (wrong.length < maxRemarks) wrong.push(error().message);
      else if (wrong.length === maxRemarks) wrong.push(`${where}: further wrong values are not listed`);
    };
    if (scope === "repo") checkRepoHooks(source);
    const config = takeAll(source);
    const lines = (isNote: boolean) =>
      source.remarks.filter((remark) => remark.isNote === isNote).map(({ line }) => line);
    return { config, problems: [...wrong, ...lines(false)], notes: lines(true) };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return { config: {}, problems: [error.message], notes: [] };
  }
}

export interface RepoHooks {
  /** Those that can be run. */
  hooks: ReviewHook[];
  /** Of all that the file says about hooks. */
  digest: string;
  /** One line each: what is left out or has no effect. */
  problems: string[];
}

/** The hooks of a repository's `.roborev.toml`; undefined where it has none. Throws E_CONFIG with the position. */
export function parseRepoHooks(text: string, where: string): RepoHooks | undefined {
  const { hooks: value } = read(text, where, "repo").table;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  const { hooks, problems, ignored } = parseHooks(value);
  const lines = [...problems, ...ignored]
    .slice(0, maxRemarks)
    .map((line) => hookProblemLine(line, text, where));
  return { hooks, digest: hooksDigest(value), problems: lines };
}

/** A hostile file can have any number of odd keys, and the position of each costs a parse. */
const maxRemarks = 20;

interface Source {
  text: string;
  where: string;
  scope: Scope;
  table: Record<string, unknown>;
  remarks: { line: string; isNote: boolean }[];
  onWrong(error: () => RoborevError): void;
}

function read(text: string, where: string, scope: Scope): Source {
  if (Buffer.byteLength(text) > maxConfigBytes) throw invalid(`${where}: larger than 1 MiB`);
  try {
    const source: Source = {
      text,
      where,
      scope,
      table: parse(text),
      remarks: [],
      onWrong(error) {
        throw error();
      },
    };
    return source;
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw invalid(`${where}: ${errorMessage(cause)}`, cause);
    // The message repeats the lines around the error, which may hold a secret: only its first line is told.
    const reason = (cause.message.split("\n")[0] ?? "").replace(/^Invalid TOML document:\s*/, "");
    throw invalid(`${where}:${cause.line}:${cause.column}: not valid TOML: ${reason}`, cause);
  }
}

function takeAll(source: Source): Record<string, unknown> {
  refuseTestReviewer(source);
  const hooks = source.scope === "global" ? takeHooks(source) : undefined;
  delete source.table.hooks;
  if (source.scope === "global")
    return { ...take(source, GlobalConfigSchema, []), ...(hooks === undefined ? {} : { hooks }) };
  const review = source.table.post_commit_review;
  if (typeof review === "string" && !["", "commit", "branch"].includes(review.trim().toLowerCase())) {
    remark(source, ["post_commit_review"], `is neither "commit" nor "branch": "commit" is used`);
    delete source.table.post_commit_review;
  }
  return take(source, RepoConfigSchema, []);
}

/** What can be run of the hooks, if there are any. */
function takeHooks(source: Source): ReviewHook[] | undefined {
  if (source.table.hooks === undefined) return undefined;
  const { hooks, problems, ignored } = parseHooks(source.table.hooks);
  for (const problem of problems)
    source.onWrong(() => invalid(hookProblemLine(problem, source.text, source.where)));
  for (const { isNote, ...line } of ignored)
    addRemark(source, () => hookProblemLine(line, source.text, source.where), isNote);
  return hooks;
}

/** They are no part of its configuration, and hinder nothing. */
function checkRepoHooks(source: Source): void {
  const ignored = reasonWithoutEffect("hooks", "repo");
  if (takeHooks(source)?.length && ignored) remark(source, ["hooks"], ignored.reason, ignored.isNote);
}

function take(source: Source, schema: TObject, path: string[]): Record<string, unknown> {
  const taken: Record<string, unknown> = {};
  const table = path.reduce<Record<string, unknown>>(
    (node, part) => node[part] as Record<string, unknown>,
    source.table,
  );
  for (const [key, given] of Object.entries(table)) {
    const here = [...path, key];
    const rule = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (rule === undefined) {
      if (source.remarks.length >= maxRemarks) continue;
      const ignored: Ignored | undefined =
        path.length === 0
          ? reasonWithoutEffect(key, source.scope, given)
          : { reason: "is not a known key", isNote: false };
      if (ignored === undefined) continue;
      const { reason, advice, isNote } = ignored;
      remark(source, here, advice === undefined ? reason : `${reason}. ${advice}`, isNote);
    } else if (isTable(rule) && typeof given === "object" && given !== null && !Array.isArray(given)) {
      taken[key] = take(source, rule, here);
    } else {
      const value = normalizeValue(given, rule.normalize as Normalize | undefined);
      if (value === undefined) continue;
      if (accepts(rule, value)) taken[key] = value;
      else source.onWrong(() => wrongValue(source, here, rule, given));
    }
  }
  return taken;
}

/** The built-in reviewer finds nothing: a repository cannot choose it, and no failed review falls back to it. */
function refuseTestReviewer(source: Source): void {
  for (const [key, value] of Object.entries(source.table)) {
    const isBackup = /(^|_)backup_agent$/.test(key);
    if (!isBackup && (source.scope === "global" || !/(^|_)agent(_|$)/.test(key))) continue;
    if (typeof value !== "string" || canonicalAgent(value) !== "test") continue;
    remark(source, [key], testReviewerRefusal(isBackup));
    delete source.table[key];
  }
}

export const testReviewerRefusal = (isBackup: boolean): string =>
  `cannot select the built-in \`test\` reviewer, which reads nothing, ${isBackup ? "as a backup" : "for a repository"}`;

function remark(source: Source, path: string[], reason: string, isNote = false): void {
  addRemark(source, () => `${place(source, path)}: \`${label(path)}\` ${reason}`, isNote);
}

function addRemark(source: Source, line: () => string, isNote: boolean): void {
  if (source.remarks.length >= maxRemarks) return;
  source.remarks.push({ line: line(), isNote });
  if (source.remarks.length === maxRemarks)
    source.remarks.push({ line: `${source.where}: further keys without effect are not listed`, isNote });
}

function wrongValue(source: Source, path: string[], rule: TSchema, given: unknown): RoborevError {
  const shown =
    typeof given === "object" ? "another kind of value" : truncateUtf8(JSON.stringify(given) ?? "", 60);
  const got = /key$/.test(path.at(-1) ?? "") ? "" : `, got ${singleLine(shown)}`;
  return invalid(`${place(source, path)}: \`${label(path)}\` must be ${expected(rule)}${got}`);
}

const label = (path: string[]) => singleLine(truncateUtf8(path.join("."), 128));

/** File, line and column of a key, as far as they can be told. */
export function place({ text, where }: { text: string; where: string }, path: string[]): string {
  const position = locateKey(text, path);
  return position ? `${where}:${position.line}:${position.column}` : where;
}

/** `problem` begins with its place. */
function invalid(problem: string, cause?: unknown): RoborevError {
  return new RoborevError(problem, {
    code: "E_CONFIG",
    hint: "Correct the file and try again.",
    ...(cause === undefined ? {} : { cause }),
  });
}
