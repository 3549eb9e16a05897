import { defined } from "../lib/defined.ts";
import { canonicalEventName, type NativeEvent, nativeEventName } from "./event-name.ts";
import { isObject, PayloadProblem, read, readBoolean, readString } from "./fields.ts";
import { foreignSender, type Sender } from "./foreign.ts";
import type { Channel, Decoded, HookDecision, HookEvent, HookEventName } from "./harness.ts";

/** What differs between the harnesses that speak Claude Code's hook language. */
export interface ClaudeDialect {
  /** Set where the harness also runs hooks written for another: its own payloads are not foreign to it. */
  sender?: Sender;
  /** Names of the shell tool, in lower case. */
  shellTools: string[];
  /** The field that names one user turn, and its other spelling; absent: no field does. */
  turnField?: string;
  turnFieldAlias?: string;
  /** The field with the user's own words, where nothing else tells one turn from another: their hash is its id. */
  turnText?: string;
  /** The harness's own names of the events, where they are not Claude Code's. */
  events?: readonly NativeEvent[];
  /** Events after a tool in which `additionalContext` reaches the model. */
  contextEvents: readonly HookEventName[];
}

const maxSessionId = 512;

/** Reads a payload; null counts as absent, and the field names may come in camelCase. */
export function decodeClaudeFamily(dialect: ClaudeDialect, payload: Record<string, unknown>): Decoded {
  const from = foreignSender(payload, dialect.sender);
  if (from) return { kind: "foreign", from };
  try {
    const event = readClaudeEvent(dialect, payload);
    return event ? { kind: "event", event } : { kind: "anonymous" };
  } catch (error) {
    if (error instanceof PayloadProblem) return { kind: "malformed", problem: error.message };
    throw error;
  }
}

/** The event of a payload that is this harness's own; undefined: it names no session. */
export function readClaudeEvent(
  dialect: ClaudeDialect,
  payload: Record<string, unknown>,
): HookEvent | undefined {
  const sessionId = readString(payload, "session_id", "sessionId");
  const nativeEvent = readString(payload, "hook_event_name") ?? "";
  if (sessionId === undefined) return undefined;
  if (sessionId.length > maxSessionId) throw new PayloadProblem("session_id is too long");
  const name = canonicalEventName(nativeEvent, dialect.events);
  const tool = isToolEvent(name) ? readTool(dialect, payload) : noTool;
  return defined({
    event: name,
    nativeEvent,
    sessionId,
    cwd: readString(payload, "cwd"),
    turnId: turnOf(dialect, payload, name),
    stopHookActive: readBoolean(payload, "stop_hook_active", "stopHookActive"),
    channel: channelOf(dialect, name),
    endsTurn: name === "Stop" || undefined,
    agentId: readString(payload, "agent_id", "agentId"),
    toolUseId: readString(payload, "tool_use_id", "toolUseId"),
    tool: tool.tool,
    command: tool.command,
    toolDirectory: tool.toolDirectory,
    background: tool.background,
  });
}

function turnOf(
  { turnField, turnFieldAlias, turnText }: ClaudeDialect,
  payload: Record<string, unknown>,
  name: HookEventName,
): string | undefined {
  if (turnText !== undefined) {
    if (name !== "Stop" && name !== "UserPromptSubmit") return undefined;
    // A turn without words (a picture, say) is one too.
    return Bun.hash(readString(payload, turnText) ?? "").toString(36);
  }
  if (turnField === undefined) return undefined;
  return readString(payload, turnField, turnFieldAlias ?? turnField);
}

function channelOf(dialect: ClaudeDialect, name: HookEventName): Channel | undefined {
  if (name === "Stop") return "block";
  for (const event of dialect.contextEvents) if (event === name) return "context";
  return undefined;
}

interface ToolFields {
  tool?: string;
  command?: string;
  toolDirectory?: string | undefined;
  background?: true | undefined;
}

const noTool: ToolFields = {};

const isToolEvent = (name: HookEventName): boolean =>
  name === "PreToolUse" || name === "PostToolUse" || name === "PostToolUseFailure";

function readTool(dialect: ClaudeDialect, payload: Record<string, unknown>): ToolFields {
  const tool = readString(payload, "tool_name", "toolName");
  if (tool === undefined) throw new PayloadProblem("tool_name is missing");
  if (!isShellTool(dialect, tool)) return { tool };
  const input = read(payload, "tool_input", "toolInput");
  if (!isObject(input)) throw new PayloadProblem("tool_input is not an object");
  const command = read(input, "command");
  return {
    tool: "Bash",
    command: typeof command === "string" ? command : "",
    toolDirectory: readString(input, "workdir", "dir_path", "directory", "working_directory"),
    background: isBackground(input, read(payload, "tool_response", "toolResponse")) || undefined,
  };
}

// A loop, not `includes`: the hook would pay for its first use (0.02 to 0.05 ms, Bun 1.4.5).
function isShellTool(dialect: ClaudeDialect, tool: string): boolean {
  const name = tool.toLowerCase();
  for (const shell of dialect.shellTools) if (shell === name) return true;
  return false;
}

// Claude Code's; Gemini CLI's and Qwen Code's; Factory Droid's (https://docs.factory.ai/cli/configuration/hooks-guide).
const backgroundFlags = [
  "run_in_background",
  "runInBackground",
  "is_background",
  "isBackground",
  "fireAndForget",
];

/** Claude Code: asked for by the input, or moved there by the harness; either way the command may still be running. */
function isBackground(input: Record<string, unknown>, response: unknown): boolean {
  for (const flag of backgroundFlags) if (input[flag] === true) return true;
  return isObject(response) && typeof read(response, "backgroundTaskId") === "string";
}

/** The native answer. Asking for something that the event cannot carry is our mistake, hence the throw. */
export function encodeClaudeFamily(
  dialect: ClaudeDialect,
  event: HookEventName,
  decision: HookDecision,
): string {
  if (decision.kind === "none") return "{}";
  if (decision.text.trim() === "") throw new Error(`an empty text for ${event}`);
  if (channelOf(dialect, event) !== decision.kind)
    throw new Error(`${event} cannot carry a ${decision.kind}`);
  if (decision.kind === "block") return JSON.stringify({ decision: "block", reason: decision.text });
  const hookEventName = nativeEventName(event, dialect.events);
  const output = { hookEventName, additionalContext: decision.text };
  return JSON.stringify({ hookSpecificOutput: output });
}
