import { type DaemonAnswer, requestDaemon } from "../client/transport.ts";
import type { HookAnswerBody } from "../daemon/api/hook-event.ts";
import { isObject } from "../harness/fields.ts";
import type { Harness, HookDecision, HookEvent } from "../harness/harness.ts";
import { loadHarness } from "../harness/load.ts";
import type { CommitCommand } from "../lib/shell-commit.ts";
import { isOff } from "../lib/text.ts";
import type { HookOptions } from "./args.ts";
import { namesGit } from "./at-sight.ts";
import { hookSocket } from "./endpoint.ts";
import { isHookAnswerBody, isHookEvent } from "./guards.gen.ts";
import { diagnosticLine } from "./output.ts";
import { hookRequest, serverAddress } from "./request.ts";
import type { HookAnswer, HookWorld } from "./run.ts";
import { type Payload, readPayload } from "./stdin.ts";

// Plain code where every call passes: spread and rest, `includes`, `map` and their like are compiled at their first
// use, 0.02 to 0.1 ms each (Bun 1.4.5), and each call is a first use. `Math` is built when a function that names it first
// runs: 0.05 to 0.13 ms.

// From the call to the answer. Hooks around a command hold up every step of the agent while the daemon hangs.
const budgetMs = { aroundTool: 2_000, turnEnd: 4_000 };
const leastRequestMs = 250;
const empty: HookAnswer = { stdout: "{}", exitCode: 0 };

export interface HookCall {
  args: readonly string[];
  /** What the arguments ask, and of which harness, where a look at them told. */
  installed?: { options: HookOptions; harness: Harness } | undefined;
  /** Undefined: not read yet. */
  payload: Payload | undefined;
  world: HookWorld;
  startMs: number;
}

/** Judges a call in full. Never rejects. */
export async function answerInFull(call: HookCall): Promise<HookAnswer> {
  try {
    let asked = call.installed;
    if (asked === undefined) {
      const { parseHookArguments } = await import("./args.ts");
      const parsed = parseHookArguments(call.args);
      if (!parsed.ok)
        return rejected(parsed.problem, parsed.agent ? await loadHarness(parsed.agent) : undefined);
      asked = { options: parsed.options, harness: await loadHarness(parsed.options.agent) };
    }
    return isSilenced(call.world.env) ? empty : await answerPayload(asked.options, asked.harness, call);
  } catch (error) {
    // Most calls do without.
    const { errorMessage } = await import("../lib/errors.ts");
    return emptyWith(errorMessage(error));
  }
}

/** Switched off by the user, or running inside a reviewer or fixer that roborev itself started. */
function isSilenced(env: Record<string, string | undefined>): boolean {
  return isOff(env.ROBOREV_AGENT_HOOK) || Boolean(env.ROBOREV_REVIEW_JOB) || Boolean(env.ROBOREV_FIX_JOB);
}

async function answerPayload(options: HookOptions, harness: Harness, call: HookCall): Promise<HookAnswer> {
  const payload = call.payload ?? (await readPayload(call.world.stdin()));
  const event = readEvent(payload, harness, call.world);
  if ("exitCode" in event) return event;
  const { command } = event;
  const commit =
    command !== undefined && namesGit(command)
      ? (await import("../lib/shell-commit.ts")).recogniseCommit(command)
      : undefined;
  if (!concernsDaemon(event, commit !== undefined)) return empty;
  return say(await ask(event, commit, options, harness, call), event, harness);
}

/** The event that the payload tells of, or the answer to a payload that tells of none. */
function readEvent(payload: Payload, harness: Harness, world: HookWorld): HookEvent | HookAnswer {
  if (payload.kind === "oversized") return emptyWith("the payload is larger than 16 MiB");
  if (payload.kind === "malformed") return rejected(payload.problem, harness);
  const decoded = harness.decode(payload.fields, world.env);
  if (decoded.kind === "malformed") return rejected(decoded.problem, harness);
  if (decoded.kind === "foreign") return empty;
  if (decoded.kind === "anonymous") return emptyWith("the payload names no session_id");

  // Against a mistake of ours in a decoder; 0.03 ms.
  if (!isHookEvent(decoded.event)) throw new Error(`a ${harness.name} payload was misread`);
  return decoded.event;
}

function ask(
  event: HookEvent,
  commit: CommitCommand | undefined,
  options: HookOptions,
  harness: Harness,
  { world, startMs }: HookCall,
): Promise<DaemonAnswer> {
  const server = serverAddress(options, world.env, harness);
  const budget = event.event === "Stop" ? budgetMs.turnEnd : budgetMs.aroundTool;
  let timeoutMs = budget - (world.monotonicMs() - startMs);
  if (timeoutMs < leastRequestMs) timeoutMs = leastRequestMs;
  return (world.request ?? requestDaemon)(
    hookSocket(server, world.env),
    "POST",
    "/api/agent-hook/event",
    hookRequest(event, commit, options, world, server, harness.config.directoryVariable),
    { timeoutMs },
  );
}

function say({ status, body }: DaemonAnswer, event: HookEvent, harness: Harness): HookAnswer {
  if (status !== 200) {
    const why = isObject(body) && typeof body.error === "string" ? body.error : "no reason given";
    throw new Error(`the daemon refused with status ${status}: ${why}`);
  }
  if (!isHookAnswerBody(body)) throw new Error("the daemon's answer has no decision");
  const said: HookAnswer = { stdout: harness.encode(event, decide(body, event)), exitCode: 0 };
  if (body.diagnostic) said.stderr = diagnosticLine(body.diagnostic);
  return said;
}

/** Only shell tools and the ends of the user's own turns change anything; a command that cannot commit has no "before". */
function concernsDaemon(event: HookEvent, canCommit: boolean): boolean {
  switch (event.event) {
    case "PreToolUse":
      return event.tool === "Bash" && canCommit;
    case "PostToolUse":
    case "PostToolUseFailure":
      return event.tool === "Bash";
    case "Stop":
      return event.agentId === undefined;
    case "UserPromptSubmit":
      return event.agentId === undefined && (event.channel !== undefined || event.wakeUp === true);
    default:
      return false;
  }
}

function decide({ triggered, reason }: HookAnswerBody, event: HookEvent): HookDecision {
  // What is answered inside a sub-agent reaches the sub-agent, not the session that was meant.
  if (!triggered || event.agentId !== undefined) return { kind: "none" };
  if (reason === undefined) throw new Error("the daemon's answer has no text");
  if (event.channel === undefined) throw new Error("the daemon answered where no text can be delivered");
  return { kind: event.channel, text: reason };
}

function emptyWith(why: string): HookAnswer {
  return { ...empty, stderr: diagnosticLine(why) };
}

function rejected(problem: string, harness: Harness | undefined): HookAnswer {
  return {
    ...(harness ? { stdout: "{}" } : {}),
    stderr: diagnosticLine(problem),
    exitCode: harness ? harness.malformedExit : 1,
  };
}
