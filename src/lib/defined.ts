type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** Fields that may be undefined become fields that may be absent. */
export type Defined<T> = Omit<T, OptionalKeys<T>> & { [K in OptionalKeys<T>]?: Exclude<T[K], undefined> };

/** The same object without its undefined fields. */
export function defined<T extends object>(fields: T): Defined<T> {
  // Not by Object.entries: its first use costs the hook 0.2 ms (Bun 1.4.5).
  const result: Partial<T> = {};
  for (const name in fields) if (fields[name] !== undefined) result[name] = fields[name];
  return result as Defined<T>;
}
