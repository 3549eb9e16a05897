import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createOutput } from "../../src/cli/output.ts";
import { installService, plannedService, uninstallService } from "../../src/cli/service-install.ts";
import { installedService } from "../../src/cli/service-launch.ts";
import { stopDaemon } from "../../src/client/stop.ts";
import { dataPaths } from "../../src/config/paths.ts";
import { launchd } from "../../src/install/service/launchd.ts";
import { serviceManager } from "../../src/install/service/service.ts";
import { binary } from "../support/binary.ts";
import { tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000);

test("launchd is asked to load and start the daemon, which takes the place of the one that ran; and to unload it", async () => {
  using dir = tempDir();
  for (const name of ["bin", "home"]) mkdirSync(dir.join(name));
  const asked = dir.join("asked");
  writeFileSync(
    dir.join("bin/launchctl"),
    `#!/bin/sh
echo "$*" >>'${asked}'
case $1 in
kickstart) ROBOREV_SERVICE=launchd setsid '${binary}' daemon run </dev/null >/dev/null 2>&1 & ;;
bootout) '${binary}' daemon stop >/dev/null; exit 3 ;;
esac
`,
    { mode: 0o755 },
  );
  const paths = dataPaths(dir.join("data"));
  const env = {
    HOME: dir.join("home"),
    PATH: `${dir.join("bin")}:${process.env.PATH}`,
    ROBOREV_DATA_DIR: paths.dataDir,
  };
  let said = "";
  const sink = {
    write(text: string) {
      said += text;
    },
    isTerminal: false,
  };
  const out = createOutput({ stdout: sink, stderr: sink, env, verbose: false });
  const flags = { json: false, verbose: false, server: undefined };
  const context = { env, out, flags, paths: () => paths };
  const plan = plannedService(launchd, { binary, paths, env });
  try {
    expect(await installedService(paths, env, launchd)).toBeUndefined();
    await installService(context, launchd, plan, false);
    const path = dir.join("home/Library/LaunchAgents/dev.roborev.daemon.plist");
    expect(said).toMatch(/^Wrote .*\.plist\nDaemon started by launchd \(pid \d+, version .*\)\n$/);
    expect(readFileSync(path, "utf8")).toBe(plan.text);
    expect(plan.text).toContain(`<key>ROBOREV_DATA_DIR</key><string>${paths.dataDir}</string>`);
    const domain = `gui/${process.getuid?.()}`;
    const job = `${domain}/dev.roborev.daemon`;
    const enabled = [`bootout ${job}`, `enable ${job}`, `bootstrap ${domain} ${path}`, `kickstart ${job}`];
    expect(readFileSync(asked, "utf8").trim().split("\n")).toEqual([`print ${domain}`, ...enabled]);
    expect(await installedService(paths, env, launchd)).toEqual({ manager: launchd, path, state: "ours" });
    expect(await installedService(dataPaths(dir.join("other")), env, launchd)).toBeUndefined();
    said = "";
    await uninstallService(context, launchd, false);
    expect([said, existsSync(path)]).toEqual([`Removed ${path}\n`, false]);
  } finally {
    await stopDaemon({ paths });
  }
});

test("a service that cannot be enabled leaves the file that stood there before, or none", async () => {
  using dir = tempDir();
  for (const name of ["bin", "home"]) mkdirSync(dir.join(name));
  const refusing = `#!/bin/sh\n[ "$1" = print ] || { echo 'Input/output error' >&2; exit 5; }\n`;
  writeFileSync(dir.join("bin/launchctl"), refusing, { mode: 0o755 });
  const paths = dataPaths(dir.join("data"));
  const env = { HOME: dir.join("home"), PATH: dir.join("bin"), ROBOREV_DATA_DIR: paths.dataDir };
  const sink = { write: () => true, isTerminal: false };
  const out = createOutput({ stdout: sink, stderr: sink, env, verbose: false });
  const flags = { json: false, verbose: false, server: undefined };
  const context = { env, out, flags, paths: () => paths };
  const plan = plannedService(launchd, { binary, paths, env });
  const install = installService(context, launchd, plan, false);
  await expect(install).rejects.toThrow("Input/output error; the file of the service is as it was before");
  expect(existsSync(plan.path)).toBe(false);
  writeFileSync(plan.path, "theirs");
  await expect(installService(context, launchd, plan, true)).rejects.toThrow("as it was before");
  expect([readFileSync(plan.path, "utf8"), existsSync(`${plan.path}.before-roborev`)]).toEqual([
    "theirs",
    false,
  ]);
  writeFileSync(plan.path, plan.text);
  await expect(installService(context, launchd, plan, false)).rejects.not.toThrow("as it was before");
  expect(readFileSync(plan.path, "utf8")).toBe(plan.text);
  rmSync(plan.path);
});

test("where no service manager is known, what to do instead is said", () => {
  expect(() => serviceManager("win32")).toThrow("roborev knows no service manager of win32");
});
