import { stopDaemon } from "../../client/stop.ts";
import { define } from "../command.ts";
import { stopService } from "../service-launch.ts";

const texts = {
  stopped: "Daemon stopped",
  killed: "Daemon did not stop by itself and was killed",
  "not-running": "Daemon was not running",
};

export const daemonStop = define({
  meta: {
    name: "stop",
    description: "Stop the daemon. Reviews that are running go back to the queue and start over later.",
  },
  args: {},
  examples: ["roborev daemon stop"],
  async run(context) {
    const { paths, flags, out } = context;
    using _ = out.waiting("Stopping the daemon");
    const outcome = await stopDaemon({ paths: paths() });
    // One that ended by itself stays down; one that was killed is a failure, which its service manager would mend.
    if (outcome === "killed") await stopService(context);
    if (flags.json) out.json({ outcome });
    else out.print(texts[outcome]);
    return 0;
  },
});
