import { serviceManager } from "../../install/service/service.ts";
import { define } from "../command.ts";
import { uninstallService } from "../service-install.ts";

export const daemonUninstallService = define({
  meta: {
    name: "uninstall-service",
    description: "Undo install-service. The daemon stops, and starts when it is needed, as it did before.",
  },
  args: {
    force: { type: "boolean", description: "Remove a file that is not ours or was edited (a copy stays)" },
  },
  exitCodes: {
    0: "it is gone, or there was none",
    1: "the file is refused, or the service manager does not answer; then the file is gone all the same",
  },
  examples: ["roborev daemon uninstall-service"],
  async run(context) {
    await uninstallService(context, serviceManager(), context.args.force === true);
    return 0;
  },
});
