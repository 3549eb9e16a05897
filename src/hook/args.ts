import type { Harness } from "../harness/harness.ts";
import { findHarness } from "../harness/registry.ts";

/** What `agent-hook run` was asked; a flag is present exactly when it was given. */
export interface HookOptions {
  harness: Harness;
  config?: string;
  turnThreshold?: number;
  commitThreshold?: number;
  failedReviewThreshold?: number;
  instruction?: string;
  server?: string;
}

export type ParsedArguments =
  | { ok: true; options: HookOptions }
  /** `harness` as far as it was read before the mistake. */
  | { ok: false; problem: string; harness?: Harness };

const textFlags = new Map<string, "config" | "instruction" | "server" | "agent" | "source">([
  ["--agent", "agent"],
  ["--source", "source"], // the ownership marker; its value means nothing here
  ["--config", "config"],
  ["--instruction", "instruction"],
  ["--roborev-server", "server"],
  ["--server", "server"],
]);
const countFlags = new Map<string, "turnThreshold" | "commitThreshold" | "failedReviewThreshold">([
  ["--turn-threshold", "turnThreshold"],
  ["--commit-threshold", "commitThreshold"],
  ["--failed-review-threshold", "failedReviewThreshold"],
]);
const verbose = new Set(["-v", "--verbose"]);

/**
 * The arguments of `agent-hook run`, the program's global flags before it included; undefined for every other command
 * and for a request for help.
 */
export function hookArguments(argv: readonly string[]): string[] | undefined {
  const path = ["agent-hook", "run"];
  const global: string[] = [];
  let at = 0;
  for (; path.length > 0; at++) {
    const argument = argv[at];
    if (argument === undefined) return undefined;
    if (argument === path[0]) path.shift();
    else if (verbose.has(argument)) global.push(argument);
    else if (argument.startsWith("--server=")) global.push(argument);
    else if (argument === "--server") global.push(argument, argv[++at] ?? "");
    else return undefined;
  }
  const rest = argv.slice(at);
  return rest.some((argument) => argument === "--help" || argument === "-h")
    ? undefined
    : [...global, ...rest];
}

/** Reads `--flag value` and `--flag=value`; the last of a repeated flag counts. */
export function parseHookArguments(args: readonly string[]): ParsedArguments {
  const options: Omit<HookOptions, "harness"> = {};
  let harness: Harness | undefined;
  const failed = (problem: string): ParsedArguments => ({
    ok: false,
    problem,
    ...(harness ? { harness } : {}),
  });
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as string;
    if (verbose.has(argument)) continue;
    const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
    const flag = equals < 0 ? argument : argument.slice(0, equals);
    const textKey = textFlags.get(flag);
    const countKey = countFlags.get(flag);
    if (!textKey && !countKey) {
      return failed(argument.startsWith("-") ? `unknown flag: ${flag}` : `unexpected argument: ${argument}`);
    }
    const value = equals < 0 ? args[++at] : argument.slice(equals + 1);
    if (value === undefined) return failed(`${flag} needs a value`);
    if (countKey) {
      const count = Number(value);
      if (!/^[+-]?\d+$/.test(value) || !Number.isSafeInteger(count)) {
        return failed(`${flag} must be a whole number, got ${value}`);
      }
      if (count < 0) return failed(`${flag} must be >= 0, got ${value}`);
      options[countKey] = count;
    } else if (textKey === "agent") {
      if (value.trim() === "") return failed("--agent is required");
      harness = findHarness(value);
      if (!harness) return failed(`unsupported agent hook integration "${value}"`);
    } else if (textKey && textKey !== "source") options[textKey] = value;
  }
  return harness ? { ok: true, options: { ...options, harness } } : failed("--agent is required");
}
