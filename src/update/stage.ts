import { lstatSync, rmSync } from "node:fs";
import { chmod, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";
import { runProcess } from "../lib/process.ts";
import { cannotWrite, downloadFile } from "./fetch.ts";
import { programName } from "./platform.ts";
import type { ReleaseSource } from "./source.ts";
import type { Release } from "./sums.ts";
import { releaseOf } from "./verdict.ts";

/** A new program beside the one it will replace, proved to run. */
export interface Staged extends Disposable {
  path: string;
  /** As it says itself, with the commit. */
  version: string;
  bytes: number;
}

const prefix = ".roborev-update-";
/** A directory of another update that is this old was left by one that was killed. */
const leftAfterMs = 60 * 60 * 1000;

/**
 * Downloads a release into a directory beside `target`, so that a rename is all that is left to do, compares its
 * checksum and tries the program. Whatever goes wrong, `target` is untouched and the directory gone.
 */
export async function stageRelease(
  { source, release, platform }: { source: ReleaseSource; release: Release; platform: string },
  { target, signal }: { target: string; signal: AbortSignal },
): Promise<Staged> {
  const directory = await createBeside(target);
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove); // a second Ctrl-C ends the process at once
  const dispose = () => {
    process.off("exit", remove);
    remove();
  };
  try {
    const archive = join(directory, "archive");
    const { sha256, bytes } = await downloadFile(source.archiveUrl(release), archive, signal);
    if (sha256 !== release.sha256) {
      throw new RoborevError(
        `the checksum of ${release.archive} is wrong: it is damaged or was changed; nothing was installed`,
        { code: "E_CHECKSUM", hint: "Try again later." },
      );
    }
    const path = join(directory, programName(platform));
    await unpack(archive, path, release);
    const version = await versionOf(path, { directory, release, signal });
    return { path, version, bytes, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

async function createBeside(target: string): Promise<string> {
  const parent = dirname(target);
  try {
    const left = (await readdir(parent)).filter((name) => name.startsWith(prefix));
    for (const name of left) removeLeft(join(parent, name));
    return await mkdtemp(join(parent, prefix));
  } catch (cause) {
    throw new RoborevError(`cannot write to ${parent}: ${failureReason(cause)}`, {
      code: "E_WRITE",
      hint: "Run the update as the owner of that directory, or install anew with install.sh --dir DIRECTORY.",
      cause,
    });
  }
}

function removeLeft(path: string): void {
  try {
    if (Date.now() - lstatSync(path).mtimeMs > leftAfterMs) rmSync(path, { recursive: true, force: true });
  } catch (error) {
    // Its update ends just now, or was of another user: that is no obstacle to this one.
    if (!["ENOENT", "EACCES", "EPERM"].includes(errorCode(error) ?? "")) throw error;
  }
}

async function unpack(archive: string, path: string, release: Release): Promise<void> {
  const name = basename(path);
  const files = await new Bun.Archive(await Bun.file(archive).bytes()).files(name).catch((cause) => {
    throw new RoborevError(`${release.archive} cannot be unpacked`, { code: "E_RELEASE", cause });
  });
  const program = files.get(name);
  if (program === undefined)
    throw new RoborevError(`${release.archive} holds no ${name}`, { code: "E_RELEASE" });
  try {
    // Not its stream: Bun 1.4.5 then resolves before the file is closed, and a file that is open for writing does not run.
    await writeFile(path, await program.bytes());
    await chmod(path, 0o755);
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
}

/** Asks the new program itself, away from the user's data. */
async function versionOf(
  path: string,
  { directory, release, signal }: { directory: string; release: Release; signal: AbortSignal },
): Promise<string> {
  const env = { ...process.env, ROBOREV_DATA_DIR: join(directory, "data") };
  const run = await runProcess([path, "version", "--json"], { env, signal, timeoutMs: 30_000 }).catch(
    notStarted,
  );
  signal.throwIfAborted();
  if (typeof run === "string") throw doesNotRun(release, run);
  if (run.timedOut) throw doesNotRun(release, "it did not answer within 30 s");
  if (run.exitCode !== 0) throw doesNotRun(release, `it ended with ${run.exitCode}`);
  const said = tryVersion(Buffer.from(run.stdout).toString());
  if (said === undefined) throw doesNotRun(release, "it is another program");
  if (releaseOf(said) !== release.version) {
    throw new RoborevError(
      `the program of release ${release.version} says that it is ${said}; nothing was installed`,
      { code: "E_RELEASE" },
    );
  }
  return said;
}

/** Why it cannot even be started. */
function notStarted(error: unknown): string {
  if (error instanceof RoborevError)
    return `it cannot be started (${errorCode(error.cause) ?? error.message})`;
  throw error;
}

const doesNotRun = ({ version }: Release, why: string) =>
  new RoborevError(
    `the program of release ${version} does not run on this machine: ${why}; nothing was installed`,
    { code: "E_RELEASE" },
  );

function tryVersion(json: string): string | undefined {
  try {
    const { name, version } = JSON.parse(json);
    return name === "roborev" && typeof version === "string" ? version.replace(/^v/, "") : undefined;
  } catch {
    return undefined; // not a word of ours
  }
}
