import { startDaemon } from "../../client/ensure.ts";
import { define } from "../command.ts";

export const daemonStart = define({
  meta: { name: "start", description: "Start the daemon in the background and wait until it answers." },
  args: {},
  examples: ["roborev daemon start"],
  async run({ paths, flags, out }) {
    const { ping, started } = await startDaemon({ paths: paths(), autostart: true });
    if (flags.json) out.json({ started, pid: ping.pid, version: ping.version });
    else
      out.print(
        `Daemon ${started ? "started" : "is already running"} (pid ${ping.pid}, version ${ping.version})`,
      );
    return 0;
  },
});
