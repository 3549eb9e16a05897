import { requestDaemon } from "../client/transport.ts";
import type { HookAnswerBody } from "../daemon/api/hook-event.ts";
import { isObject } from "../harness/fields.ts";
import type { Harness, HookDecision, HookEvent } from "../harness/harness.ts";
import { loadHarness } from "../harness/load.ts";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import { recogniseCommit } from "../lib/shell-commit.ts";
import { type HookOptions, parseHookArguments } from "./args.ts";
import { hookSocket } from "./endpoint.ts";
import { isHookAnswerBody, isHookEvent } from "./guards.gen.ts";
import { diagnosticLine } from "./output.ts";
import { hookRequest, serverAddress } from "./request.ts";
import type { HookAnswer, HookWorld } from "./run.ts";
import { type Payload, readPayload } from "./stdin.ts";

// Plain code where every call passes: spread and rest, `includes`, `map` and their like are compiled at their first
// use, 0.02 to 0.1 ms each (Bun 1.4.5), and each call is a first use.

// From the call to the answer. Hooks around a command hold up every step of the agent while the daemon hangs.
const budgetMs = { aroundTool: 2_000, turnEnd: 4_000 };
const leastRequestMs = 250;
const empty: HookAnswer = { stdout: "{}", exitCode: 0 };

export interface HookCall {
  args: readonly string[];
  /** Undefined: not read yet. */
  payload: Payload | undefined;
  world: HookWorld;
  startMs: number;
}

/** Judges a call in full. Never rejects. */
export async function answerInFull(call: HookCall): Promise<HookAnswer> {
  const parsed = parseHookArguments(call.args);
  if (!parsed.ok) return rejected(parsed.problem, parsed.agent ? await loadHarness(parsed.agent) : undefined);
  if (isSilenced(call.world.env)) return empty;
  try {
    return await answerPayload(parsed.options, call);
  } catch (error) {
    return emptyWith(errorMessage(error));
  }
}

/** Switched off by the user, or running inside a reviewer or fixer that roborev itself started. */
function isSilenced(env: Record<string, string | undefined>): boolean {
  return (
    env.ROBOREV_AGENT_HOOK?.trim() === "0" || Boolean(env.ROBOREV_REVIEW_JOB) || Boolean(env.ROBOREV_FIX_JOB)
  );
}

async function answerPayload(options: HookOptions, call: HookCall): Promise<HookAnswer> {
  const { world } = call;
  const harness = await loadHarness(options.agent);
  const payload = call.payload ?? (await readPayload(world.stdin()));
  if (payload.kind === "oversized") return emptyWith("the payload is larger than 16 MiB");
  if (payload.kind === "malformed") return rejected(payload.problem, harness);
  const decoded = harness.decode(payload.fields, world.env);
  if (decoded.kind === "malformed") return rejected(decoded.problem, harness);
  if (decoded.kind === "foreign") return empty;
  if (decoded.kind === "anonymous") return emptyWith("the payload names no session_id");

  // Against a mistake of ours in a decoder; 0.03 ms.
  if (!isHookEvent(decoded.event)) throw new RoborevError(`a ${harness.name} payload was misread`);
  const { event } = decoded;
  const commit = event.command === undefined ? undefined : recogniseCommit(event.command);
  if (!concernsDaemon(event, commit !== undefined)) return empty;
  const server = serverAddress(options, world.env);
  const budget = event.event === "Stop" ? budgetMs.turnEnd : budgetMs.aroundTool;
  const answer = await (world.request ?? requestDaemon)(
    hookSocket(server, world.env),
    "POST",
    "/api/agent-hook/event",
    hookRequest(event, commit, options, world),
    { timeoutMs: Math.max(leastRequestMs, budget - (world.monotonicMs() - call.startMs)) },
  );
  const { decision, diagnostic } = readAnswer(answer.status, answer.body, event);
  const said: HookAnswer = { stdout: harness.encode(event, decision), exitCode: 0 };
  if (diagnostic) said.stderr = diagnosticLine(diagnostic);
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

function readAnswer(status: number, body: unknown, event: HookEvent) {
  if (status !== 200) {
    const why = isObject(body) && typeof body.error === "string" ? body.error : "no reason given";
    throw new RoborevError(`the daemon refused with status ${status}: ${why}`);
  }
  if (!isHookAnswerBody(body)) throw new RoborevError("the daemon's answer has no decision");
  return { decision: decide(body, event), diagnostic: body.diagnostic };
}

function decide({ triggered, reason }: HookAnswerBody, event: HookEvent): HookDecision {
  // What is answered inside a sub-agent reaches the sub-agent, not the session that was meant.
  if (!triggered || event.agentId !== undefined) return { kind: "none" };
  if (reason === undefined) throw new RoborevError("the daemon's answer has no text");
  if (event.channel === undefined)
    throw new RoborevError("the daemon answered where no text can be delivered");
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
