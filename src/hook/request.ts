import type { HookEventBody, HookRequest } from "../daemon/api/hook-event.ts";
import type { Harness, HookEvent } from "../harness/harness.ts";
import { defined } from "../lib/defined.ts";
import { isCompiled } from "../lib/self.ts";
import type { CommitCommand } from "../lib/shell-commit.ts";
import { truncateUtf8 } from "../lib/text.ts";
import type { HookOptions } from "./args.ts";

type Environment = Record<string, string | undefined>;

const maxCommandBytes = 4096;
const maxSteps = 32;

/** Where the hook runs, as far as the daemon has to know. */
export interface HookPlace {
  env: Environment;
  /** Resolves a relative `--config`. */
  cwd: () => string;
  /** Default: this program's own path, when it is one file. */
  executable?: () => string | undefined;
}

/**
 * The daemon's question: what it may need of event, flags and environment, and nothing more. `server`: the address that
 * was asked for; `directoryVariable`: the one that moves the harness's configuration.
 */
export function hookRequest(
  event: HookEvent,
  commit: CommitCommand | undefined,
  options: HookOptions,
  place: HookPlace,
  server?: string,
  directoryVariable?: string,
): HookRequest {
  return defined({
    agent: options.agent,
    event: eventBody(event, commit, place.env.HOME),
    threshold: options.turnThreshold,
    commit_threshold: options.commitThreshold,
    failed_review_threshold: options.failedReviewThreshold,
    instruction: options.instruction,
    env: featureEnvironment(place.env),
    config: options.config ? absolute(options.config, place.cwd) : undefined,
    executable: short(place.executable ? place.executable() : ownExecutable(), 4096),
    config_directory: directoryVariable === undefined ? undefined : short(place.env[directoryVariable], 4096),
    server: short(server, 4096),
  });
}

const ownExecutable = () => (isCompiled() ? process.execPath : undefined);

/** The daemon address that was asked for: the flag, else the variable of the harness's section. */
export function serverAddress(
  options: HookOptions,
  env: Environment,
  { settingsSection }: Pick<Harness, "settingsSection">,
): string | undefined {
  const given =
    settingsSection === "droid_hook"
      ? env.ROBOREV_DROID_HOOK_ROBOREV_ADDR
      : env.ROBOREV_AGENT_HOOK_ROBOREV_ADDR;
  return options.server?.trim() || given?.trim() || undefined;
}

// A value over the daemon's limit cannot be a real path or id; without it the event still counts.
function eventBody(
  event: HookEvent,
  commit: CommitCommand | undefined,
  home: string | undefined,
): HookEventBody {
  return defined({
    session_id: event.sessionId,
    hook_event_name: event.event,
    cwd: short(event.cwd, 4096),
    turn_id: short(event.turnId, 512),
    stop_hook_active: event.stopHookActive,
    channel: event.channel,
    ends_turn: event.endsTurn,
    wake_up: event.wakeUp,
    tool_name: short(event.tool, 256),
    tool_use_id: short(event.toolUseId, 512),
    agent_id: event.agentId?.slice(0, 512),
    command: event.command === undefined ? undefined : commandHead(event.command),
    commit: commit && { verb: commit.verb, directories: directorySteps(commit.directories, home) },
    tool_directory: short(event.toolDirectory, 4096),
    background: event.background,
  });
}

// Most commands are so short that they need not be encoded to be measured.
const commandHead = (command: string) =>
  command.length * 3 <= maxCommandBytes ? command : truncateUtf8(command, maxCommandBytes);

function directorySteps(steps: string[], home: string | undefined): string[] {
  const resolved: string[] = [];
  for (const step of steps) {
    const path = step === "~" || step.startsWith("~/") ? homePath(step, home) : step;
    if (path.length <= 4096 && resolved.length < maxSteps) resolved.push(path);
  }
  return resolved;
}

// Where HOME does not say it, as on Windows, the daemon knows the home directory of the user that both run as.
function homePath(step: string, home: string | undefined): string {
  return home?.startsWith("/") ? `${home}${step.slice(1)}` : step;
}

// By name: to list a process's environment costs the hook more than to look up the ten variables there are.
const variables = [
  "TURN_THRESHOLD",
  "COMMIT_THRESHOLD",
  "FAILED_REVIEW_THRESHOLD",
  "INSTRUCTION",
  "ROBOREV_ADDR",
];
const prefixes = ["ROBOREV_AGENT_HOOK_", "ROBOREV_DROID_HOOK_"];

/** The feature's variables that are set, as they are. */
function featureEnvironment(env: Environment): Record<string, string> | undefined {
  let found: Record<string, string> | undefined;
  for (const prefix of prefixes) {
    for (const variable of variables) {
      const value = env[prefix + variable];
      if (value === undefined || value.length > 65_536) continue;
      found ??= {};
      found[prefix + variable] = value;
    }
  }
  return found;
}

function absolute(path: string, cwd: () => string): string {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) ? path : `${cwd()}/${path}`;
}

const short = (text: string | undefined, maxLength: number) =>
  text !== undefined && text.length <= maxLength ? text : undefined;
