import { isObject, PayloadProblem, read, readString } from "./fields.ts";
import { foreignSender, type Sender } from "./foreign.ts";
import type { Decoded, HookEvent, HookEventName } from "./harness.ts";

type Payload = Record<string, unknown>;

const maxSessionId = 512;

/**
 * What every decoder does around the reading itself: another harness's payload is told apart first; no event means
 * that no session could be told; a field that breaks the harness's contract makes the payload malformed.
 */
export function decodePayload(
  own: Sender | undefined,
  payload: Payload,
  readEvent: (payload: Payload) => HookEvent | undefined,
): Decoded {
  const from = foreignSender(payload, own);
  if (from) return { kind: "foreign", from };
  try {
    const event = readEvent(payload);
    return event ? { kind: "event", event } : { kind: "anonymous" };
  } catch (error) {
    if (error instanceof PayloadProblem) return { kind: "malformed", problem: error.message };
    throw error;
  }
}

/** The session's id under one of two names; undefined when there is none. */
export function readSessionId(payload: Payload, name: string, alias: string): string | undefined {
  const id = readString(payload, name, alias);
  if (id !== undefined && id.length > maxSessionId) throw new PayloadProblem(`${name} is too long`);
  return id;
}

export const isToolEvent = (name: HookEventName): boolean =>
  name === "PreToolUse" || name === "PostToolUse" || name === "PostToolUseFailure";

/** What a tool event says of its tool; all but the name only of the shell. */
export interface ToolCall {
  tool?: string;
  command?: string;
  toolDirectory?: string | undefined;
  background?: true | undefined;
}

export const noCall: ToolCall = {};

/** The tool of a tool event, which is the shell if its name, in any casing, is one of `shellTools` (in lower case). */
export function readCall(payload: Payload, shellTools: readonly string[]): ToolCall {
  const tool = readString(payload, "tool_name", "toolName");
  if (tool === undefined) throw new PayloadProblem("tool_name is missing");
  const name = tool.toLowerCase();
  for (const shell of shellTools) if (shell === name) return readShellCall(payload);
  return { tool };
}

function readShellCall(payload: Payload): ToolCall {
  const input = read(payload, "tool_input", "toolInput");
  if (!isObject(input)) throw new PayloadProblem("tool_input is not an object");
  const { command } = input;
  let background: true | undefined;
  for (const flag of backgroundFlags) if (input[flag] === true) background = true;
  return {
    tool: "Bash",
    command: typeof command === "string" ? command : "",
    toolDirectory: readString(input, "workdir", "dir_path", "directory", "working_directory"),
    background,
  };
}

// Claude Code's; Gemini CLI's and Qwen Code's; Grok Build's and Hermes Agent's; Factory Droid's
// (https://docs.factory.ai/cli/configuration/hooks-guide).
const backgroundFlags = [
  "run_in_background",
  "runInBackground",
  "is_background",
  "isBackground",
  "background",
  "fireAndForget",
];

/** For an answer that asks for more than its event can carry: that is our mistake, never sent in another shape. */
export function refuseAnswer(event: string, kind: string): never {
  throw new Error(`${event} cannot carry a ${kind}`);
}
