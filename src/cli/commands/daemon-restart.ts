import { startDaemon } from "../../client/ensure.ts";
import { stopDaemon } from "../../client/stop.ts";
import { define } from "../command.ts";
import { clientFor } from "../connect.ts";
import { healthWarnings } from "../daemon-health.ts";

export const daemonRestart = define({
  meta: {
    name: "restart",
    description: "Stop the daemon, if it runs, and start it with this program's version.",
  },
  args: {},
  examples: ["roborev daemon restart"],
  async run(context) {
    const { paths, flags, out } = context;
    const stopped = await stopDaemon({ paths: paths() });
    const { ping } = await startDaemon({ paths: paths(), autostart: true });
    if (flags.json) out.json({ stopped, pid: ping.pid, version: ping.version });
    else {
      const verb = stopped === "not-running" ? "started" : "restarted";
      out.print(`Daemon ${verb} (pid ${ping.pid}, version ${ping.version})`);
    }
    for (const warning of await healthWarnings(clientFor(context))) out.note(warning);
    return 0;
  },
});
