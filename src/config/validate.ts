import type { TSchema } from "@sinclair/typebox";
import { splitCommand } from "../lib/shell-words.ts";
import { singleLine, truncateUtf8 } from "../lib/text.ts";
import { canonicalAgent } from "./agent-name.ts";
import { hookSection, hookSectionNames, resolveHookValues } from "./hook.ts";
import { type ConfigKey, configKeys } from "./keys.ts";
import { type CheckedConfig, checkConfig, place } from "./parse.ts";
import type { Scope } from "./refused.ts";

/** What only this machine and this version know. */
export interface Surroundings {
  reviewers: readonly string[];
  /** Whether there is such a program on PATH. */
  hasProgram(word: string): boolean;
}

/**
 * Everything that is wrong with a file: what loading it would tell, reviewers that do not exist, and commands that
 * cannot be run.
 */
export function validateConfig(
  source: { text: string; where: string },
  scope: Scope,
  surroundings: Surroundings,
): CheckedConfig {
  const checked = checkConfig(source.text, source.where, scope);
  const further: string[] = [];
  for (const key of configKeys) {
    const rule = key.rules[scope];
    const value = rule && key.path.length === 1 ? checked.config[key.name] : undefined;
    if (typeof value !== "string" || value === "") continue;
    const problem = problemWith(key, rule as TSchema, value, surroundings);
    if (problem !== undefined) further.push(`${place(source, key.path)}: \`${key.name}\` ${problem}`);
  }
  if (scope === "global") {
    for (const sectionName of hookSectionNames) {
      const section = hookSection(checked.config, sectionName);
      const { diagnostics } = resolveHookValues({ flags: {}, env: {}, section, sectionName });
      further.push(...diagnostics.map((line) => `${source.where}: ${line}`));
    }
  }
  return { ...checked, problems: inOrder([...checked.problems, ...further], source.where) };
}

/** As they stand in the file; what has no place comes last. */
function inOrder(lines: string[], where: string): string[] {
  const numbered = lines.map((line) => {
    const place = /^:(\d+):(\d+):/.exec(line.startsWith(where) ? line.slice(where.length) : "");
    return { line, at: place ? Number(place[1]) * 10_000 + Number(place[2]) : Number.POSITIVE_INFINITY };
  });
  return numbered.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ line }) => line);
}

function problemWith(
  key: ConfigKey,
  rule: TSchema,
  value: string,
  { reviewers, hasProgram }: Surroundings,
): string | undefined {
  if (rule.isAgent && !reviewers.includes(canonicalAgent(value)))
    return `names no reviewer: "${singleLine(value)}" is none of ${reviewers.join(", ")}`;
  if (!key.name.endsWith("_cmd")) return undefined;
  const split = splitCommand(value);
  const program = "words" in split ? split.words[0] : undefined;
  if (program === undefined) return "is not one plain command: shell operators are not understood";
  return hasProgram(program)
    ? undefined
    : `names a program that is not here: ${singleLine(truncateUtf8(program, 120))}`;
}
