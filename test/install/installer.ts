import { installAgentHooks } from "../../src/install/install.ts";
import type { InstallOptions } from "../../src/install/options.ts";
import { uninstallAgentHooks } from "../../src/install/uninstall.ts";

// A process of its own for races and kills: `bun installer.ts install|uninstall AGENT HOME TIMEOUT…`, one run a timeout.
const [verb, agent = "", home = "", ...timeouts] = process.argv.slice(2);
const options: Omit<InstallOptions, "timeout"> = {
  agent,
  dryRun: false,
  env: { HOME: home, PATH: "/usr/bin:/bin" },
  execPath: `${home}/bin/roborev`,
  cwd: home,
  dataDir: `${home}/.roborev`,
  socketPath: `${home}/.roborev/daemon.sock`,
};
process.stdout.write("ready\n");
for (const timeout of timeouts) {
  const { failures } =
    verb === "install"
      ? await installAgentHooks({ ...options, timeout })
      : await uninstallAgentHooks(options);
  if (failures.length > 0) {
    process.stdout.write(`${JSON.stringify(failures)}\n`);
    process.exitCode = 1;
  }
}
