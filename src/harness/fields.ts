/** Thrown by the readers below, caught by the decoders: the payload breaks the harness's own contract. */
export class PayloadProblem extends Error {}

type Fields = Record<string, unknown>;

/** The value under the first of `names` that is there and not null: a field's name, then its other spellings. */
export function read(fields: Fields, ...names: string[]): unknown {
  for (const name of names) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name];
    if (value !== null && value !== undefined) return value;
  }
  return undefined;
}

/** A string, or undefined when it is missing, null or blank. */
export function readString(fields: Fields, ...names: string[]): string | undefined {
  const value = read(fields, ...names);
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw new PayloadProblem(`${names[0]} is not a string`);
  return value.trim() === "" ? undefined : value;
}

export function readBoolean(fields: Fields, ...names: string[]): boolean | undefined {
  const value = read(fields, ...names);
  if (value === undefined) return undefined;
  if (typeof value !== "boolean") throw new PayloadProblem(`${names[0]} is not true or false`);
  return value;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
