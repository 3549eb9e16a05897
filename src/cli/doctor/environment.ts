import { environmentVariables, openings } from "../../config/environment.ts";
import { homeOf } from "../../lib/config-directory.ts";
import { isOff, singleLine } from "../../lib/text.ts";
import type { Context } from "../command.ts";
import { nearest } from "../nearest.ts";
import { holdsDatabase } from "./data-directory.ts";
import { type Check, error, type Finding, note, warning } from "./finding.ts";

export interface EnvironmentFound {
  variables: Record<string, string>;
  /** The default data directory is in use as well, although the variable names another. */
  defaultInUse?: string;
}

export async function probeEnvironment({ env }: Context, dataDir: string): Promise<EnvironmentFound> {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value !== "" && /^(?:ROBOREV_|BUN_)/.test(name) ? [[name, value]] : [],
  );
  const standard = `${homeOf(env)}/.roborev`;
  const isElsewhere = standard !== dataDir && (await holdsDatabase(standard));
  return { variables: Object.fromEntries(variables), ...(isElsewhere ? { defaultInUse: standard } : {}) };
}

/** What a variable does that is set, for those that change what a user may take for granted. */
const effects: Record<string, (value: string) => Finding | undefined> = {
  ROBOREV_SERVER: (value) => note("server", `ROBOREV_SERVER names the daemon: ${singleLine(value)}`),
  ROBOREV_SKIP_VERSION_CHECK: (value) =>
    value === "1"
      ? note("version-check", "ROBOREV_SKIP_VERSION_CHECK lets a daemon of any version do")
      : undefined,
  ROBOREV_AGENT_HOOK: (value) =>
    isOff(value)
      ? warning("reminders-off", "ROBOREV_AGENT_HOOK switches reminders off", "unset ROBOREV_AGENT_HOOK")
      : undefined,
  ROBOREV_REVIEW_JOB: () =>
    warning(
      "in-reviewer",
      "ROBOREV_REVIEW_JOB is set, as inside a review: commits are not reviewed",
      "unset ROBOREV_REVIEW_JOB",
    ),
  ROBOREV_FIX_JOB: () =>
    warning(
      "in-fix",
      "ROBOREV_FIX_JOB is set, as inside roborev fix: agents are not reminded",
      "unset ROBOREV_FIX_JOB",
    ),
};

export function judgeEnvironment({ variables, defaultInUse }: EnvironmentFound): Check {
  const names = Object.keys(variables);
  const known = environmentVariables.map(({ name }) => name);
  const findings: Finding[] = [];
  for (const name of names) {
    const opening = Object.hasOwn(openings, name) ? openings[name] : undefined;
    if (opening !== undefined)
      findings.push(error("environment", `${name} is set, which ${opening}`, `unset ${name}`));
    const effect = Object.hasOwn(effects, name) ? effects[name]?.(variables[name] as string) : undefined;
    if (effect !== undefined) findings.push(effect);
    const meant = name.startsWith("ROBOREV_") && !known.includes(name) ? nearest(name, known) : undefined;
    if (meant !== undefined)
      findings.push(
        warning(
          "misspelt",
          `there is no variable ${singleLine(name)}; ${meant} is meant, perhaps`,
          "roborev help environment",
        ),
      );
  }
  if (defaultInUse !== undefined) {
    const what = `ROBOREV_DATA_DIR leads elsewhere, but ${defaultInUse} holds reviews as well: whatever runs without the variable uses that`;
    findings.push(
      warning("data-dir", what, "unset ROBOREV_DATA_DIR, or set it wherever you commit and for your agents"),
    );
  }
  const own = names.filter((name) => name.startsWith("ROBOREV_"));
  return {
    name: "environment",
    title: "Environment",
    summary: own.length === 0 ? "no variable of ours is set" : own.map(singleLine).join(", "),
    findings,
  };
}
