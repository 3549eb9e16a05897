import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { parseGoDuration } from "../lib/duration.ts";
import { RoborevError } from "../lib/errors.ts";

// What the rules of the schema mean: TypeBox knows most of it, the rest is written beside them in fields.ts.

export const isTable = (rule: TSchema): rule is TObject => rule.type === "object";

/** A list of tables, like `[[hooks]]`. */
export const isTableList = (rule: TSchema): boolean => rule.type === "array" && isTable(rule.items);

export function accepts(rule: TSchema, value: unknown): boolean {
  // `Type.Unsafe` carries plain JSON schema, which Value.Check does not know; all of ours are enumerations.
  if (Array.isArray(rule.enum)) return rule.enum.includes(value);
  if (!Value.Check(Type.Required(Type.Object({ value: rule })), { value })) return false;
  return rule.duration === undefined || isWithin(rule.duration, String(value));
}

function isWithin({ minMs, maxMs }: { minMs: number; maxMs: number }, text: string): boolean {
  try {
    const ms = parseGoDuration(text);
    return minMs <= ms && ms <= maxMs;
  } catch (error) {
    if (error instanceof RoborevError) return false;
    throw error;
  }
}

/** Completes "must be …". */
export function expected(rule: TSchema): string {
  if (typeof rule.expected === "string") return rule.expected;
  if (Array.isArray(rule.enum)) return `one of ${rule.enum.join(", ")}`;
  if (rule.type === "integer") {
    const bounded = rule.minimum !== undefined && rule.maximum !== undefined;
    return bounded
      ? `a whole number from ${rule.minimum} to ${rule.maximum}`
      : `a whole number of ${rule.least} or more`;
  }
  if (rule.type === "boolean") return "true or false";
  if (isTableList(rule)) return "a list of tables";
  return rule.type === "array" ? "a list of non-empty strings" : "a table";
}
