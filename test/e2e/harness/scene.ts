import { appendFileSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../../support/temp.ts";
import { type Ran, runToEnd } from "../run.ts";
import { type Model, type ModelRequest, type Step, startModel } from "./model.ts";
import type { Place, Program } from "./program.ts";

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
  /** The installed roborev. */
  binary: string;
  /** What `agent-hook install` printed. */
  installed: string;
  run(argv: string[], cwd?: string): Promise<Ran>;
  roborev(...args: string[]): Promise<Ran>;
  git(...args: string[]): Promise<string>;
  /** `agent-hook install`, and the trust that the program asks for. */
  install(): Promise<Ran>;
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
  /** Whether the hooks are installed from the start; default true. */
  hooked?: boolean;
}

// Long, for a busy machine: nothing that works takes as long.
const sessionLimitMs = 240_000;
const commandLimitMs = 240_000;

export async function openScene(options: SceneOptions): Promise<Scene> {
  const { program } = options;
  const dir = tempDir();
  const model = startModel(program);
  const root = join(dir.path, options.directory ?? "");
  const [home, repo, bin] = [join(root, "home"), join(root, "repo"), join(root, "bin")];
  for (const path of [home, repo, bin, join(root, "tmp")]) mkdirSync(path, { recursive: true });
  const binary = join(bin, "roborev");
  linkSync(options.binary, binary);
  const { directory, directoryVariable } = program.harness.config;
  const config = join(home, options.movedConfig ? "elsewhere" : directory);
  const env = {
    ...sceneEnvironment(root, program.env(model.port)),
    ...(options.movedConfig && directoryVariable !== undefined ? { [directoryVariable]: config } : {}),
  };
  writeFileSync(
    join(root, "gitconfig"),
    "[user]\n\tname = E2E\n\temail = e2e@example.invalid\n[init]\n\tdefaultBranch = main\n",
  );
  // Codex runs commands in a login shell, which sets PATH anew.
  writeFileSync(join(home, ".profile"), `PATH="${bin}:$PATH"\n`);
  const run = (argv: string[], cwd = repo) => runToEnd(argv, cwd, env, commandLimitMs);
  const must = async (argv: string[]) => {
    const ran = await run(argv);
    if (ran.exitCode !== 0) throw new Error(`${argv.join(" ")}: ${ran.stderr || ran.stdout}`);
    return ran.stdout;
  };
  const status = async () =>
    JSON.parse(await must([binary, "status", "--json"])) as { daemon: { pid: number }; jobs: Job[] };
  const place: Place = { home, config, repo, port: model.port, env };
  const dataDir = join(home, ".roborev");
  const scene: Scene = {
    ...place,
    program,
    model,
    root,
    binary,
    installed: "",
    run,
    roborev: (...args) => run([binary, ...args]),
    git: (...args) => must(["git", ...args]),
    async install() {
      const args = ["--agent", program.name, ...(options.installArgs ?? [])];
      const installed = await run([binary, "agent-hook", "install", ...args]);
      scene.installed = installed.stdout + installed.stderr;
      if (options.trusted ?? true) await program.trust(place);
      return installed;
    },
    async session(steps, { resume = false, subSteps, cwd = repo } = {}) {
      const requests = model.play(steps, subSteps);
      const arguments_ = resume ? program.resume : program.start;
      if (arguments_ === undefined) throw new Error(`${program.name}: nobody said how to resume a session`);
      const args = arguments_("PROMPT-MARK do what is scripted");
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
    // The shell tool of Gemini CLI puts a file of its own in place of the user's global configuration.
    await scene.git("config", "user.name", "E2E");
    await scene.git("config", "user.email", "e2e@example.invalid");
    await scene.git("commit", "-q", "--allow-empty", "-m", "first");
    await must([binary, "init", "--agent", options.reviewer ?? "test"]);
    if (options.config) scene.configure(options.config);
    if (options.hooked ?? true) await scene.install();
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
