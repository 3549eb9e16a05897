import { harnessName } from "../harness/names.ts";

/** What `agent-hook run` was asked; a flag is present exactly when it was given. */
export interface HookOptions {
  /** Canonical name of the harness. */
  agent: string;
  config?: string;
  turnThreshold?: number;
  commitThreshold?: number;
  failedReviewThreshold?: number;
  instruction?: string;
  server?: string;
}

export type ParsedArguments =
  | { ok: true; options: HookOptions }
  /** `agent` as far as it was read before the mistake. */
  | { ok: false; problem: string; agent?: string };

type TextKey = "config" | "instruction" | "server" | "agent" | "source";
type CountKey = "turnThreshold" | "commitThreshold" | "failedReviewThreshold";
type Flag = { name: string; text: TextKey } | { name: string; count: CountKey };

const flags: Flag[] = [
  { name: "--agent", text: "agent" },
  { name: "--source", text: "source" }, // the ownership marker; its value means nothing here
  { name: "--config", text: "config" },
  { name: "--turn-threshold", count: "turnThreshold" },
  { name: "--commit-threshold", count: "commitThreshold" },
  { name: "--failed-review-threshold", count: "failedReviewThreshold" },
  { name: "--instruction", text: "instruction" },
  { name: "--roborev-server", text: "server" },
  { name: "--server", text: "server" },
];
const isVerbose = (argument: string) => argument === "-v" || argument === "--verbose";

/**
 * Reads `--flag value` and `--flag=value`; the last of a repeated flag counts. Loaded only for what `installedOptions`
 * does not know: it costs a hook call 0.2 ms (Bun 1.4.5).
 */
export function parseHookArguments(args: readonly string[]): ParsedArguments {
  const options: Omit<HookOptions, "agent"> = {};
  let agent: string | undefined;
  const failed = (problem: string): ParsedArguments => ({
    ok: false,
    problem,
    ...(agent ? { agent } : {}),
  });
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as string;
    if (isVerbose(argument)) continue;
    const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
    const name = equals < 0 ? argument : argument.slice(0, equals);
    const flag = flags.find((known) => known.name === name);
    if (!flag) {
      return failed(argument.startsWith("-") ? `unknown flag: ${name}` : `unexpected argument: ${argument}`);
    }
    const value = equals < 0 ? args[++at] : argument.slice(equals + 1);
    if (value === undefined) return failed(`${name} needs a value`);
    if ("count" in flag) {
      const count = Number(value);
      if (!/^[+-]?\d+$/.test(value) || !Number.isSafeInteger(count)) {
        return failed(`${name} must be a whole number, got ${value}`);
      }
      if (count < 0) return failed(`${name} must be >= 0, got ${value}`);
      options[flag.count] = count;
    } else if (flag.text === "agent") {
      if (value.trim() === "") return failed("--agent is required");
      agent = harnessName(value);
      if (!agent) return failed(`unsupported agent hook integration "${value}"`);
    } else if (flag.text !== "source") options[flag.text] = value;
  }
  if (!agent) return failed("--agent is required");
  return { ok: true, options: Object.assign(options, { agent }) };
}
