import { type Probe, probeDaemon } from "../../client/probe.ts";
import { DaemonError } from "../../client/transport.ts";
import type { DaemonStatus } from "../../daemon/api/responses.ts";
import { findCheckout } from "../../git/checkout.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import type { Job } from "../../store/schema.ts";
import { type Context, define } from "../command.ts";
import { clientFor } from "../connect.ts";
import { errorLine } from "../output.ts";
import { givenSocket } from "../server-address.ts";
import { knownService } from "../service-launch.ts";
import { hookWarnings, statusText } from "../status-text.ts";
import { updateNotice } from "../update-notice.ts";

export const status = define({
  meta: {
    name: "status",
    description: "Show whether the daemon runs, how it is doing, and the latest jobs. Starts nothing.",
  },
  args: {},
  details: `On a terminal it looks once a day for a newer release, and says so if there is one; not with
    ROBOREV_NO_UPDATE_CHECK=1 in the environment.`,
  examples: ["roborev status", "roborev status --json"],
  async run(context) {
    const report = await statusReport(context);
    if (context.flags.json) {
      context.out.json(report);
      return 0;
    }
    context.out.print(statusText(report, context.now(), context.out));
    for (const warning of await repositoryWarnings(context)) context.out.note(warning);
    const notice = await updateNotice(context);
    if (notice !== undefined) context.out.note(notice);
    return 0;
  },
});

async function statusReport(context: Context): Promise<StatusReport> {
  const service = givenSocket(context.flags.server, context.env) ? undefined : await knownService(context);
  const installed =
    service === undefined
      ? {}
      : { service: { manager: service.manager.name, path: service.path, state: service.state } };
  return { ...(await daemonReport(context)), ...installed };
}

async function daemonReport(context: Context): Promise<DaemonReport> {
  const client = clientFor(context);
  let probe: Probe;
  try {
    probe = await probeDaemon(client);
  } catch (error) {
    // Connecting is forbidden, or something answers oddly: there may well be a daemon.
    if (!(error instanceof DaemonError)) throw error;
    return { running: true, error: [error.message, error.hint].filter(Boolean).join(". ") };
  }
  if (probe.state === "not-running") return { running: false };
  if (probe.state === "hung") {
    return { running: true, error: "the daemon does not answer. Restart it with: roborev daemon restart" };
  }
  try {
    const [daemon, { jobs }] = await Promise.all([client.status(), client.jobs({ limit: 10 })]);
    const { healthy, version, components, recent_errors, uptime_seconds } = daemon;
    return {
      running: true,
      ...(probe.ping.managed_by === undefined ? {} : { managed_by: probe.ping.managed_by }),
      daemon,
      health: { healthy, version, uptime_seconds, components, recent_errors },
      jobs,
    };
  } catch (error) {
    return { running: true, error: errorMessage(error) };
  }
}

interface DaemonReport {
  running: boolean;
  error?: string;
  managed_by?: string;
  daemon?: DaemonStatus;
  health?: Pick<DaemonStatus, "healthy" | "version" | "components" | "recent_errors" | "uptime_seconds">;
  jobs?: Job[];
}

export interface StatusReport extends DaemonReport {
  /** The service that is installed for this daemon, if one is. */
  service?: { manager: string; path: string; state: "ours" | "edited" };
}

/** What is wrong with the git hooks of the repository around, if it was set up. */
async function repositoryWarnings(context: Context): Promise<string[]> {
  try {
    const checkout = await findCheckout(context.cwd());
    if (checkout === undefined) return [];
    const { gitHookStatus } = await import("../../git/hooks/status.ts");
    return hookWarnings((await gitHookStatus(checkout)).hooks);
  } catch (error) {
    // No git, a directory that is gone: what was asked for is told already.
    if (!(error instanceof RoborevError)) throw error;
    return [errorLine(error).replace(/^Error: /, "Warning: ")];
  }
}
