import { chmod, lstat, mkdir, readdir } from "node:fs/promises";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";

/**
 * Makes sure that `path` is a directory that only we can enter: creates it and its parents with mode 0700,
 * and narrows one of ours that others could enter. Refuses links, other node types and other owners.
 */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") throw refused(path, "is not a directory", keepIt);
    throw new RoborevError(`cannot create ${path}: ${failureReason(cause)}`, { code: "E_WRITE", cause });
  }
  if ((await checkedMode(path, keepIt)) & 0o077) await chmod(path, 0o700);
}

const ownNames =
  /^(config\.toml|reviews\.db|daemon\.(start\.)?lock\.db|daemon\.log|post-commit\.log|agent-hook)$/;

/**
 * The same for the data directory, whose place the user chooses: `/tmp` or a home directory is refused, because
 * closing that to others would do harm.
 */
export async function ensureDataDirectory(path: string): Promise<void> {
  const mode = await lstat(path).then(
    (stat) => (stat.isDirectory() ? stat.mode : 0),
    () => 0, // absent, or refused below with the reason
  );
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    const names = await readdir(path);
    const ours = (mode & 0o1002) === 0 && names.some((name) => ownNames.test(name));
    if (names.length > 0 && !ours) {
      throw new RoborevError(`${path} is open to other users and holds files that are not roborev's`, {
        code: "E_PRIVATE",
        hint: "Point ROBOREV_DATA_DIR at a directory of its own, or close this one with chmod 700.",
      });
    }
  }
  await ensurePrivateDirectory(path);
}

/** As the first for a directory in a place that others can write to: one that is open to others is refused, never mended. */
export async function requirePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if ((await checkedMode(path, removeIt)) & 0o077)
    throw refused(path, "can be entered by other users", removeIt);
}

async function checkedMode(path: string, hint: string): Promise<number> {
  const stat = await lstat(path);
  if (!stat.isDirectory()) throw refused(path, "is not a directory", hint);
  if (process.getuid !== undefined && stat.uid !== process.getuid())
    throw refused(path, "belongs to another user", hint);
  return process.platform === "win32" ? 0o700 : stat.mode;
}

const keepIt = "Make it a directory of your own, or point ROBOREV_DATA_DIR at one.";
const removeIt = "Remove it and try again.";

const refused = (path: string, problem: string, hint: string) =>
  new RoborevError(`${path} ${problem}`, { code: "E_PRIVATE", hint });
