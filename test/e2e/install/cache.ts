import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { isIsolated, runIsolated } from "../isolation.ts";
import { nodeRelease, type Release } from "./releases.ts";

/** Where the programs are kept between runs: a few gigabytes for all of them. */
export const cacheDirectory: string =
  process.env.HARNESS_CACHE || join(import.meta.dir, "../../../.cache/harness");

/** What came of one release. */
export type Installed = { path: string } | { problem: string };

const npmLimitMs = 300_000;

const problemsVariable = "E2E_PROBLEMS";

/**
 * Installs what is missing of these and runs `play` with where each is, or why it is not: where the system allows it in
 * a process of its own that reaches nothing but loopback, whose exit status it returns.
 */
export async function withPrograms(
  releases: readonly Release[],
  play: (installed: ReadonlyMap<Release, Installed>) => Promise<number>,
): Promise<number> {
  if (isIsolated()) {
    const problems = JSON.parse(process.env[problemsVariable] ?? "{}") as Record<string, string>;
    return play(await installAll(releases, (release) => problems[release.spec]));
  }
  const installed = await installAll(releases);
  const problems = [...installed].flatMap(([{ spec }, one]) =>
    "problem" in one ? [[spec, one.problem]] : [],
  );
  const status = runIsolated({ [problemsVariable]: JSON.stringify(Object.fromEntries(problems)) });
  return status ?? play(installed);
}

/** As `withPrograms`, in this process. */
export async function installAll(
  releases: readonly Release[],
  knownProblem: (release: Release) => string | undefined = () => undefined,
): Promise<Map<Release, Installed>> {
  const results = new Map<Release, Installed>();
  const nodes = new Map<number, Promise<string>>();
  const nodeFor = (major: number) => {
    const found = nodes.get(major) ?? findNode(major);
    nodes.set(major, found);
    return found;
  };
  const waiting = [...releases];
  const work = async () => {
    for (let release = waiting.shift(); release !== undefined; release = waiting.shift()) {
      const known = knownProblem(release);
      try {
        results.set(release, known ? { problem: known } : { path: await install(release, nodeFor) });
      } catch (error) {
        results.set(release, { problem: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  await Promise.all([work(), work(), work()]);
  return results;
}

async function install(release: Release, nodeFor: (major: number) => Promise<string>): Promise<string> {
  const folder = join(cacheDirectory, `${release.name}-${release.version}`);
  if (!existsSync(folder)) await fetchInto(folder, release);
  const { start } = release;
  const executable = join(folder, release.name);
  if ("script" in start) {
    const script = `exec '${await nodeFor(start.node)}' "$(dirname "$0")/node_modules/${start.script}" "$@"`;
    putInPlace(executable, (path) => writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 }));
  }
  return executable;
}

/** With a new folder of npm's, moved to its place once it is whole. */
async function fetchInto(folder: string, release: Release): Promise<void> {
  const part = `${folder}.part-${process.pid}`;
  mkdirSync(part, { recursive: true });
  try {
    writeFileSync(join(part, "package.json"), '{"private":true}\n');
    await npmInstall(part, release);
    const { start } = release;
    const executable = join(part, release.name);
    if ("native" in start) {
      const found = findIn(part, start.native);
      chmodSync(join(part, found), 0o755);
      symlinkSync(found, executable);
    } else if ("brotli" in start) {
      const packed = readFileSync(join(part, findIn(part, start.brotli)));
      writeFileSync(executable, brotliDecompressSync(packed), { mode: 0o755 });
    } else findIn(part, start.script);
    if (existsSync(folder)) return; // another run was faster
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

async function npmInstall(cwd: string, { spec, lean }: Release): Promise<void> {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"];
  const npm = Bun.spawn(["npm", "install", ...quiet, ...(lean ? ["--omit=optional"] : []), spec], {
    cwd,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: npmLimitMs,
    killSignal: "SIGKILL",
  });
  const [stderr, exitCode] = await Promise.all([new Response(npm.stderr).text(), npm.exited]);
  if (exitCode === 0) return;
  const said = stderr.split("\n").filter((line) => /^npm error (?!code|errno|syscall)/.test(line));
  throw new Error(`npm cannot install ${spec}: ${said[0]?.slice(10) ?? `exit ${exitCode}`}`);
}

/** Relative to the folder. */
function findIn(folder: string, pattern: string): string {
  const found = [...new Bun.Glob(`node_modules/${pattern}`).scanSync({ cwd: folder, dot: true })];
  const [best] = found.sort((a, b) => a.length - b.length);
  if (best === undefined) throw new Error(`the package has no ${pattern}`);
  return best;
}

/** The Node on PATH if it is new enough, otherwise the registry's. */
async function findNode(major: number): Promise<string> {
  const own = Bun.which("node");
  if (own !== null) {
    const { stdout } = Bun.spawnSync([own, "--version"], { stderr: "ignore" });
    if (Number(/^v(\d+)/.exec(stdout.toString())?.[1] ?? 0) >= major) return own;
  }
  return install(nodeRelease, () => Promise.reject(new Error("unreachable")));
}

function putInPlace(path: string, write: (path: string) => void): void {
  const fresh = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  write(fresh);
  renameSync(fresh, path);
}
