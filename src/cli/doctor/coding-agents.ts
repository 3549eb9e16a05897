import { harnesses } from "../../harness/registry.ts";
import type { Report } from "../../install/doctor/doctor.ts";
import { isCompiled } from "../../lib/self.ts";
import { singleLine } from "../../lib/text.ts";
import { version } from "../../lib/version.ts";
import { type ProgramStatus, skillStatus } from "../../skills/status.ts";
import { worstState } from "../../skills/summary.ts";
import { installWorld } from "../agent-hook-options.ts";
import type { Context } from "../command.ts";
import { namesOf } from "../quickstart/steps.ts";
import { globalConfig } from "../reviewers-here.ts";
import { type Check, error, type Finding, note, warning } from "./finding.ts";

/** What `roborev agent-hook doctor` would say, without when a session was last heard of. */
export async function probeHookReport(context: Context): Promise<Report> {
  const { examineAgents } = await import("../../install/doctor/doctor.ts");
  const options = { ...installWorld(context), version, fromSource: !isCompiled() };
  const known = { config: await globalConfig(context), lastEvents: new Map<string, string>() };
  return (await examineAgents(options, known)).report;
}

/** Of no single agent; the rest of those is looked at elsewhere. */
const general = ["nothing-detected", "nothing-installed"];

export function judgeHookReport({ agents, findings }: Report): Check {
  const hooked = agents.filter(({ installed }) => installed);
  const without = agents.filter(({ detected, installed }) => detected && !installed);
  const names = (some: Report["agents"]) => namesOf(some.map(({ agent }) => agent));
  const found: Finding[] = agents.flatMap((agent) =>
    agent.findings
      .filter(({ severity }) => severity === "problem")
      .map(({ code, message, repair }) => error(`hook-${code}`, `${agent.name}: ${message}`, repair)),
  );
  for (const { code, message, repair } of findings) {
    if (general.includes(code))
      found.push((code === "nothing-detected" ? note : warning)(code, message, repair));
  }
  if (hooked.length > 0 && without.length > 0)
    found.push(
      note(
        "not-installed",
        `${names(without)} ${without.length === 1 ? "is" : "are"} here and not reminded`,
        "roborev agent-hook install",
      ),
    );
  return {
    name: "agent-hook",
    title: "Coding agents",
    summary: hooked.length === 0 ? "none is reminded" : `${names(hooked)} reminded`,
    findings: found,
  };
}

export async function probeSkills(context: Context): Promise<ProgramStatus[]> {
  const world = { env: context.env, cwd: context.cwd() };
  const all = await Promise.all(harnesses.map((harness) => skillStatus(harness, world)));
  return all.filter((status) => status !== undefined);
}

export function judgeSkills(programs: readonly ProgramStatus[]): Check {
  const within = (...states: string[]) => programs.filter((program) => states.includes(worstState(program)));
  const namesIn = (some: readonly ProgramStatus[]) => namesOf(some.map(({ agent }) => agent));
  const outdated = programs.filter(({ skills }) => skills.some(({ state }) => state === "outdated"));
  const present = programs.filter(({ skills }) =>
    skills.some(({ state }) => !["missing", "no_agent", "refused"].includes(state)),
  );
  const findings: Finding[] = [];
  if (outdated.length > 0)
    findings.push(
      warning("skills-outdated", `the skills of ${namesIn(outdated)} are outdated`, "roborev skills update", {
        mend: { do: "skills", agents: outdated.map(({ agent }) => agent) },
      }),
    );
  for (const { name, skills } of within("refused")) {
    const problem = skills.find(({ state }) => state === "refused")?.problem ?? "";
    findings.push(
      error(
        "skills-refused",
        `a skill of ${name} cannot be read: ${singleLine(problem)}`,
        "roborev skills status",
      ),
    );
  }
  for (const program of programs) {
    const edited = program.skills.filter(({ state }) => state === "edited").map(({ name }) => name);
    if (edited.length > 0)
      findings.push(
        note("skills-edited", `${program.name}: ${edited.join(", ")} edited, and left as they are`),
      );
  }
  return {
    name: "skills",
    title: "Skills",
    summary: present.length === 0 ? "none installed" : namesIn(present),
    findings,
  };
}
