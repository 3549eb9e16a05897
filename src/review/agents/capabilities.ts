import { readFile, stat } from "node:fs/promises";
import { errorCode, failureReason, RoborevError } from "../../lib/errors.ts";
import { runProcess } from "../../lib/process.ts";
import { singleLine } from "../../lib/text.ts";
import { findExecutable } from "./executable.ts";
import type { Capabilities, Reviewer } from "./reviewer.ts";

const helps = new Map<string, Promise<ReadonlySet<string>>>();

/**
 * What the installed program can do and what the user configured for it. The help is read once for a command and
 * version of its file: these programs update themselves while the daemon lives. Throws E_AGENT_TOO_OLD when a
 * required option is missing, E_AGENT_HELP when the program cannot be asked.
 */
export async function readCapabilities(
  reviewer: Reviewer,
  command: readonly string[],
  env: Record<string, string>,
  agentic = false,
): Promise<Capabilities> {
  const flags = await readFlags(reviewer, command, env);
  const required = (agentic ? reviewer.fixFlags : reviewer.requiredFlags) ?? [];
  const missing = required.filter((flag) => !flags.has(flag));
  if (missing.length > 0) {
    throw new RoborevError(
      `this version of ${reviewer.name} is too old for ${agentic ? "fixes" : "reviews"}: it has no ${missing.join(", ")}`,
      {
        code: "E_AGENT_TOO_OLD",
        hint: `Update ${command[0]}.`,
      },
    );
  }
  return {
    flags,
    files: await readFiles(reviewer.userFiles?.(env) ?? []),
    helpers: new Set(reviewer.helpers?.filter((name) => findExecutable(name, env) !== undefined)),
  };
}

async function readFlags(
  reviewer: Reviewer,
  command: readonly string[],
  env: Record<string, string>,
): Promise<ReadonlySet<string>> {
  if (!reviewer.help) return new Set();
  const argv = [...command, ...reviewer.help];
  const key = JSON.stringify([argv, await fileVersion(command[0] as string)]);
  const known = helps.get(key);
  if (known) return known;
  const asked = askFlags(argv, env);
  helps.set(key, asked);
  try {
    return await asked;
  } catch (error) {
    helps.delete(key);
    throw error;
  }
}

async function fileVersion(path: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(path);
    return `${mtimeMs}:${size}`;
  } catch {
    return "absent"; // the attempt to run it will say so
  }
}

async function askFlags(argv: string[], env: Record<string, string>): Promise<ReadonlySet<string>> {
  // Not in the checkout: version managers' shims look for their files in the working directory.
  const run = await runProcess(argv, {
    cwd: "/",
    env: { ...env, PWD: "/" },
    timeoutMs: 30_000,
    maxBytes: 1024 * 1024,
  });
  if (run.exitCode !== 0) {
    const why = run.timedOut
      ? "it did not answer in 30 s"
      : singleLine(run.stderr).slice(-300) || `exit ${run.exitCode}`;
    throw new RoborevError(`${argv.join(" ")} failed: ${why}`, { code: "E_AGENT_HELP" });
  }
  // OpenCode prints the help of its commands on standard error.
  return parseFlags(`${new TextDecoder().decode(run.stdout)}\n${run.stderr}`);
}

/** Long options at the start of a help's lines; those that a description merely mentions do not count. */
export function parseFlags(help: string): ReadonlySet<string> {
  const heads = help.matchAll(/^ {1,8}(?:-\w, +)?(--[a-z][\w-]*(?:(?: <[^>]+>)?, +--[a-z][\w-]*)*)/gim);
  return new Set([...heads].flatMap(([, names = ""]) => names.match(/--[a-z][\w-]*/gi) ?? []));
}

async function readFiles(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const path of paths) {
    try {
      files.set(path, await readFile(path, "utf8"));
    } catch (cause) {
      if (errorCode(cause) === "ENOENT" || errorCode(cause) === "ENOTDIR") continue;
      throw new RoborevError(`cannot read ${path}: ${failureReason(cause)}`, { code: "E_READ", cause });
    }
  }
  return files;
}
