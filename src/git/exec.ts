import { existsSync } from "node:fs";
import { RoborevError } from "../lib/errors.ts";
import { type RunResult, runProcess } from "../lib/process.ts";
import { singleLine, truncateUtf8 } from "../lib/text.ts";

export interface GitOptions {
  cwd: string;
  /** Default 30 s. */
  timeoutMs?: number;
  /** Standard output beyond this is dropped and `truncated` set. Default 64 MiB. */
  maxBytes?: number;
  stdin?: string | Uint8Array;
  /** Additions to the environment, which otherwise is an allow-list. */
  env?: Record<string, string>;
}

// A repository's own configuration can name programs that git starts. Each switch closes one way; what only matters
// where git touches a work tree (filters, diff drivers) is closed in local-drivers.ts.
const switches = [
  "--no-optional-locks",
  "--no-pager",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    // Above this git shows no content; a small one would hide every change.
    "core.bigFileThreshold=512m",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.quotePath=false",
    "log.showSignature=false",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "i18n.logOutputEncoding=UTF-8",
  ].flatMap((setting) => ["-c", setting]),
];

// safe.directory lives in the user's own configuration, which is why that stays reachable.
const allowed =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TEMP|TMP|TZ|XDG_CONFIG_HOME|GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|SUDO_UID|SYSTEMROOT|SYSTEMDRIVE|WINDIR|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|PATHEXT)$/i;

/** Environment of every git child: inherited names from an allow-list, no prompts, no locks, no network. */
export function gitEnvironment(inherited: Record<string, string | undefined> = process.env) {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && allowed.test(name)) env[name] = value;
  }
  return {
    ...env,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A partial clone would fetch missing objects by a program that its configuration names (remote.*.uploadpack).
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    // refs/replace may show a reviewer other content than the commit that is pushed.
    GIT_NO_REPLACE_OBJECTS: "1",
    // Nor may info/grafts, with other parents. No such file: for an empty one git would print a hint.
    GIT_GRAFT_FILE: "/dev/null/none",
    GIT_LFS_SKIP_SMUDGE: "1",
  };
}

/** Runs git with the switches that a hostile repository calls for. Throws only if git cannot be started. */
export async function runGit(args: string[], options: GitOptions): Promise<RunResult> {
  const { env, ...rest } = options;
  try {
    return await runProcess(["git", ...switches, ...args], { ...rest, env: { ...gitEnvironment(), ...env } });
  } catch (cause) {
    if (!existsSync(options.cwd)) {
      throw new RoborevError(`${options.cwd} does not exist`, { code: "E_GIT", cause });
    }
    throw new RoborevError(`cannot start git in ${options.cwd}`, {
      code: "E_GIT",
      hint: "Install git, or put it on PATH.",
      cause,
    });
  }
}

/** As `runGit`, for commands whose failure is an error; output that was cut off is one too. */
export async function runGitChecked(args: string[], options: GitOptions): Promise<RunResult> {
  const result = await runGit(args, options);
  if (result.exitCode !== 0 || result.truncated) throw gitError(args, options.cwd, result);
  return result;
}

/** Trimmed standard output; throws E_GIT with the sub-command and the first line of standard error. */
export async function gitText(args: string[], options: GitOptions): Promise<string> {
  return decode((await runGitChecked(args, options)).stdout).trim();
}

/** Trimmed standard output, undefined when git says no; a time-out still throws. */
export async function tryGitText(args: string[], options: GitOptions): Promise<string | undefined> {
  const result = await runGit(args, options);
  if (result.timedOut || result.truncated) throw gitError(args, options.cwd, result);
  return result.exitCode === 0 ? decode(result.stdout).trim() : undefined;
}

/** Fields of NUL-terminated output. */
export async function gitFields(args: string[], options: GitOptions): Promise<string[]> {
  const fields = decode((await runGitChecked(args, options)).stdout).split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}

export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export function gitError(args: string[], cwd: string, result: RunResult): RoborevError {
  const command = args.find((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-c") ?? "git";
  const lines = result.stderr.split("\n").filter((line) => line.trim() !== "");
  // Warnings and hints come first and are not why it failed.
  const firstLine = singleLine(lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0] ?? "");
  const reason = result.timedOut
    ? "took too long"
    : result.truncated
      ? "printed more than roborev accepts"
      : firstLine || `exit status ${result.exitCode}`;
  return new RoborevError(`git ${command} in ${cwd}: ${truncateUtf8(reason, 500)}`, {
    code: result.timedOut ? "E_GIT_TIMEOUT" : "E_GIT",
  });
}
