import { startDaemon } from "../../client/ensure.ts";
import { stopDaemon } from "../../client/stop.ts";
import type { DrainMode } from "../../daemon/api/requests.ts";
import { plural } from "../../lib/text.ts";
import { define } from "../command.ts";
import { clientFor } from "../connect.ts";
import { healthWarnings } from "../daemon-health.ts";
import { serviceLaunch } from "../service-launch.ts";

export const daemonRestart = define({
  meta: {
    name: "restart",
    description: "Stop the daemon, if it runs, and start it with this program's version.",
  },
  args: {
    running: {
      type: "enum",
      options: ["wait", "interrupt", "abort"],
      default: "wait",
      valueHint: "how",
      description: "What becomes of running reviews: wait for them, interrupt them, or abort the restart",
    },
  },
  details: `Commits are queued meanwhile as always. An interrupted review begins anew after the restart. Ctrl-C while it waits
    calls the restart off.`,
  tidiesUp: true,
  examples: ["roborev daemon restart", "roborev daemon restart --running=interrupt"],
  async run(context) {
    const { args, paths, flags, out } = context;
    using _ = out.waiting("Restarting the daemon");
    const launch = serviceLaunch(context);
    const stopped = await stopDaemon({
      paths: paths(),
      running: args.running as DrainMode,
      signal: context.signal,
      onWait: (active) => out.note(`Waiting for ${plural(active, "review")} to end`),
    });
    const { ping } = await startDaemon({ paths: paths(), autostart: true, launch });
    if (flags.json) out.json({ stopped, pid: ping.pid, version: ping.version });
    else {
      const verb = stopped === "not-running" ? "started" : "restarted";
      out.print(`Daemon ${verb} (pid ${ping.pid}, version ${ping.version})`);
    }
    for (const warning of await healthWarnings(clientFor(context))) out.note(warning);
    return 0;
  },
});
