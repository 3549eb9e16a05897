import { findKey } from "../config/keys.ts";
import type { GlobalConfig } from "../config/schema.ts";

/** Names of the settings that differ, those of tables with their table: `agent_hook.enabled`. */
export function changedKeys(before: GlobalConfig, after: GlobalConfig): string[] {
  return differing(before, after).sort();
}

function differing(before: Table, after: Table): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (Bun.deepEquals(was, is)) return [];
    const [inner, other] = [was ?? is, is ?? was];
    if (!isTable(inner) || !isTable(other)) return [name];
    // A table that is not there differs in all that the other one has.
    return differing(was === undefined ? {} : inner, is === undefined ? {} : other).map(
      (key) => `${name}.${key}`,
    );
  });
}

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const needsRestart = (name: string): boolean => findKey(name)?.about.needsRestart === true;
