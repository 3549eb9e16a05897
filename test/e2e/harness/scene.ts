import { appendFileSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../../support/temp.ts";
import { type Model, type ModelRequest, type Step, startModel } from "./model.ts";
import type { Place, Program } from "./program.ts";

export interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface SessionRun extends Ran {
  ms: number;
  /** All that the program asked the model, and those of the session itself. */
  requests: ModelRequest[];
  main: ModelRequest[];
}

export interface Job {
  id: number;
  status: string;
  verdict?: string;
  error?: string;
  git_ref: string;
  agent: string;
}

export interface SessionOptions {
  /** Continues the last session. */
  resume?: boolean;
  subSteps?: Step[];
  /** Where the program is started; default the repository. */
  cwd?: string;
}

/** A home, a repository under review and a model, with roborev set up by its own commands. */
export interface Scene extends Place, AsyncDisposable {
  program: Program;
  model: Model;
  root: string;
  home: string;
  /** The installed roborev. */
  binary: string;
  /** What `agent-hook install` printed. */
  installed: string;
  run(argv: string[], cwd?: string): Promise<Ran>;
  roborev(...args: string[]): Promise<Ran>;
  git(...args: string[]): Promise<string>;
  session(steps: Step[], options?: SessionOptions): Promise<SessionRun>;
  /** The latest ten, newest first. */
  jobs(): Promise<Job[]>;
  daemonPid(): Promise<number>;
  configure(toml: string): void;
}

export interface SceneOptions {
  program: Program;
  /** The compiled roborev. */
  binary: string;
  /** Appended to the global configuration. */
  config?: string;
  reviewer?: string;
  installArgs?: string[];
  /** Parts of the paths of everything; default plain ones. */
  directory?: string;
  /** The program's own variable names another place for its configuration. */
  movedConfig?: boolean;
  /** Codex runs no hook that nobody trusts; default true. */
  trusted?: boolean;
}

const sessionLimitMs = 120_000;

export async function openScene(options: SceneOptions): Promise<Scene> {
  const { program } = options;
  const dir = tempDir();
  const model = startModel();
  const root = join(dir.path, options.directory ?? "");
  const [home, repo, bin] = [join(root, "home"), join(root, "repo"), join(root, "bin")];
  for (const path of [home, repo, bin, join(root, "tmp")]) mkdirSync(path, { recursive: true });
  const binary = join(bin, "roborev");
  linkSync(options.binary, binary);
  const config = join(home, options.movedConfig ? "elsewhere" : program.configDirectory);
  const env = {
    ...sceneEnvironment(root, program.env(model.port)),
    ...(options.movedConfig ? { [program.configVariable]: config } : {}),
  };
  writeFileSync(
    join(root, "gitconfig"),
    "[user]\n\tname = E2E\n\temail = e2e@example.invalid\n[init]\n\tdefaultBranch = main\n",
  );
  // Codex runs commands in a login shell, which sets PATH anew.
  writeFileSync(join(home, ".profile"), `PATH="${bin}:$PATH"\n`);
  const run = (argv: string[], cwd = repo) => runToEnd(argv, cwd, env, 60_000);
  const must = async (argv: string[]) => {
    const ran = await run(argv);
    if (ran.exitCode !== 0) throw new Error(`${argv.join(" ")}: ${ran.stderr || ran.stdout}`);
    return ran.stdout;
  };
  const status = async () =>
    JSON.parse(await must([binary, "status", "--json"])) as { daemon: { pid: number }; jobs: Job[] };
  const place: Place = { config, repo, port: model.port, env };
  const dataDir = join(home, ".roborev");
  const scene: Scene = {
    ...place,
    program,
    model,
    home,
    root,
    binary,
    installed: "",
    run,
    roborev: (...args) => run([binary, ...args]),
    git: (...args) => must(["git", ...args]),
    async session(steps, { resume = false, subSteps, cwd = repo } = {}) {
      const requests = model.play(steps, subSteps);
      const args = (resume ? program.resume : program.start)("PROMPT-MARK do what is scripted");
      const startMs = performance.now();
      const ran = await runToEnd([program.path, ...args], cwd, env, sessionLimitMs);
      const main = requests.filter(({ kind }) => kind === "main");
      return { ...ran, requests, main, ms: Math.round(performance.now() - startMs) };
    },
    jobs: async () => (await status()).jobs,
    daemonPid: async () => (await status()).daemon.pid,
    configure: (toml) => appendFileSync(join(dataDir, "config.toml"), `${toml}\n`),
    async [Symbol.asyncDispose]() {
      await run([options.binary, "daemon", "stop"]);
      model[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
  try {
    program.configure(place);
    await scene.git("init", "-q");
    await scene.git("commit", "-q", "--allow-empty", "-m", "first");
    await must([binary, "init", "--agent", options.reviewer ?? "test"]);
    if (options.config) scene.configure(options.config);
    const install = ["agent-hook", "install", "--agent", program.name, ...(options.installArgs ?? [])];
    const installed = await run([binary, ...install]);
    scene.installed = installed.stdout + installed.stderr;
    if (options.trusted ?? true) await program.trust(place);
  } catch (error) {
    await scene[Symbol.asyncDispose]();
    throw error;
  }
  return scene;
}

function sceneEnvironment(root: string, own: Record<string, string>): Record<string, string> {
  const home = join(root, "home");
  return {
    PATH: `${join(root, "bin")}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    ROBOREV_DATA_DIR: join(home, ".roborev"),
    GIT_CONFIG_GLOBAL: join(root, "gitconfig"),
    GIT_CONFIG_NOSYSTEM: "1",
    TMPDIR: join(root, "tmp"),
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    USER: "e2e",
    // Nothing but loopback may be reached: everything else meets a closed port.
    HTTP_PROXY: "http://127.0.0.1:9",
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1,localhost",
    ...own,
  };
}

/** Runs a program in a process group of its own, which is ended with it. */
async function runToEnd(
  argv: string[],
  cwd: string,
  env: Record<string, string>,
  limitMs: number,
): Promise<Ran> {
  const child = Bun.spawn(argv, {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  const endGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  const limit = setTimeout(() => endGroup("SIGKILL"), limitMs);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearTimeout(limit);
  endGroup("SIGTERM");
  return { exitCode, stdout, stderr };
}
