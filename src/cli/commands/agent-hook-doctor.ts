import { probeDaemon } from "../../client/probe.ts";
import { createConfigCache } from "../../config/load.ts";
import { failureLine } from "../../install/report.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { isCompiled } from "../../lib/self.ts";
import { version } from "../../lib/version.ts";
import { agentFlag, installWorld } from "../agent-hook-options.ts";
import { type Context, define } from "../command.ts";
import { clientFor } from "../connect.ts";
import { doctorText } from "../doctor-text.ts";

export const agentHookDoctor = define({
  meta: {
    name: "doctor",
    description: "Check the hooks of the coding agents here, and say what is wrong and what repairs it.",
  },
  args: {
    agent: agentFlag,
    fix: { type: "boolean", description: "Install again where that repairs something" },
  },
  details: "Starts no daemon. Without --fix it changes nothing.",
  exitCodes: { 0: "all well", 1: "there are problems" },
  examples: ["roborev agent-hook doctor", "roborev agent-hook doctor --fix --agent codex"],
  async run(context) {
    const { args, flags, out } = context;
    const { examineAgents, repairAgents } = await import("../../install/doctor/doctor.ts");
    const options = {
      ...installWorld(context),
      agent: args.agent,
      version,
      fromSource: !isCompiled(),
    };
    const daemon = await askDaemon(context);
    const known = { ...(await readSettings(context)), lastEvents: daemon.lastEvents };
    let examination = await examineAgents(options, known);
    const fixed = args.fix ? await repairAgents(examination, options) : undefined;
    if (fixed !== undefined) examination = await examineAgents(options, known);
    const { report } = examination;
    if (flags.json) {
      out.json({
        ...report,
        daemon: daemon.state,
        ...(daemon.why === undefined ? {} : { daemon_problem: daemon.why }),
        ...(fixed === undefined ? {} : { fixed }),
      });
    } else {
      for (const line of fixed?.lines ?? []) out.print(line);
      for (const notice of fixed?.notices ?? []) out.note(notice);
      out.print(doctorText(report, daemon, context.now(), out));
    }
    for (const failure of fixed?.failures ?? []) out.note(`Error: ${failureLine(failure)}`);
    const answers = daemon.state === "running" || daemon.state === "not-running"; // the next commit starts one
    return report.healthy && answers && (fixed?.failures.length ?? 0) === 0 ? 0 : 1;
  },
});

async function readSettings(context: Context) {
  const { loaded, problem } = await createConfigCache().loadOrKeep(context.paths().config);
  return { config: loaded.config, ...(problem ? { configProblem: problem.message } : {}) };
}

/** Whether the daemon runs, and when it last heard of a session of each agent. Never starts one. */
async function askDaemon(context: Context) {
  const lastEvents = new Map<string, string>();
  try {
    const client = clientFor(context);
    const { state } = await probeDaemon(client);
    if (state !== "running") return { state, lastEvents };
    const { sessions } = (await client.hookSessions()) as {
      sessions?: Record<string, { last_seen_at?: string }>;
    };
    for (const [key, { last_seen_at: seen }] of Object.entries(sessions ?? {})) {
      const agent = key.slice(0, Math.max(0, key.indexOf(":")));
      if (seen !== undefined && !(Date.parse(lastEvents.get(agent) ?? "") >= Date.parse(seen)))
        lastEvents.set(agent, seen);
    }
    return { state, lastEvents };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return { state: "unavailable" as const, why: errorMessage(error), lastEvents };
  }
}

export type DaemonState = Awaited<ReturnType<typeof askDaemon>>["state"];
