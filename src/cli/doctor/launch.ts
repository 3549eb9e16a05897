import { accessSync, lstatSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { isExecutable } from "../../fs/executable.ts";
import { homeOf } from "../../lib/config-directory.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";
import { runProcess } from "../../lib/process.ts";
import { singleLine } from "../../lib/text.ts";

type Environment = Record<string, string | undefined>;

/** What decides whether a program that is there starts as well. */
export interface Launch {
  path: string;
  /** It is the stand-in of a version manager. `answer`: what that says of it; undefined when it says nothing. */
  shim?: { manager: string; answer: "leads somewhere" | "leads nowhere" | "manager is not there" };
  /** It is a script for this program. */
  interpreter?: { name: string; found: boolean };
}

// Each manager writes a stand-in for every program of every version, and tells for which one it stands now.
const managers: readonly { name: string; shims: RegExp }[] = [
  { name: "mise", shims: /\/mise\/shims\/[^/]+$/ }, // https://mise.jdx.dev/cli/which.html
  { name: "asdf", shims: /\/\.?asdf\/shims\/[^/]+$/ }, // https://asdf-vm.com/manage/core.html
  { name: "volta", shims: /\/\.?volta\/bin\/[^/]+$/ }, // https://docs.volta.sh/reference/which
];

/** The manager that a program is a stand-in of, if it lies where stand-ins do. */
export const shimManager = (path: string): string | undefined =>
  managers.find(({ shims }) => shims.test(path))?.name;

/** The program that a script is for: the words behind `#!`; those of `env` without its own switches. */
export function interpreterOf(head: string): string | undefined {
  const words = /^#!\s*(.*)/.exec(head)?.[1]?.trim().split(/\s+/) ?? [];
  const [first] = words;
  if (first === undefined || first === "" || basename(first) !== "env") return first || undefined;
  return words.slice(1).find((word) => !word.startsWith("-") && !word.includes("="));
}

/** Looks at a program without starting it; a version manager is asked for it. `find`: as the daemon looks programs up. */
export async function probeLaunch(
  path: string,
  env: Environment,
  find: (name: string) => string | undefined,
): Promise<Launch> {
  const manager = shimManager(path);
  if (manager !== undefined && isStandIn(path, manager))
    return { path, shim: { manager, answer: await askManager(manager, basename(path), env, find) } };
  const interpreter = interpreterOf(await headOf(path));
  return {
    path,
    ...(interpreter === undefined
      ? {}
      : { interpreter: { name: interpreter, found: find(interpreter) !== undefined } }),
  };
}

/** Volta's own directory also holds what is no stand-in. */
const isStandIn = (path: string, manager: string): boolean =>
  manager !== "volta" || (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false);

async function askManager(
  manager: string,
  program: string,
  env: Environment,
  find: (name: string) => string | undefined,
): Promise<NonNullable<Launch["shim"]>["answer"]> {
  const binary = find(manager);
  if (binary === undefined) return "manager is not there";
  try {
    // At home: what a repository wants to have started is not asked.
    const run = await runProcess([binary, "which", program], {
      cwd: homeOf(env),
      env,
      timeoutMs: 3_000,
      maxBytes: 4096,
    });
    if (run.exitCode !== 0) return "leads nowhere";
    const [line = ""] = new TextDecoder().decode(run.stdout).trim().split("\n");
    return isExecutable(line) ? "leads somewhere" : "leads nowhere";
  } catch (error) {
    if (error instanceof RoborevError) return "manager is not there";
    throw error;
  }
}

async function headOf(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
      return buffer.subarray(0, bytesRead).toString("latin1").split("\n", 1)[0] ?? "";
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return ""; // not ours to read: then it is a program, which need not be read to be run
  }
}

/** Links to nowhere that have this name in one of the directories: nothing finds them, and nobody sees why. */
export function danglingLinks(name: string, directories: readonly string[]): string[] {
  return directories
    .map((directory) => join(directory, name))
    .filter((path) => {
      const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
      return isLink && !isThere(path);
    });
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Why a program will not start, in words; undefined when nothing speaks against it. */
export function launchProblem({ path, shim, interpreter }: Launch): string | undefined {
  const shown = singleLine(path);
  if (shim?.answer === "leads nowhere")
    return `${shown} is a stand-in of ${shim.manager}, which has no version of it`;
  if (shim?.answer === "manager is not there")
    return `${shown} is a stand-in of ${shim.manager}, which is not on PATH`;
  if (interpreter?.found === false)
    return `${shown} needs ${singleLine(interpreter.name)}, which is not on PATH`;
  return undefined;
}
