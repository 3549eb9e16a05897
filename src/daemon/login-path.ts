import { userInfo } from "node:os";
import { basename, delimiter, isAbsolute } from "node:path";
import { errorMessage } from "../lib/errors.ts";
import { runProcess } from "../lib/process.ts";

type Environment = Record<string, string | undefined>;

/** Shells that are known to understand these arguments; what only looks like a shell is not run. */
const shells: readonly [RegExp, readonly string[]][] = [
  [/^(?:ba|z|k|mk|da|a)?sh$|^fish$/, ["-l", "-i", "-c"]],
  // Their -l must be the only option; they read the user's start file without it.
  [/^t?csh$/, ["-i", "-c"]],
];

const timeoutMs = 5_000;
const maxPathBytes = 64 * 1024;

/** What `captureLoginPath` came to: the directories, or why there are none. */
export type LoginPath = { directories: string[] } | { problem: string };

/**
 * The directories that the user's own shell looks programs up in. A daemon that a git hook of an editor or a service
 * manager started knows only the system's, and finds no reviewer there. Takes 5 s at most and never rejects.
 */
export async function captureLoginPath(
  env: Environment,
  options: { shell?: string; signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<LoginPath> {
  const shell = options.shell ?? shellOf(env);
  const words = shells.find(([name]) => isAbsolute(shell) && name.test(basename(shell)))?.[1];
  if (!words) return { problem: `${shell || "no shell"} is not a shell that can be asked` };
  // Start files print things; only what stands between the marks counts.
  const mark = `roborev-${crypto.randomUUID()}`;
  try {
    const run = await runProcess([shell, ...words, `echo ${mark}; /usr/bin/env; echo ${mark}`], {
      cwd: "/",
      env: shellEnvironment(env),
      timeoutMs: options.timeoutMs ?? timeoutMs,
      maxBytes: 1024 * 1024,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const [, printed] = new TextDecoder().decode(run.stdout).split(mark);
    const path = /^PATH=(.*)$/m.exec(printed ?? "")?.[1];
    if (path !== undefined) return { directories: directoriesOf(path) };
    return { problem: `${shell} ${run.timedOut ? "did not answer" : "did not print its PATH"}` };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

function shellOf(env: Environment): string {
  if (env.SHELL) return env.SHELL;
  try {
    return userInfo().shell ?? "";
  } catch {
    return ""; // nobody of that name
  }
}

/** Only what a login would have: nothing of ours or of whoever started the daemon. */
function shellEnvironment(env: Environment): Environment {
  const names = ["HOME", "USER", "LOGNAME", "SHELL", "PATH", "LANG", "LC_ALL", "TMPDIR", "XDG_CONFIG_HOME"];
  const kept = Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  return { ...kept, TERM: "dumb" };
}

/** Relative entries are left out: they would mean whatever directory a program is started in. */
const directoriesOf = (path: string): string[] =>
  path.length > maxPathBytes
    ? []
    : [...new Set(path.split(delimiter))].filter(
        (entry) => isAbsolute(entry) && !/[\u0000-\u001f]/.test(entry),
      );

const systemDirectory = /^\/(?:usr\/(?:local\/)?)?s?bin\/?$|^\/usr\/games$|^\/snap\/bin$/;

/**
 * Both lists in one PATH. A PATH of the system's directories alone says nothing about the user, so the shell's order
 * counts; any other was given on purpose and comes first.
 */
export function mergedPath(inherited: string, login: readonly string[]): string {
  const given = directoriesOf(inherited);
  const isBare = given.every((directory) => systemDirectory.test(directory));
  return [...new Set(isBare ? [...login, ...given] : [...given, ...login])].join(delimiter);
}
