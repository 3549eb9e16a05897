import { resolveBinary } from "../../install/binary.ts";
import { systemProbe } from "../../install/probe.ts";
import { serviceManager } from "../../install/service/service.ts";
import { define } from "../command.ts";
import { installService, plannedService } from "../service-install.ts";

export const daemonInstallService = define({
  meta: {
    name: "install-service",
    description:
      "Have systemd (Linux) or launchd (macOS) start the daemon when you log in, and again when it fails.",
  },
  args: {
    print: { type: "boolean", description: "Print the service's file and change nothing" },
    force: { type: "boolean", description: "Replace a file that is not ours or was edited (a copy stays)" },
    binary: { type: "string", valueHint: "path", description: "Program to run (default: this one)" },
  },
  exclusive: [{ names: ["print", "force"] }],
  details: `Not needed: whatever needs the daemon starts it. The service is yours, not the system's. A daemon that runs
    already is replaced; reviews that are running begin anew. From then on roborev daemon start, stop and restart act on
    the service, and a daemon that was stopped stays so until something needs it.`,
  exitCodes: {
    0: "it runs",
    1: "the file is refused, or the service manager does not do it; then nothing is installed",
  },
  examples: ["roborev daemon install-service", "roborev daemon install-service --print"],
  async run(context) {
    const { args, env, out, flags } = context;
    const manager = serviceManager();
    const { path: binary, notice } = resolveBinary({
      ...{ override: args.binary, execPath: process.execPath, env, cwd: args.binary ? context.cwd() : "/" },
      probe: systemProbe,
    });
    if (notice) out.note(notice);
    const plan = plannedService(manager, { binary, paths: context.paths(), env });
    if (args.print) {
      if (flags.json) out.json(plan);
      else out.print(plan.text.trimEnd());
      return 0;
    }
    await installService(context, manager, plan, args.force);
    return 0;
  },
});
