import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDaemonClient, type DaemonClient } from "../../src/client/daemon.ts";
import { daemonSocketPath } from "../../src/client/socket-path.ts";
import { type DataPaths, dataPaths } from "../../src/config/paths.ts";

const fixture = join(import.meta.dir, "lock-holder-fixture.ts");

export const holderArgv = (behaviour: string, paths: DataPaths): string[] => [
  process.execPath,
  fixture,
  behaviour,
  paths.dataDir,
  daemonSocketPath(paths.dataDir),
  "daemon",
  "run",
];

export function testPaths(directory: string): DataPaths {
  const paths = dataPaths(join(directory, "data"));
  mkdirSync(paths.dataDir, { recursive: true, mode: 0o700 });
  return paths;
}

export interface Holder extends AsyncDisposable {
  pid: number;
  exited: Promise<number>;
  client: DaemonClient;
}

/** A process that holds the lock and answers like a daemon; ready when this resolves. */
export async function startHolder(
  behaviour: string,
  paths: DataPaths,
  options: { record?: boolean } = {},
): Promise<Holder> {
  const child = Bun.spawn(holderArgv(behaviour, paths), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  await child.stdout.getReader().read();
  if (options.record) writeFileSync(paths.daemonRecord, JSON.stringify({ pid: child.pid }));
  return {
    pid: child.pid,
    exited: child.exited,
    client: createDaemonClient(daemonSocketPath(paths.dataDir)),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
