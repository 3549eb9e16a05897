import { openings } from "../../config/environment.ts";
import { hookSection, resolveHookSettings } from "../../config/hook.ts";
import type { GlobalConfig } from "../../config/schema.ts";
import { harnesses } from "../../harness/registry.ts";
import { selectHarnesses } from "../detect.ts";
import { installAgentHooks } from "../install.ts";
import type { Environment, Outcome } from "../options.ts";
import type { ApprovalState } from "./approval.ts";
import { type Finding, findingsOf } from "./findings.ts";
import { type DoctorOptions, type Examined, surveyAgent } from "./survey.ts";

/** One agent, in the shape that `--json` prints. */
export interface AgentReport {
  agent: string;
  name: string;
  detected: boolean;
  installed: boolean;
  config: string;
  registrations: { event: string; matcher?: unknown; command: string; timeout?: unknown }[];
  approval?: ApprovalState["state"];
  /** Of the newest event that the daemon knows of. */
  last_event_at?: string;
  findings: Finding[];
}

export interface Report {
  /** There is no problem. */
  healthy: boolean;
  agents: AgentReport[];
  /** Of no single agent. */
  findings: Finding[];
}

export interface Examination {
  report: Report;
  examined: Examined[];
}

interface Known {
  /** The user's configuration, as far as it can be read. */
  config: GlobalConfig;
  configProblem?: string;
  /** By agent. */
  lastEvents: ReadonlyMap<string, string>;
}

/** Looks at every agent that is asked for; without a choice at those that are here or have our hooks. */
export async function examineAgents(options: DoctorOptions, known: Known): Promise<Examination> {
  const chosen = selectHarnesses(options.agent, harnesses, () => true);
  const all = await Promise.all(chosen.map((harness) => surveyAgent(harness, options)));
  const named = Boolean(options.agent?.trim());
  const examined = all.filter(({ survey }) => named || survey.detected || isConcerned(survey));
  const agents = examined.map(({ survey }) => agentReport(survey, options.env, known));
  const findings = generalFindings(options.env, known, agents);
  const healthy = [...findings, ...agents.flatMap((agent) => agent.findings)].every(
    ({ severity }) => severity === "note",
  );
  return { report: { healthy, agents, findings }, examined };
}

const isConcerned = ({ before, strays, recorded }: Examined["survey"]) =>
  recorded || strays.length > 0 || before.some(({ ours }) => ours);

function agentReport(survey: Examined["survey"], env: Environment, known: Known): AgentReport {
  const { harness, detected, path, before, approval } = survey;
  const ours = before.filter((entry) => entry.ours);
  const lastEvent = known.lastEvents.get(harness.name);
  return {
    agent: harness.name,
    name: harness.displayName,
    detected,
    installed: ours.length > 0,
    config: path,
    registrations: ours.map(({ event, matcher, command, timeout }) => ({
      event,
      ...(matcher === undefined ? {} : { matcher }),
      command,
      ...(timeout === undefined ? {} : { timeout }),
    })),
    ...(approval === undefined ? {} : { approval: approval.state }),
    ...(lastEvent === undefined ? {} : { last_event_at: lastEvent }),
    findings: [...findingsOf(survey), ...(ours.length === 0 ? [] : settingNotes(survey, env, known))],
  };
}

/** Settings of ours that keep reminders away on purpose. */
function settingNotes({ harness }: Examined["survey"], env: Environment, { config }: Known): Finding[] {
  const { displayName, optIn, settingsSection: sectionName } = harness;
  const section = hookSection(config, sectionName);
  const settings = resolveHookSettings({ flags: {}, env, section, sectionName });
  const note = (code: string, message: string): Finding => ({ code, severity: "note", message });
  return [
    ...(settings.enabled
      ? []
      : [note("disabled", `reminders are switched off by ROBOREV_AGENT_HOOK or [${sectionName}] enabled`)]),
    ...(optIn === undefined || settings.cursorFollowup
      ? []
      : [note("opt-in", `reminders reach ${displayName} only with [agent_hook] ${optIn} = true`)]),
    ...settings.diagnostics.map((line) => note("setting", line)),
  ];
}

function generalFindings(env: Environment, known: Known, agents: readonly AgentReport[]): Finding[] {
  const { configProblem } = known;
  const found = Object.entries(openings)
    .filter(([name]) => Boolean(env[name]))
    .map(
      ([name, what]): Finding => ({
        code: "environment",
        severity: "problem",
        message: `${name} is set, which ${what}`,
        repair: `unset ${name}`,
      }),
    );
  if (configProblem !== undefined) {
    found.push({
      code: "config",
      severity: "problem",
      message: configProblem,
      repair: "Repair that file by hand; until then its last sound version counts, or what is right in it.",
    });
  }
  if (agents.length === 0) {
    found.push({
      code: "nothing-detected",
      severity: "problem",
      message: "no coding agents were detected",
      repair: "roborev agent-hook install --agent NAME",
    });
  } else if (agents.every(({ installed, findings }) => !installed && findings.every(isNote))) {
    found.push({
      code: "nothing-installed",
      severity: "problem",
      message: "no coding agent here has the hooks of roborev",
      repair: "roborev agent-hook install",
    });
  }
  return found;
}

const isNote = ({ severity }: Finding) => severity === "note";

/** Installs again, with the former choices, where that repairs something. */
export async function repairAgents(
  { report, examined }: Examination,
  options: DoctorOptions,
): Promise<Outcome> {
  const outcome: Outcome = { lines: [], notices: [], failures: [] };
  const broken = examined.filter((_, at) => report.agents[at]?.findings.some(({ fixable }) => fixable));
  for (const { repair } of broken) {
    const done = await installAgentHooks({ ...options, ...repair, dryRun: false });
    outcome.lines.push(...done.lines);
    outcome.notices.push(...done.notices);
    outcome.failures.push(...done.failures);
  }
  return outcome;
}
