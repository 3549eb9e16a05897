import { dataPaths, resolveDataDir } from "../config/paths.ts";
import { ExitCode, RoborevError, UsageError } from "../lib/errors.ts";
import { globalArgs, parseArguments, typed } from "./arguments.ts";
import type { Command, World } from "./command.ts";
import { commandHelp, groupHelp, usageLine } from "./help.ts";
import { nearest } from "./nearest.ts";
import type { Group, Topic } from "./node.ts";
import { createOutput, errorBody, errorLine, type Sink } from "./output.ts";
import { givenSocket } from "./server-address.ts";
import { root as programRoot } from "./tree.ts";

export interface Streams {
  stdout: Sink;
  stderr: Sink;
}

interface Found {
  path: string;
  command: Command;
  argv: string[];
}

type Route = Found | { path: string; group: Group; version?: true; help?: true; topic?: Topic };

/**
 * Finds the command, reads its arguments strictly, runs it, and turns whatever happens into an exit status.
 * Help and data go to standard output, everything else to standard error; usage only for a wrong invocation.
 */
export async function runMain(
  argv: readonly string[],
  world: World,
  streams: Streams,
  root: Group = programRoot,
): Promise<number> {
  const wantsJson = beforeTerminator(argv).includes("--json");
  let found: Found | undefined;
  try {
    const route = await findCommand(argv, root);
    if ("group" in route) {
      streams.stdout.write(`${route.version ? await versionLine() : await helpOf(route)}\n`);
      return ExitCode.done;
    }
    found = route;
    return await runFound(route, world, streams);
  } catch (error) {
    if (found?.command.silent) return ExitCode.done;
    if (world.signal.aborted) return ExitCode.interrupted;
    if (wantsJson) streams.stdout.write(`${JSON.stringify(errorBody(error), null, 2)}\n`);
    streams.stderr.write(`${errorLine(error)}\n`);
    if (error instanceof UsageError && error.code === "E_USAGE" && found) {
      streams.stderr.write(`Usage: ${usageLine(found.path, found.command)}\nHelp:  ${found.path} --help\n`);
    }
    if (!(error instanceof RoborevError) && world.env.ROBOREV_DEBUG && error instanceof Error) {
      streams.stderr.write(`${error.stack ?? ""}\n`);
    }
    const status = error instanceof RoborevError ? error.exitCode : ExitCode.failed;
    return isHookCall(argv) ? Math.min(status, ExitCode.failed) : status;
  }
}

async function runFound(found: Found, world: World, streams: Streams): Promise<number> {
  const { command, path } = found;
  const parsed = parseArguments(command, found.argv);
  if (parsed.help) {
    streams.stdout.write(`${commandHelp(path, command)}\n`);
    return ExitCode.done;
  }
  if (parsed.flags.server !== undefined) givenSocket(parsed.flags.server, world.env);
  using out = createOutput({ ...streams, env: world.env, verbose: parsed.flags.verbose });
  const working = command.run({
    ...world,
    args: parsed.values as never, // exactly what `define` promised for these args
    given: parsed.given,
    rest: parsed.rest,
    flags: parsed.flags,
    out,
    paths: () => dataPaths(resolveDataDir(world.env)),
  });
  const { tidiesUp } = command;
  const isTidy = typeof tidiesUp === "string" ? parsed.given.has(tidiesUp) : tidiesUp;
  const status = await (isTidy ? working : Promise.race([working, interrupted(world.signal)]));
  return status ?? ExitCode.done;
}

/** Rejects at an interrupt: a command that holds nothing is simply left behind, the process ends right after. */
function interrupted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}

/** Several coding agents read 2 from a hook as "block this": a hook call never ends with it, whatever is wrong. */
const isHookCall = (argv: readonly string[]): boolean =>
  argv.some((word, index) => word === "agent-hook" && argv[index + 1] === "run");

const beforeTerminator = (argv: readonly string[]): readonly string[] => {
  const end = argv.indexOf("--");
  return end < 0 ? argv : argv.slice(0, end);
};

/** Walks the words of argv down the tree; global flags may stand before and between them. */
async function findCommand(argv: readonly string[], root: Group): Promise<Route> {
  const globals: string[] = [];
  let group = root;
  let path = "roborev";
  let help: true | undefined;
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] as string;
    if (token === "--version" && group === root) return { path, group, version: true };
    if (token.startsWith("-")) {
      const used = globalFlag(token, argv[index + 1]);
      globals.push(...argv.slice(index, index + used));
      index += used - 1;
      continue;
    }
    if (token === "help" && group === root && !help) {
      help = true;
      continue;
    }
    const name = group.aliases.get(token) ?? token;
    const node = group.commands.get(name);
    const topic = help && group === root && node === undefined ? group.topics.get(token) : undefined;
    if (topic) {
      if (index + 1 < argv.length)
        throw new UsageError(`unexpected argument: ${typed(argv[index + 1] as string)}`);
      return { path, group, topic };
    }
    if (node === undefined) throw unknownCommand(path, group, token, help);
    path = `${path} ${name}`;
    if (node.kind === "command") {
      const rest = [...globals, ...argv.slice(index + 1)];
      return { path, command: await node.load(), argv: help ? ["--help", ...rest] : rest };
    }
    group = node;
  }
  return { path, group, ...(help ? { help } : {}) };
}

/** `roborev help <group>` tells more than `roborev <group> --help`, where there is more. */
async function helpOf({ path, group, help, topic }: Exclude<Route, Found>): Promise<string> {
  if (topic) return await topic.load();
  const text = groupHelp(path, group);
  return help && group.topic ? `${text}\n${await group.topic.load()}` : text;
}

/** How many tokens a global flag in front of the command takes. */
function globalFlag(token: string, next?: string): number {
  const name = token.split("=", 1)[0] as string;
  if (name === "--server") {
    if (token !== name) return 1;
    if (next === undefined || next.startsWith("-")) throw new UsageError("--server needs a value");
    return 2;
  }
  const known = Object.entries(globalArgs).some(
    ([flag, def]) => token === `--${flag}` || ("alias" in def && token === `-${def.alias}`),
  );
  if (known) return 1;
  const near = nearest(name.replace(/^--?/, ""), [...Object.keys(globalArgs), "version"]);
  throw new UsageError(`unknown flag: ${typed(name)}`, {
    hint: near ? `Did you mean --${near}?` : "Flags of a command stand behind its name.",
  });
}

/** `help`: what follows `roborev help` may be a topic as well. */
function unknownCommand(path: string, group: Group, word: string, help?: true): UsageError {
  const visible = [...group.commands].filter(([, node]) => !("hidden" in node)).map(([name]) => name);
  const topics = help ? group.topics.keys() : [];
  const near = nearest(word, [...visible, ...group.aliases.keys(), "help", ...topics]);
  const command = help ? path.replace("roborev", "roborev help") : path;
  const hint = group.removed.get(word) ?? (near ? `Did you mean ${command} ${near}?` : `See ${path} --help.`);
  return new UsageError(
    `unknown ${help && group.topics.size > 0 ? "topic" : "command"}: ${command} ${typed(word)}`,
    { hint },
  );
}

async function versionLine(): Promise<string> {
  const { versionText } = await import("./commands/version.ts");
  return versionText();
}
