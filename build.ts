import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

// bun build.ts                      dist/roborev for this machine
// bun build.ts --target=linux-x64   a release archive for that system, and SHA256SUMS; repeatable, or `all`

const root = import.meta.dir;

/** Systems we release for: Bun's name of the target, and ours in the archive's name. */
const releases: Record<string, string> = {
  "linux-x64": "linux_amd64",
  "linux-arm64": "linux_arm64",
  "linux-x64-musl": "linux_amd64_musl",
  "linux-arm64-musl": "linux_arm64_musl",
  "darwin-x64": "darwin_amd64",
  "darwin-arm64": "darwin_arm64",
  "windows-x64": "windows_amd64",
  "windows-arm64": "windows_arm64",
};

export interface CompileOptions {
  entry: string;
  outfile: string;
  version: string;
  /** One of the keys of `releases`; default: this machine. */
  target?: string;
}

/**
 * Compiles one native binary. Bytecode, ESM and splitting together keep the start of the hook path as short as that
 * of an empty program. The other three switches are for safety, because roborev runs inside repositories that nobody
 * vetted: without them their `bunfig.toml` runs code, their `.env` sets variables, and `BUN_OPTIONS` adds a preload.
 * No switch of Bun 1.4.5 closes BUN_BE_BUN, BUN_INSPECT and BUN_INSPECT_PRELOAD in the environment of the caller.
 */
export async function compile({ entry, outfile, version, target }: CompileOptions): Promise<void> {
  await Bun.build({
    entrypoints: [entry],
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    splitting: true,
    // Ink loads it for debugging only, and does without it.
    external: ["react-devtools-core"],
    define: { ROBOREV_VERSION: JSON.stringify(version), "process.env.NODE_ENV": '"production"' },
    compile: {
      outfile,
      ...(target === undefined ? {} : { target: `bun-${target}` as Bun.Build.CompileTarget }),
      autoloadBunfig: false,
      autoloadDotenv: false,
      execArgv: ["--"],
    },
  });
}

/** `1.2.3+<commit>`, with `.dirty` when files differ from it; without git only `1.2.3`. */
export async function sourceVersion(): Promise<string> {
  const { version } = (await Bun.file(join(root, "package.json")).json()) as { version: string };
  const commit = git("rev-parse", "--short=12", "HEAD");
  if (!commit) return version;
  return `${version}+${commit}${git("status", "--porcelain", "--untracked-files=no") === "" ? "" : ".dirty"}`;
}

function git(...args: string[]): string | undefined {
  if (!existsSync(join(root, ".git"))) return undefined;
  try {
    const run = Bun.spawnSync(["git", "--no-optional-locks", ...args], { cwd: root, stderr: "ignore" });
    return run.exitCode === 0 ? run.stdout.toString().trim() : undefined;
  } catch {
    return undefined; // no git on this machine: the version does without the commit
  }
}

async function buildHere(version: string): Promise<string> {
  const binary = join(root, "dist", process.platform === "win32" ? "roborev.exe" : "roborev");
  await inScratch(async (scratch) => {
    const built = join(scratch, basename(binary));
    await compile({ entry: join(root, "src", "main.ts"), outfile: built, version });
    await rename(built, binary); // a daemon may be running from the old file
  });
  return binary;
}

async function buildRelease(target: string, version: string): Promise<string> {
  const name = `roborev_${version.replace(/\+.*/, "")}_${releases[target]}.tar.gz`;
  const archive = join(root, "dist", name);
  await inScratch(async (scratch) => {
    const built = join(scratch, target.startsWith("windows") ? "roborev.exe" : "roborev");
    await compile({ entry: join(root, "src", "main.ts"), outfile: built, version, target });
    await chmod(built, 0o755);
    await writeFile(join(scratch, "LICENSE"), await readFile(join(root, "LICENSE")));
    // tar, not Bun.Archive, which drops the executable bit.
    const packed = Bun.spawnSync([
      "tar",
      "-czf",
      `${archive}.tmp`,
      "-C",
      scratch,
      basename(built),
      "LICENSE",
    ]);
    if (packed.exitCode !== 0) throw new Error(`cannot pack ${name}: ${packed.stderr.toString().trim()}`);
    await rename(`${archive}.tmp`, archive);
  });
  return archive;
}

async function inScratch(work: (directory: string) => Promise<void>): Promise<void> {
  await mkdir(join(root, "dist"), { recursive: true });
  const scratch = await mkdtemp(join(root, "dist", ".build-"));
  try {
    await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function parseTargets(args: string[]): string[] {
  const targets = args.flatMap((arg) => {
    const value = /^--target=(.+)$/.exec(arg)?.[1];
    if (value === undefined) throw new Error(`unknown argument ${arg}; the only one is --target=NAME`);
    return value === "all"
      ? Object.keys(releases)
      : value.split(",").map((name) => name.replace(/^bun-/, ""));
  });
  const unknown = targets.find((target) => !Object.hasOwn(releases, target));
  if (unknown) throw new Error(`unknown target ${unknown}; known: all, ${Object.keys(releases).join(", ")}`);
  return [...new Set(targets)];
}

function report(file: string, version: string, startedMs: number): void {
  const megabytes = (Bun.file(file).size / 1e6).toFixed(1);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`built ${file.slice(root.length + 1)} ${version}, ${megabytes} MB in ${seconds} s`);
}

if (import.meta.main) {
  try {
    const targets = parseTargets(process.argv.slice(2));
    const version = await sourceVersion();
    let startedMs = performance.now();
    if (targets.length === 0) report(await buildHere(version), version, startedMs);
    const sums: string[] = [];
    for (const target of targets) {
      startedMs = performance.now();
      const archive = await buildRelease(target, version);
      sums.push(
        `${createHash("sha256")
          .update(await readFile(archive))
          .digest("hex")}  ${basename(archive)}\n`,
      );
      report(archive, version, startedMs);
    }
    if (sums.length > 0) await writeFile(join(root, "dist", "SHA256SUMS"), sums.join(""));
  } catch (error) {
    const problems = error instanceof AggregateError ? error.errors : [error];
    for (const problem of problems)
      console.error(`build failed: ${problem instanceof Error ? problem.message : problem}`);
    process.exit(1);
  }
}
