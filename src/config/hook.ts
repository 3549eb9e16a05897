import { singleLine, truncateUtf8 } from "../lib/text.ts";
import type { GlobalConfig, HookSection } from "./schema.ts";

type Environment = Record<string, string | undefined>;

/** Flags of `agent-hook run`, present exactly when given. */
export interface HookFlags {
  turnThreshold?: number;
  commitThreshold?: number;
  failedReviewThreshold?: number;
  instruction?: string;
}

export interface HookSettings {
  /** 0 switches a trigger off. */
  turnThreshold: number;
  commitThreshold: number;
  failedReviewThreshold: number;
  /** Replaces the whole workflow text of a reminder; empty: the built-in text. */
  instruction: string;
  enabled: boolean;
  /** Cursor only: reminders are delivered although Cursor shows them to the user as a message of theirs. */
  cursorFollowup: boolean;
  /** What was passed over, one line each. */
  diagnostics: string[];
}

export interface HookSettingsInput {
  flags: HookFlags;
  env: Environment;
  section: HookSection;
  /** Which section it is: each has variables of its own. */
  sectionName: HookSectionName;
}

const thresholds = [
  { name: "turnThreshold", key: "turn_threshold", fallback: 5 },
  { name: "commitThreshold", key: "commit_threshold", fallback: 0 },
  { name: "failedReviewThreshold", key: "failed_review_threshold", fallback: 4 },
] as const;

/** Section of the configuration that a harness reads: Factory Droid has one of its own. */
export type HookSectionName = "agent_hook" | "droid_hook";

export function hookSection(config: GlobalConfig, name: HookSectionName): HookSection {
  return config[name] ?? {};
}

const variablePrefix = (name: HookSectionName) => `ROBOREV_${name.toUpperCase()}`;

/**
 * Flags, then environment, then section, then defaults. A value that is no whole number from 0 up is passed over
 * with a diagnostic and the next source decides: a typing error must not silence or stop the hook.
 */
export function resolveHookSettings({ flags, env, section, sectionName }: HookSettingsInput): HookSettings {
  const diagnostics: string[] = [];
  const values = { turnThreshold: 0, commitThreshold: 0, failedReviewThreshold: 0 };
  for (const { name, key, fallback } of thresholds) {
    const variable = `${variablePrefix(sectionName)}_${key.toUpperCase()}`;
    const sources = [
      { source: `--${key.replaceAll("_", "-")}`, given: flags[name] },
      { source: variable, given: env[variable]?.trim() || undefined },
      { source: `${key} of the configuration`, given: section[key] },
    ];
    values[name] = firstThreshold(sources, diagnostics) ?? fallback;
  }
  return {
    ...values,
    instruction: instruction(flags, env[`${variablePrefix(sectionName)}_INSTRUCTION`], section),
    enabled: !isOff(env.ROBOREV_AGENT_HOOK) && section.enabled !== false,
    cursorFollowup: section.cursor_followup ?? false,
    diagnostics,
  };
}

const unaltered = new WeakMap<GlobalConfig, Map<HookSectionName, HookSettings>>();

/** The settings of a call without flags and variables: the same for every call while the configuration is the same. */
export function configuredHookSettings(config: GlobalConfig, sectionName: HookSectionName): HookSettings {
  let bySection = unaltered.get(config);
  if (bySection === undefined) {
    bySection = new Map();
    unaltered.set(config, bySection);
  }
  const known = bySection.get(sectionName);
  if (known !== undefined) return known;
  const settings = resolveHookSettings({
    flags: {},
    env: {},
    section: hookSection(config, sectionName),
    sectionName,
  });
  bySection.set(sectionName, settings);
  return settings;
}

function firstThreshold(
  sources: { source: string; given: string | number | undefined }[],
  diagnostics: string[],
): number | undefined {
  for (const { source, given } of sources) {
    if (given === undefined) continue;
    const value = typeof given === "number" || /^[+-]?\d+$/.test(given) ? Number(given) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= 0) return value + 0; // + 0: never -0
    const shown = singleLine(truncateUtf8(String(given), 40));
    diagnostics.push(`${source} is ignored: "${shown}" is not a whole number of 0 or more`);
  }
  return undefined;
}

function instruction(flags: HookFlags, variable: string | undefined, section: HookSection): string {
  const text = flags.instruction ?? (variable?.trim() ? variable : section.instruction) ?? "";
  return text.trim() === "" ? "" : text;
}

const isOff = (value: string | undefined) => /^(0|false|off|no)$/i.test(value?.trim() ?? "");
