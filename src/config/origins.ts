import { hookSection, hookSectionNames, resolveHookValues } from "./hook.ts";
import { hookSummary } from "./hooks-schema.ts";
import { configKeys } from "./keys.ts";
import { type ConfigValue, maskedValue } from "./masked.ts";
import type { GlobalConfig, RepoConfig } from "./schema.ts";

/** Who set a value. `file` of a repository is a path, or `main:.roborev.toml` for the copy of a branch. */
export interface ConfigOrigin {
  kind: "default" | "environment" | "global" | "repository";
  file?: string;
  variable?: string;
}

export interface ConfigRow {
  /** With its table: `agent_hook.turn_threshold`. */
  key: string;
  /** Secrets are masked. */
  value: ConfigValue;
  origin: ConfigOrigin;
}

export interface ConfigLayers {
  env: Record<string, string | undefined>;
  global: { file: string; config: GlobalConfig };
  /** Absent outside a repository. */
  repo?: { config: RepoConfig; fileOf(key: keyof RepoConfig): string };
}

/** The values of both files count, the user's first. */
const additiveKeys = ["exclude_patterns", "review_guidelines"];

/**
 * Every key that has a value, sorted, tables last, and what was passed over, one line each. A key has one row, or one
 * for each file where the files add up.
 */
export function configRows(layers: ConfigLayers): { rows: ConfigRow[]; diagnostics: string[] } {
  const { env, global } = layers;
  const rows = topLevelRows(layers);
  const diagnostics: string[] = [];
  for (const sectionName of hookSectionNames) {
    const section = hookSection(global.config, sectionName);
    const resolved = resolveHookValues({ flags: {}, env, section, sectionName });
    diagnostics.push(...resolved.diagnostics);
    for (const [key, setting] of Object.entries(resolved.values)) {
      const origin: ConfigOrigin =
        setting.from === "environment"
          ? { kind: "environment", variable: setting.variable }
          : setting.from === "section"
            ? { kind: "global", file: global.file }
            : { kind: "default" };
      rows.push({ key: `${sectionName}.${key}`, value: maskedValue(key, setting.value), origin });
    }
  }
  return { rows, diagnostics: [...new Set(diagnostics)] };
}

function topLevelRows({ global, repo }: ConfigLayers): ConfigRow[] {
  const byUser: Record<string, unknown> = { ...global.config, hooks: global.config.hooks?.map(hookSummary) };
  const byRepo: Record<string, unknown> = repo?.config ?? {};
  const keys = configKeys.filter(({ path, rules }) => path.length === 1 && (rules.global || repo));
  return keys.toSorted(byName).flatMap(({ name, default: standard }) => {
    const row = (value: unknown, origin: ConfigOrigin): ConfigRow[] =>
      value === undefined ? [] : [{ key: name, value: maskedValue(name, value as ConfigValue), origin }];
    const users = row(byUser[name], { kind: "global", file: global.file });
    const file = repo?.fileOf(name as keyof RepoConfig);
    const repos = row(byRepo[name], { kind: "repository", ...(file === undefined ? {} : { file }) });
    const superseded = name === "review_guidelines" && repo?.config.review_guidelines_supersede_global;
    if (additiveKeys.includes(name)) return [...(superseded ? [] : users), ...repos];
    return [repos, users, row(standard, { kind: "default" })].find(({ length }) => length > 0) ?? [];
  });
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
