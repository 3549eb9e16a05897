import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { daemonSocketPath } from "../../client/socket-path.ts";
import { RoborevError } from "../../lib/errors.ts";
import { type RunResult, runProcess } from "../../lib/process.ts";
import { isCompiled } from "../../lib/self.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { singleLine } from "../../lib/text.ts";
import type { World } from "../command.ts";

export interface Ran {
  exitCode: number;
  stdout: string;
}

/** A repository, a home and a data directory that nobody else has, and the means to run programs in them. */
export interface Stage {
  root: string;
  repo: string;
  dataDir: string;
  /** Program for the git hooks, where this one is not a single file. */
  binary: string | undefined;
  write(file: string, text: string): Promise<void>;
  git(...args: string[]): Promise<Ran>;
  /** This program. Throws on an exit status that is not among `expect` (default 0). */
  roborev(args: string[], options?: { stdin?: string; expect?: number[] }): Promise<Ran>;
  /** Stops the daemon and removes everything. */
  clear(): Promise<void>;
}

/** Variables of the caller that would lead out of the stage. */
const foreign = /^(GIT_|ROBOREV_|XDG_|CLAUDE|CODEX_|ELECTRON_RUN_AS_NODE$)/;

export async function setStage(world: Pick<World, "env" | "self" | "signal">): Promise<Stage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "roborev-demo-")));
  const [repo, dataDir, home] = [join(root, "repo"), join(root, "data"), join(root, "home")];
  for (const directory of [repo, home]) await mkdir(directory);
  const gitConfig = join(root, "gitconfig");
  await writeFile(
    gitConfig,
    "[user]\n\tname = Demo\n\temail = demo@example.invalid\n[init]\n\tdefaultBranch = main\n",
  );
  const env = {
    ...Object.fromEntries(Object.entries(world.env).filter(([name]) => !foreign.test(name))),
    HOME: home,
    ROBOREV_DATA_DIR: dataDir,
    GIT_CONFIG_GLOBAL: gitConfig,
    GIT_CONFIG_NOSYSTEM: "1",
    USER: "demo",
    NO_COLOR: "1",
  };
  const binary = isCompiled() ? undefined : await writeWrapper(join(root, "roborev"), world.self);

  async function run(
    argv: string[],
    options: { stdin?: string; expect?: number[]; signal?: AbortSignal },
  ): Promise<Ran> {
    const { stdin, signal = world.signal } = options;
    signal.throwIfAborted();
    const result = await runProcess(argv, {
      cwd: repo,
      env,
      timeoutMs: 30_000,
      signal,
      ...(stdin === undefined ? {} : { stdin }),
    });
    signal.throwIfAborted();
    if (!(options.expect ?? [0]).includes(result.exitCode)) throw unexpected(argv, world.self, result);
    return { exitCode: result.exitCode, stdout: new TextDecoder().decode(result.stdout).trimEnd() };
  }

  return {
    root,
    repo,
    dataDir,
    binary,
    write: (file, text) => writeFile(join(repo, file), text),
    git: (...args) => run(["git", ...args], {}),
    roborev: (args, options = {}) => run([...world.self, ...args], options),
    async clear() {
      // Not the caller's signal: an interrupt is why we may be here.
      const stopped = run([...world.self, "daemon", "stop"], { signal: AbortSignal.timeout(20_000) });
      await stopped.finally(async () => {
        const socketDirectory = dirname(daemonSocketPath(dataDir));
        for (const directory of [root, ...(socketDirectory === dataDir ? [] : [socketDirectory])]) {
          await rm(directory, { recursive: true, force: true });
        }
      });
    },
  };
}

function unexpected(argv: string[], self: string[], { exitCode, stderr, timedOut }: RunResult): RoborevError {
  const words = argv[0] === self[0] ? ["roborev", ...argv.slice(self.length)] : argv;
  const why = timedOut ? "did not end within 30 s" : `ended with status ${exitCode}`;
  return new RoborevError(`${words.join(" ")} ${why}: ${singleLine(stderr) || "no message"}`, {
    code: "E_DEMO",
  });
}

/** A git hook names one executable: for a run from source, one that starts the runtime with the program. */
async function writeWrapper(path: string, self: string[]): Promise<string> {
  await writeFile(path, `#!/bin/sh\nexec ${self.map(shellWord).join(" ")} "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
