import type { TSchema } from "@sinclair/typebox";
import { parse, TomlError } from "smol-toml";
import { UsageError } from "../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../lib/text.ts";
import { type Normalize, normalizeValue } from "./fields.ts";
import type { ConfigKey } from "./keys.ts";
import { type ConfigValue, isMasked } from "./masked.ts";
import type { Scope } from "./refused.ts";
import { accepts, expected } from "./rule.ts";

/**
 * A value as it is typed: true or false, a whole number, a list with commas or as TOML writes it, else a text.
 * Undefined for a blank one, which stands for a key that is not set. Throws a usage error for anything that the key
 * does not take in this file.
 */
export function parseValue(key: ConfigKey, scope: Scope, text: string): ConfigValue | undefined {
  const rule = key.rules[scope] as TSchema;
  if (text.trim() === "") return undefined;
  if (!text.isWellFormed()) throw wrong(key, rule, text);
  if (isMasked(key.name, text)) {
    throw new UsageError(`${key.name} would be set to a value that is masked`, {
      code: "E_VALUE",
      hint: "What config list and config get show of a secret is not the secret.",
    });
  }
  const value = normalizeValue(typed(rule, text), rule.normalize as Normalize | undefined);
  if (!accepts(rule, value) || (rule.least !== undefined && (value as number) < rule.least))
    throw wrong(key, rule, text);
  return value as ConfigValue;
}

function typed(rule: TSchema, text: string): unknown {
  const word = text.trim();
  if (rule.type === "boolean") return { true: true, false: false }[word.toLowerCase()];
  if (rule.type === "integer") return /^[+-]?\d{1,15}$/.test(word) ? Number(word) + 0 : undefined; // + 0: never -0
  if (rule.type !== "array") return text;
  return word.startsWith("[") ? tomlList(word) : word.split(",").flatMap((item) => item.trim() || []);
}

function tomlList(text: string): unknown {
  try {
    return parse(`list = ${text}`).list;
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

function wrong(key: ConfigKey, rule: TSchema, text: string): UsageError {
  const shown = /key$/.test(key.name) ? "" : `, got "${singleLine(truncateUtf8(text, 60))}"`;
  const list = rule.type === "array" ? { hint: 'Write it as a,b or as ["a", "b"].' } : {};
  return new UsageError(`${key.name} must be ${expected(rule)}${shown}`, { code: "E_VALUE", ...list });
}
