/** Thrown by the readers below, caught by the decoders: the payload breaks the harness's own contract. */
export class PayloadProblem extends Error {}

type Fields = Record<string, unknown>;

// Up to four names in place of a rest parameter, which costs each of the hook's calls (0.02 ms, Bun 1.4.5).

/**
 * The value under the first of the names that is there and not null: a field's name, then its other spellings. None of
 * our names is one that every object has.
 */
export function read(
  fields: Fields,
  name: string,
  second?: string,
  third?: string,
  fourth?: string,
): unknown {
  const value = fields[name];
  if (value !== null && value !== undefined) return value;
  return second === undefined ? undefined : read(fields, second, third, fourth);
}

/** A string, or undefined when it is missing, null or blank. */
export function readString(
  fields: Fields,
  name: string,
  second?: string,
  third?: string,
  fourth?: string,
): string | undefined {
  const value = read(fields, name, second, third, fourth);
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw new PayloadProblem(`${name} is not a string`);
  return value.trim() === "" ? undefined : value;
}

export function readBoolean(fields: Fields, name: string, second?: string): boolean | undefined {
  const value = read(fields, name, second);
  if (value === undefined) return undefined;
  if (typeof value !== "boolean") throw new PayloadProblem(`${name} is not true or false`);
  return value;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
