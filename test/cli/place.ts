import { type FakeDaemon, fakeDaemon } from "../client/fake-daemon.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { type CliOptions, runCli } from "./run-cli.ts";

/** A repository, a data directory with a fake daemon, and the command line in between. */
export function place(routes: Parameters<typeof fakeDaemon>[1] = {}) {
  const dir = tempDir();
  const repo = testRepo();
  const daemon: FakeDaemon = fakeDaemon(dir.join("data"), routes);
  return {
    repo,
    daemon,
    dataDir: dir.join("data"),
    cli: (argv: string[], options: CliOptions = {}) =>
      runCli(argv, {
        cwd: repo.path,
        ...options,
        env: { ROBOREV_DATA_DIR: dir.join("data"), ...options.env },
      }),
    async [Symbol.asyncDispose]() {
      await daemon.stop();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}
