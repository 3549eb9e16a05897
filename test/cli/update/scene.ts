import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { roborev } from "../../support/binary.ts";
import { asBuilt, platform, releaseServer } from "../../support/release-server.ts";
import { tempDir } from "../../support/temp.ts";
import { type CliOptions, runCli } from "../run-cli.ts";

/** What dist/roborev says that it is, the new release in all of this, with and without its commit. */
export const built: string = JSON.parse((await roborev(["version", "--json"])).stdout).version.slice(1);
export const latest: string = built.replace(/\+.*/, "");

/** An installed roborev 0.0.1, a release on a server, and no daemon yet. */
export function scene({ bin = "bin", version = "0.0.1+abc", program = asBuilt } = {}) {
  const dir = tempDir({ [`${bin}/roborev`]: "#!/bin/sh\necho old\n" });
  mkdirSync(dir.join("home/data"), { recursive: true, mode: 0o700 });
  writeFileSync(dir.join("home/data/config.toml"), 'default_agent = "test"\nmax_workers = 1\n');
  const server = releaseServer(latest, program);
  const path = dir.join(bin, "roborev");
  chmodSync(path, 0o755);
  const env = {
    HOME: dir.join("home"),
    ROBOREV_DATA_DIR: dir.join("home/data"),
    ROBOREV_UPDATE_URL: server.url,
  };
  return {
    dir,
    server,
    path,
    env,
    dataDir: env.ROBOREV_DATA_DIR,
    update: (args: string[], options: CliOptions = {}) =>
      runCli(["update", ...args], {
        cwd: dir.path,
        program: { version, platform, path },
        ...options,
        env: { ...env, ...options.env },
      }),
    installed: () => readFileSync(path, "utf8"),
    beside: () => readdirSync(dirname(path)).sort(),
    async [Symbol.asyncDispose]() {
      await roborev(["daemon", "stop"], { env });
      server[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

/** The program before. */
export const old = "#!/bin/sh\necho old\n";
