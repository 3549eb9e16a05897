import type { TSchema } from "@sinclair/typebox";
import { type ConfigKey, configKeys } from "./keys.ts";
import { expected } from "./rule.ts";

/** What help and README say about a setting, or about all settings of one kind. */
export interface KeyDoc {
  /** Name, or the label of the kind: `<workflow>_agent`. */
  label: string;
  names: string[];
  /** `hook`: in `[agent_hook]` and `[droid_hook]` of the user's file. */
  where: "both" | "global" | "repo" | "hook";
  description: string;
  /** Completes "must be …". */
  expected: string;
  /** What holds where nobody sets it, as a value or in words. */
  fallback: { value: string } | { words: string };
  needsRestart: boolean;
}

/** One for each label, in the order of `configKeys`. */
export function keyDocs(): KeyDoc[] {
  const docs = new Map<string, KeyDoc>();
  for (const key of configKeys) {
    const label = key.path.length > 1 ? (key.path.at(-1) as string) : (key.about.family ?? key.name);
    const known = docs.get(label);
    if (known) known.names.push(key.name);
    else docs.set(label, docOf(key, label));
  }
  return [...docs.values()];
}

function docOf(key: ConfigKey, label: string): KeyDoc {
  const { global, repo } = key.rules;
  const { description, unset = "", needsRestart = false } = key.about;
  return {
    label,
    names: [key.name],
    where: key.path.length > 1 ? "hook" : global && repo ? "both" : global ? "global" : "repo",
    description,
    expected: expected((global ?? repo) as TSchema),
    fallback: key.default === undefined ? { words: unset } : { value: String(key.default) || '""' },
    needsRestart,
  };
}

/** What stands for the words in angle brackets. */
export function placeholders(): { workflow: string[]; level: string[]; reviewer: string[] } {
  const names = (label: string) => keyDocs().find((doc) => doc.label === label)?.names ?? [];
  return {
    workflow: names("<workflow>_agent").map((name) => name.replace(/_agent$/, "")),
    level: names("<workflow>_agent_<level>").flatMap((name) => /^review_agent_(.+)$/.exec(name)?.[1] ?? []),
    reviewer: names("<reviewer>_cmd").map((name) => name.replace(/_cmd$/, "")),
  };
}
