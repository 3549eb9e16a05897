import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { parse, TomlError } from "smol-toml";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../lib/text.ts";
import { canonicalAgent } from "./agent-name.ts";
import { type Normalize, normalizeValue } from "./fields.ts";
import { locateKey } from "./position.ts";
import { reasonWithoutEffect, type Scope } from "./refused.ts";
import { type GlobalConfig, GlobalConfigSchema, type RepoConfig, RepoConfigSchema } from "./schema.ts";

export interface ParsedConfig<T> {
  config: T;
  /** One line each, with file and position: keys without effect. They never stop anything. */
  warnings: string[];
}

/** Larger files are refused: a configuration is read on paths that must stay quick. */
export const maxConfigBytes = 1024 * 1024;

/** Parses the user's own configuration; `where` names the file in messages. Throws E_CONFIG with the position. */
export function parseGlobalConfig(text: string, where: string): ParsedConfig<GlobalConfig> {
  const source = read(text, where);
  return {
    config: take(source, GlobalConfigSchema, "global", []) as GlobalConfig,
    warnings: source.warnings,
  };
}

/**
 * Parses a repository's `.roborev.toml`. Which copy is read (default branch or checkout) is the caller's business.
 * Keys that could run, reach or reveal something are left out with a warning. Throws E_CONFIG with the position.
 */
export function parseRepoConfig(text: string, where: string): ParsedConfig<RepoConfig> {
  const source = read(text, where);
  const review = source.table.post_commit_review;
  if (typeof review === "string" && !["", "commit", "branch"].includes(review.trim().toLowerCase())) {
    warn(source, ["post_commit_review"], `is neither "commit" nor "branch": "commit" is used`);
    delete source.table.post_commit_review;
  }
  refuseTestReviewer(source);
  return { config: take(source, RepoConfigSchema, "repo", []) as RepoConfig, warnings: source.warnings };
}

/** A hostile file can have any number of odd keys, and the position of each costs a parse. */
const maxWarnings = 20;

interface Source {
  text: string;
  where: string;
  table: Record<string, unknown>;
  warnings: string[];
}

function read(text: string, where: string): Source {
  if (Buffer.byteLength(text) > maxConfigBytes) throw invalid(where, "larger than 1 MiB");
  try {
    return { text, where, table: parse(text), warnings: [] };
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw invalid(where, errorMessage(cause), cause);
    // The message repeats the lines around the error, which may hold a secret: only its first line is told.
    const reason = (cause.message.split("\n")[0] ?? "").replace(/^Invalid TOML document:\s*/, "");
    throw invalid(`${where}:${cause.line}:${cause.column}`, `not valid TOML: ${reason}`, cause);
  }
}

function take(source: Source, schema: TObject, scope: Scope, path: string[]): Record<string, unknown> {
  const taken: Record<string, unknown> = {};
  const table = path.reduce<Record<string, unknown>>(
    (node, part) => node[part] as Record<string, unknown>,
    source.table,
  );
  for (const [key, given] of Object.entries(table)) {
    const here = [...path, key];
    const rule = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (rule === undefined) {
      if (source.warnings.length >= maxWarnings) continue;
      const reason = path.length === 0 ? reasonWithoutEffect(key, scope) : "is not a known key";
      if (reason !== undefined) warn(source, here, reason);
    } else if (isTable(rule) && typeof given === "object" && given !== null && !Array.isArray(given)) {
      taken[key] = take(source, rule, scope, here);
    } else {
      const value = normalizeValue(given, rule.normalize as Normalize | undefined);
      if (value === undefined) continue;
      if (!accepts(rule, value)) throw wrongValue(source, here, rule, given);
      taken[key] = value;
    }
  }
  return taken;
}

const isTable = (rule: TSchema): rule is TObject => rule.type === "object";

function accepts(rule: TSchema, value: unknown): boolean {
  // `Type.Unsafe` carries plain JSON schema, which Value.Check does not know; all of ours are enumerations.
  if (Array.isArray(rule.enum)) return rule.enum.includes(value);
  return Value.Check(Type.Required(Type.Object({ value: rule })), { value });
}

function refuseTestReviewer(source: Source): void {
  for (const [key, value] of Object.entries(source.table)) {
    if (!/(^|_)agent(_|$)/.test(key) || typeof value !== "string" || canonicalAgent(value) !== "test")
      continue;
    warn(source, [key], "cannot select the built-in `test` reviewer, which reads nothing, for a repository");
    delete source.table[key];
  }
}

function warn(source: Source, path: string[], reason: string): void {
  source.warnings.push(`${place(source, path)}: \`${label(path)}\` ${reason}`);
  if (source.warnings.length === maxWarnings)
    source.warnings.push(`${source.where}: further keys without effect are not listed`);
}

function wrongValue(source: Source, path: string[], rule: TSchema, given: unknown): RoborevError {
  const shown =
    typeof given === "object" ? "another kind of value" : truncateUtf8(JSON.stringify(given) ?? "", 60);
  const got = /key$/.test(path.at(-1) ?? "") ? "" : `, got ${singleLine(shown)}`;
  return invalid(place(source, path), `\`${label(path)}\` must be ${expected(rule)}${got}`);
}

function expected(rule: TSchema): string {
  if (Array.isArray(rule.enum)) return `one of ${rule.enum.join(", ")}`;
  if (rule.type === "integer") {
    const bounded = rule.minimum !== undefined && rule.maximum !== undefined;
    return bounded ? `a whole number from ${rule.minimum} to ${rule.maximum}` : "a whole number";
  }
  if (rule.type === "boolean") return "true or false";
  if (rule.type === "array") return "a list of non-empty strings";
  if (rule.type === "object") return "a table";
  return rule.normalize === undefined ? "a string" : "a plain one-line string";
}

const label = (path: string[]) => singleLine(truncateUtf8(path.join("."), 128));

function place(source: Source, path: string[]): string {
  const position = locateKey(source.text, path);
  return position ? `${source.where}:${position.line}:${position.column}` : source.where;
}

function invalid(place: string, problem: string, cause?: unknown): RoborevError {
  return new RoborevError(`${place}: ${problem}`, {
    code: "E_CONFIG",
    hint: "Correct the file and try again.",
    ...(cause === undefined ? {} : { cause }),
  });
}
