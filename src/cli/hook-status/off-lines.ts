import { type HookSectionName, hookSection, resolveHookValues } from "../../config/hook.ts";
import type { GlobalConfig } from "../../config/schema.ts";
import { singleLine, truncateUtf8 } from "../../lib/text.ts";

export interface OffSources {
  env: Record<string, string | undefined>;
  config: GlobalConfig;
  /** Names the configuration. */
  file: string;
}

/** That reminders are switched off, and who decided; nothing while they are on. Variables are those of this shell. */
export function offLines(sources: OffSources): string[] {
  const agents = whyOff("agent_hook", sources);
  const droid = whyOff("droid_hook", sources);
  const butDroid = droid === undefined ? ", except for Factory Droid" : "";
  return [
    ...(agents === undefined ? [] : [`Reminders are off${butDroid}: ${agents}`]),
    ...(droid === undefined || droid === agents ? [] : [`Reminders for Factory Droid are off: ${droid}`]),
  ];
}

const thresholds = ["turn_threshold", "commit_threshold", "failed_review_threshold"] as const;

function whyOff(sectionName: HookSectionName, { env, config, file }: OffSources): string | undefined {
  const section = hookSection(config, sectionName);
  const { values } = resolveHookValues({ flags: {}, env, section, sectionName });
  const place = `[${sectionName}] of ${singleLine(file)}`;
  const { enabled } = values;
  if (!enabled.value) {
    if (enabled.from !== "environment") return `enabled = false in ${place}`;
    const word = singleLine(truncateUtf8(env[enabled.variable] ?? "", 16));
    return `${enabled.variable}=${word} in this shell`;
  }
  if (thresholds.some((key) => values[key].value !== 0)) return undefined;
  const deciders = thresholds.flatMap((key) => {
    const value = values[key];
    if (value.from === "environment") return [`${value.variable} in this shell`];
    return value.from === "section" ? [place] : [];
  });
  return `every threshold is 0 by ${[...new Set(deciders)].join(" and ")}`;
}
