import type { TSchema } from "@sinclair/typebox";
import { defaults, hookDefaults } from "./defaults.ts";
import type { About } from "./fields.ts";
import type { ConfigValue } from "./masked.ts";
import type { Scope } from "./refused.ts";
import { isTable } from "./rule.ts";
import { GlobalConfigSchema, RepoConfigSchema } from "./schema.ts";

/** One setting: what `config` shows, checks and changes, and what help and README say about it. */
export interface ConfigKey {
  /** With its table: `agent_hook.turn_threshold`. */
  name: string;
  path: string[];
  /** Files that it may stand in, and what its value must be there. */
  rules: Partial<Record<Scope, TSchema>>;
  about: About;
  default: ConfigValue | undefined;
}

/** Every key: those of both files and the user's, then a repository's own, tables last. */
export const configKeys: readonly ConfigKey[] = collect();

const byName = new Map(configKeys.map((key) => [key.name, key]));

export const findKey = (name: string): ConfigKey | undefined => byName.get(name);

function collect(): ConfigKey[] {
  const keys = new Map<string, ConfigKey>();
  const tables: ConfigKey[] = [];
  const standard: Record<string, ConfigValue> = defaults;
  for (const [scope, schema] of [
    ["global", GlobalConfigSchema],
    ["repo", RepoConfigSchema],
  ] as const) {
    for (const [name, rule] of Object.entries<TSchema>(schema.properties)) {
      if (isTable(rule)) {
        tables.push(...membersOf(name, rule.properties, scope));
        continue;
      }
      const known = keys.get(name);
      if (known) known.rules[scope] = rule;
      else keys.set(name, keyOf([name], rule, scope, standard[name]));
    }
  }
  return [...keys.values(), ...tables];
}

function membersOf(table: string, properties: Record<string, TSchema>, scope: Scope): ConfigKey[] {
  const standard: Record<string, ConfigValue> = hookDefaults;
  return Object.entries(properties).map(([name, rule]) => keyOf([table, name], rule, scope, standard[name]));
}

function keyOf(path: string[], rule: TSchema, scope: Scope, value: ConfigValue | undefined): ConfigKey {
  const { description = "", unset, family, needsRestart } = rule as Partial<About>;
  return {
    name: path.join("."),
    path,
    rules: { [scope]: rule },
    about: {
      description,
      ...(unset === undefined ? {} : { unset }),
      ...(family === undefined ? {} : { family }),
      ...(needsRestart ? { needsRestart } : {}),
    },
    default: value,
  };
}
