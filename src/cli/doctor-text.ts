import type { AgentReport, Report } from "../install/doctor/doctor.ts";
import type { Finding } from "../install/doctor/findings.ts";
import { elapsedText } from "../lib/job-text.ts";
import { plural, singleLine } from "../lib/text.ts";
import type { DaemonState } from "./commands/agent-hook-doctor.ts";
import type { Output } from "./output.ts";

/** The screen of `roborev agent-hook doctor`: what was seen, then the problems with what repairs them. */
export function doctorText(
  report: Report,
  { state: daemon, why }: { state: DaemonState; why?: string },
  now: Date,
  out: Output,
): string {
  const problems = [
    ...report.findings.map((finding) => ({ of: "", finding })),
    ...report.agents.flatMap(({ name, findings }) =>
      findings.map((finding) => ({ of: `${name}: `, finding })),
    ),
  ].filter(({ finding }) => finding.severity === "problem");
  return [
    why === undefined ? daemonLines[daemon] : `${daemonLines[daemon]} ${sentence(why)}`,
    ...report.agents.flatMap((agent) => ["", ...agentLines(agent, daemon, now, out)]),
    "",
    ...(problems.length === 0
      ? [out.paint("green", daemon === "running" ? "All well." : "The hooks are all well.")]
      : [
          out.paint("red", `${plural(problems.length, "problem")}:`),
          ...problems.flatMap(({ of, finding }, index) => problemLines(index + 1, of, finding)),
        ]),
  ].join("\n");
}

const daemonLines: Record<DaemonState, string> = {
  running: "Daemon: running",
  "not-running": "Daemon: not running, so hooks stay silent. Start it with: roborev daemon start",
  hung: "Daemon: does not answer. Restart it with: roborev daemon restart",
  unavailable: "Daemon: answers no hook.",
};

function agentLines(agent: AgentReport, daemon: DaemonState, now: Date, out: Output): string[] {
  const { registrations, findings } = agent;
  const events = [...new Set(registrations.map(({ event }) => singleLine(event)))].join(", ");
  const rows: [string, string][] = [
    ["config", singleLine(agent.config)],
    ["events", events === "" ? "none of ours" : events],
  ];
  if (agent.approval !== undefined) rows.push(["approval", approvals[agent.approval]]);
  if (agent.installed) rows.push(["last event", lastEvent(agent, daemon, now)]);
  for (const { severity, message, repair } of findings) {
    if (severity === "note")
      rows.push(["note", `${sentence(message)}${repair === undefined ? "" : ` ${repair}`}`]);
  }
  const problems = findings.some(({ severity }) => severity === "problem");
  const mark = problems ? out.paint("red", "!") : agent.installed ? out.paint("green", "+") : " ";
  return [
    `${mark} ${out.paint("bold", agent.name)}${agent.detected ? "" : " (not detected here)"}`,
    ...rows.map(([label, text]) => `    ${label.padEnd(11)} ${text}`),
  ];
}

const approvals: Record<NonNullable<AgentReport["approval"]>, string> = {
  approved: "given",
  pending: "not given yet",
  changed: "given for an older version of the hooks",
  unknown: "unknown",
};

function lastEvent({ last_event_at: at }: AgentReport, daemon: DaemonState, now: Date): string {
  if (at !== undefined) return `${elapsedText(now.getTime() - Date.parse(at))} ago`;
  return daemon === "running"
    ? "none yet in a repository with reviews; running sessions may have to be started again"
    : "not known";
}

function problemLines(number: number, of: string, { message, repair }: Finding): string[] {
  const label = `${number}. `.padStart(5);
  return [
    `${label}${of === "" ? upper(sentence(message)) : `${of}${sentence(message)}`}`,
    ...(repair === undefined ? [] : [`     ${singleLine(repair)}`]),
  ];
}

const sentence = (text: string): string => {
  const line = singleLine(text);
  return /[.!?]$/.test(line) ? line : `${line}.`;
};

const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
