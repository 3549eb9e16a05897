import { isOff, singleLine, truncateUtf8 } from "../lib/text.ts";
import { hookDefaults } from "./defaults.ts";
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

/** Section of the configuration that a harness reads: Factory Droid has one of its own. */
export const hookSectionNames = ["agent_hook", "droid_hook"] as const;
export type HookSectionName = (typeof hookSectionNames)[number];

export function hookSection(config: GlobalConfig, name: HookSectionName): HookSection {
  return config[name] ?? {};
}

/** A setting, and who decided it. */
export type HookValue<T = string | number | boolean> =
  | { value: T; from: "flag" | "section" | "default" }
  | { value: T; from: "environment"; variable: string };

/** By key of the section. */
export type HookValues = { [K in keyof typeof hookDefaults]: HookValue<Required<HookSection>[K]> };

/**
 * Flags, then environment, then section, then defaults. A value that is no whole number from 0 up is passed over
 * with a diagnostic and the next source decides: a typing error must not silence or stop the hook.
 */
export function resolveHookValues(input: HookSettingsInput): { values: HookValues; diagnostics: string[] } {
  const { flags, env, section } = input;
  const diagnostics: string[] = [];
  const threshold = (key: ThresholdKey, flag: number | undefined) =>
    resolveThreshold(key, flag, input, diagnostics);
  const values: HookValues = {
    turn_threshold: threshold("turn_threshold", flags.turnThreshold),
    commit_threshold: threshold("commit_threshold", flags.commitThreshold),
    failed_review_threshold: threshold("failed_review_threshold", flags.failedReviewThreshold),
    instruction: resolveInstruction(input),
    enabled: resolveEnabled(env.ROBOREV_AGENT_HOOK?.trim(), section.enabled, diagnostics),
    cursor_followup: sectionOrDefault("cursor_followup", section.cursor_followup),
  };
  return { values, diagnostics };
}

/** The same as the hook uses it. */
export function resolveHookSettings(input: HookSettingsInput): HookSettings {
  const { values, diagnostics } = resolveHookValues(input);
  return {
    turnThreshold: values.turn_threshold.value,
    commitThreshold: values.commit_threshold.value,
    failedReviewThreshold: values.failed_review_threshold.value,
    instruction: values.instruction.value,
    enabled: values.enabled.value,
    cursorFollowup: values.cursor_followup.value,
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

type ThresholdKey = "turn_threshold" | "commit_threshold" | "failed_review_threshold";

const variableOf = (section: HookSectionName, key: keyof HookSection) =>
  `ROBOREV_${section.toUpperCase()}_${key.toUpperCase()}`;

const variableKeys = [
  "turn_threshold",
  "commit_threshold",
  "failed_review_threshold",
  "instruction",
] as const;

/** Settings of a section that a variable decides as well, and the variable of each. */
export const hookVariables = (section: HookSectionName): { key: string; name: string }[] =>
  variableKeys.map((key) => ({ key, name: variableOf(section, key) }));

function resolveThreshold(
  key: ThresholdKey,
  flag: number | undefined,
  { env, section, sectionName }: HookSettingsInput,
  diagnostics: string[],
): HookValue<number> {
  const accepted = (given: string | number | undefined, source: string) =>
    given === undefined ? undefined : wholeNumber(given, source, diagnostics);
  const flagged = accepted(flag, `--${key.replaceAll("_", "-")}`);
  if (flagged !== undefined) return { value: flagged, from: "flag" };
  const variable = variableOf(sectionName, key);
  const exported = accepted(env[variable]?.trim() || undefined, variable);
  if (exported !== undefined) return { value: exported, from: "environment", variable };
  return sectionOrDefault(key, accepted(section[key], `[${sectionName}] ${key}`));
}

function wholeNumber(given: string | number, source: string, diagnostics: string[]): number | undefined {
  const value = typeof given === "number" || /^[+-]?\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= 0) return value + 0; // + 0: never -0
  const shown = singleLine(truncateUtf8(String(given), 40));
  diagnostics.push(`${source} is ignored: "${shown}" is not a whole number of 0 or more`);
  return undefined;
}

function resolveInstruction({ flags, env, section, sectionName }: HookSettingsInput): HookValue<string> {
  // A blank flag was given for what it means, the built-in text; blank elsewhere is as good as not set.
  if (flags.instruction !== undefined)
    return { value: isBlank(flags.instruction) ? "" : flags.instruction, from: "flag" };
  const variable = variableOf(sectionName, "instruction");
  const exported = env[variable];
  if (exported !== undefined && !isBlank(exported)) return { value: exported, from: "environment", variable };
  return sectionOrDefault(
    "instruction",
    isBlank(section.instruction ?? "") ? undefined : section.instruction,
  );
}

const isBlank = (text: string) => text.trim() === "";

/** The variable only switches off: the hook itself looks for nothing else. */
function resolveEnabled(
  variable: string | undefined,
  section: boolean | undefined,
  diagnostics: string[],
): HookValue<boolean> {
  if (isOff(variable)) return { value: false, from: "environment", variable: "ROBOREV_AGENT_HOOK" };
  if (variable && variable !== "1") {
    const shown = singleLine(truncateUtf8(variable, 40));
    diagnostics.push(
      `ROBOREV_AGENT_HOOK is ignored: "${shown}" does not switch the hook off; 0, off, false and no do`,
    );
  }
  return sectionOrDefault("enabled", section);
}

const sectionOrDefault = <K extends keyof HookSection>(
  key: K,
  value: Required<HookSection>[K] | undefined,
): HookValue<Required<HookSection>[K]> =>
  value === undefined ? { value: hookDefaults[key], from: "default" } : { value, from: "section" };
