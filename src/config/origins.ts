import { defaults } from "./defaults.ts";
import { hookSection, hookSectionNames, resolveHookValues } from "./hook.ts";
import { type ConfigValue, maskedValue } from "./masked.ts";
import { type GlobalConfig, GlobalConfigSchema, type RepoConfig } from "./schema.ts";

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
  const { agent_hook: _, droid_hook: __, ...own } = global.config;
  const byUser: Record<string, ConfigValue | undefined> = own;
  const byRepo: Record<string, ConfigValue | undefined> = repo?.config ?? {};
  const standard: Record<string, ConfigValue | undefined> = repo ? defaults : ofUser(defaults);
  const keys = new Set([byUser, byRepo, standard].flatMap(Object.keys));
  return [...keys].sort().flatMap((key) => {
    const row = (value: ConfigValue | undefined, origin: ConfigOrigin): ConfigRow[] =>
      value === undefined ? [] : [{ key, value: maskedValue(key, value), origin }];
    const users = row(byUser[key], { kind: "global", file: global.file });
    const file = repo?.fileOf(key as keyof RepoConfig);
    const repos = row(byRepo[key], { kind: "repository", ...(file === undefined ? {} : { file }) });
    const superseded = key === "review_guidelines" && repo?.config.review_guidelines_supersede_global;
    if (additiveKeys.includes(key)) return [...(superseded ? [] : users), ...repos];
    return [repos, users, row(standard[key], { kind: "default" })].find(({ length }) => length > 0) ?? [];
  });
}

/** What a user's file may hold. */
const ofUser = (values: Record<string, ConfigValue>) =>
  Object.fromEntries(
    Object.entries(values).filter(([key]) => Object.hasOwn(GlobalConfigSchema.properties, key)),
  );
