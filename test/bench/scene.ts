import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../../build/compile.ts";
import { waitFor } from "../support/wait.ts";

export interface Scene extends Disposable {
  /** Everything of it lies here. */
  place: string;
  roborev: string;
  /** An empty program, compiled the same way. */
  empty: string;
  repo: string;
  env: Record<string, string>;
  run(...args: string[]): string;
  git(...args: string[]): string;
}

const root = join(import.meta.dir, "..", "..");

/** Fresh copies of both programs, a data directory and a home of their own, and an empty repository. */
export async function buildScene(): Promise<Scene> {
  const built = join(root, "dist", "roborev");
  if (!existsSync(built)) throw new Error("there is no dist/roborev; run bun run build first");
  const place = realpathSync(mkdtempSync(join(tmpdir(), "roborev-bench-")));
  const [roborev, empty, repo] = [join(place, "roborev"), join(place, "empty"), join(place, "repo")];
  copyFileSync(built, roborev);
  writeFileSync(join(place, "empty.ts"), "export {};\n");
  await compile({ entry: join(place, "empty.ts"), outfile: join(place, "built"), version: "0" });
  copyFileSync(join(place, "built"), empty); // copied like the other one: a young page cache is a fast one
  for (const name of ["home", "repo"]) mkdirSync(join(place, name));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: join(place, "home"),
    ROBOREV_DATA_DIR: join(place, "data"),
    GIT_CONFIG_GLOBAL: join(place, "gitconfig"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
  writeFileSync(
    env.GIT_CONFIG_GLOBAL,
    "[user]\n\tname = Bench\n\temail = bench@example.invalid\n[init]\n\tdefaultBranch = main\n",
  );
  const execute = (argv: string[]) => {
    const run = Bun.spawnSync(argv, { cwd: repo, env, stderr: "pipe" });
    if (run.exitCode !== 0)
      throw new Error(`${argv.join(" ")}: exit ${run.exitCode} ${run.stderr.toString().trim()}`);
    return run.stdout.toString();
  };
  const run = (...args: string[]) => execute([roborev, ...args]);
  return {
    place,
    roborev,
    empty,
    repo,
    env,
    run,
    git: (...args) => execute(["git", ...args]).trim(),
    [Symbol.dispose]() {
      try {
        run("daemon", "stop");
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    },
  };
}

/** Starts the daemon, registers the repository and lets the built-in reviewer fail `count` commits. */
export async function failReviews(scene: Scene, count: number): Promise<void> {
  scene.git("init", "-q");
  scene.run("daemon", "start");
  scene.run("init", "--agent", "test");
  // Every turn is counted and none is answered with a reminder.
  appendFileSync(
    join(scene.env.ROBOREV_DATA_DIR ?? "", "config.toml"),
    "\n[agent_hook]\nturn_threshold = 0\n",
  );
  for (let index = 0; index < count; index++) {
    writeFileSync(join(scene.repo, `file-${index}.ts`), `export const a = ${index}; // BUG: wrong\n`);
    scene.git("add", "-A");
    scene.git("commit", "-q", "-m", `change ${index}`);
  }
  await waitFor(
    `${count} failed reviews`,
    () => {
      const jobs = JSON.parse(scene.run("list", "--json")) as { verdict?: string }[];
      return jobs.filter(({ verdict }) => verdict === "F").length === count;
    },
    60_000,
  );
}

export function residentMiB(pid: number): number {
  const run = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
  const kib = Number(run.stdout.toString().trim());
  if (!Number.isInteger(kib) || kib === 0) throw new Error(`cannot read the memory of process ${pid}`);
  return kib / 1024;
}
