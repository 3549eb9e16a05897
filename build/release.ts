import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { archiveName, platforms, programName } from "../src/update/platform.ts";
import { compile, hostTarget, root } from "./compile.ts";
import { tarGz } from "./tar.ts";

export interface Built {
  target: string;
  archive: string;
}

interface ReleaseOptions {
  targets: readonly string[];
  version: string;
  /** Where the archives go. */
  directory: string;
  onBuilt(built: Built): void;
}

/**
 * The archives of some targets. One that cannot be built is named in the end and does not keep the others from being
 * tried. Then, as long as this runs, and until `writeSums`, there is no SHA256SUMS, without which nobody can install.
 */
export async function buildArchives(options: ReleaseOptions): Promise<Built[]> {
  await rm(join(options.directory, "SHA256SUMS"), { force: true });
  const built: Built[] = [];
  const failures: Error[] = [];
  for (const target of options.targets) {
    try {
      const one = { target, archive: await buildArchive(target, options) };
      built.push(one);
      options.onBuilt(one);
    } catch (cause) {
      failures.push(new Error(`${target}: ${messages(cause).join("; ")}`, { cause }));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures);
  return built;
}

async function buildArchive(target: string, { version, directory }: ReleaseOptions): Promise<string> {
  const platform = platforms[target] as string;
  const archive = join(directory, archiveName(version, platform));
  await inScratch(directory, async (scratch) => {
    const program = programName(platform);
    const outfile = join(scratch, program);
    await compile({ entry: join(root, "src", "main.ts"), outfile, version, target });
    const packed = tarGz([
      { name: program, content: await readFile(outfile), mode: 0o755 },
      { name: "LICENSE", content: await readFile(join(root, "LICENSE")), mode: 0o644 },
    ]);
    await writeFile(join(scratch, "archive"), packed);
    await rename(join(scratch, "archive"), archive);
  });
  return archive;
}

export async function writeSums(built: readonly Built[], directory: string): Promise<void> {
  const files = built.map(({ archive }) => archive).sort();
  const lines = files.map(
    async (file) =>
      `${createHash("sha256")
        .update(await readFile(file))
        .digest("hex")}  ${basename(file)}\n`,
  );
  await writeFile(join(directory, "SHA256SUMS"), (await Promise.all(lines)).join(""));
}

/** A directory beside what is built, so that it can be moved there in one step. */
export async function inScratch<T>(beside: string, work: (directory: string) => Promise<T>): Promise<T> {
  await mkdir(beside, { recursive: true });
  const scratch = await mkdtemp(join(beside, ".build-"));
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Whether this machine can run what was built for a target: its own kind, and the same for older processors. */
export function runsHere(target: string): boolean {
  const host = hostTarget();
  return target === host || target === `${host}-baseline`;
}

/** Unpacks an archive as a user would, and runs every command of it in a directory full of traps. */
export async function smokeTest({ target, archive }: Built): Promise<void> {
  const unpackAndRun = async (scratch: string) => {
    run(["tar", "-xzf", archive, "-C", scratch]);
    run([process.execPath, "test", "--timeout=120000", "test/build/hostile-directory.test.ts"], {
      // Not ROBOREV_…: tests begin with none of those.
      BINARY_UNDER_TEST: join(scratch, programName(platforms[target] as string)),
    });
  };
  await inScratch(join(archive, ".."), unpackAndRun).catch((cause) => {
    throw new Error(`${target}: ${messages(cause).join("; ")}`, { cause });
  });
}

function run(argv: string[], env: Record<string, string> = {}): void {
  const child = Bun.spawnSync(argv, { cwd: root, env: { ...process.env, ...env }, stderr: "pipe" });
  if (child.exitCode !== 0)
    throw new Error(`${argv.join(" ")} failed: ${child.stdout}${child.stderr}`.trim());
}

/** Every one that is behind an error: the bundler throws several at once. */
export const messages = (error: unknown): string[] =>
  error instanceof AggregateError
    ? error.errors.flatMap(messages)
    : [error instanceof Error ? error.message : String(error)];
