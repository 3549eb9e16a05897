import { startDaemon } from "../../client/ensure.ts";
import { define } from "../command.ts";
import { clientFor } from "../connect.ts";
import { healthWarnings } from "../daemon-health.ts";
import { serviceLaunch } from "../service-launch.ts";

export const daemonStart = define({
  meta: { name: "start", description: "Start the daemon in the background and wait until it answers." },
  args: {},
  examples: ["roborev daemon start"],
  async run(context) {
    const { paths, flags, out } = context;
    using _ = out.waiting("Starting the daemon");
    const { ping, started } = await startDaemon({
      paths: paths(),
      autostart: true,
      launch: serviceLaunch(context),
    });
    if (flags.json) out.json({ started, pid: ping.pid, version: ping.version });
    else
      out.print(
        `Daemon ${started ? "started" : "is already running"} (pid ${ping.pid}, version ${ping.version})`,
      );
    for (const warning of await healthWarnings(clientFor(context))) out.note(warning);
    return 0;
  },
});
