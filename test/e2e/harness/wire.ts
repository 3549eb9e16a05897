import { anthropicAnswer, events } from "../wire.ts";

// The two streaming APIs that the programs speak, as far as a scripted model needs them: Anthropic Messages for Claude
// Code, OpenAI Responses for Codex.

/** One answer of the model; all but `text` are tool calls, spelt for the API and the tools of the request. */
export type Turn =
  | { text: string }
  /** `extra`: further fields of the shell tool's input. */
  | { shell: string; extra?: Record<string, unknown> }
  /** Several commands in one answer. */
  | { shells: string[] }
  /** Starts a sub-agent with this prompt. */
  | { subagent: string }
  /** Codex: waits for the sub-agent that was started last. */
  | { waitAgent: true }
  /** Codex: reads on from the command that is still running. */
  | { readOn: true };

export type Api = "anthropic" | "openai";
export type Body = Record<string, unknown>;

interface Call {
  name: string;
  input: Record<string, unknown>;
}

interface Tool {
  name?: string;
  type?: string;
  tools?: { name?: string }[];
}

const toolsOf = (body: Body): Tool[] => (Array.isArray(body.tools) ? body.tools : []);

/** Names of the tools that a request offers, those in groups too. */
export function toolNames(body: Body): string[] {
  return toolsOf(body).flatMap((tool) => [
    tool.name ?? tool.type ?? "?",
    ...(tool.tools ?? []).map((inner) => inner.name ?? "?"),
  ]);
}

/** The request's text without the tools that it describes. */
export function textOf(body: Body): string {
  const { tools: _, ...rest } = body;
  return JSON.stringify(rest);
}

/** What the user said first, which tells a sub-agent's conversation from the main one. */
export function openingText(api: Api, body: Body): string {
  const items = api === "anthropic" ? body.messages : body.input;
  const user = (Array.isArray(items) ? items : []).filter((item: { role?: string }) => item.role === "user");
  return JSON.stringify(user.slice(0, api === "anthropic" ? 1 : 4));
}

export function respond(api: Api, turn: Turn, number: number, body: Body): Response {
  return api === "anthropic" ? anthropic(turn, number, body) : openai(turn, number, body);
}

/** The tool calls of an answer; none for a text. */
function callsOf(turn: Turn, api: Api, body: Body): Call[] {
  if ("text" in turn) return [];
  if ("shells" in turn) return turn.shells.map((shell) => callOf({ shell }, api, body));
  return [callOf(turn, api, body)];
}

type SingleCall = Exclude<Turn, { text: string } | { shells: string[] }>;

function callOf(turn: SingleCall, api: Api, body: Body): Call {
  const offered = toolNames(body);
  const pick = (...names: string[]) => names.find((name) => offered.includes(name)) ?? names[0] ?? "";
  if (api === "anthropic") {
    if ("shell" in turn) {
      return { name: "Bash", input: { command: turn.shell, description: "scripted", ...turn.extra } };
    }
    if (!("subagent" in turn)) throw new Error(`Claude Code has no ${Object.keys(turn)}`);
    const input = { description: "scripted", prompt: turn.subagent, subagent_type: "general-purpose" };
    return { name: pick("Agent", "Task"), input };
  }
  const results = JSON.stringify(
    (Array.isArray(body.input) ? body.input : []).filter(
      (item: { type?: string }) => item.type === "function_call_output",
    ),
  );
  if ("subagent" in turn) return { name: "spawn_agent", input: { message: turn.subagent } };
  if ("waitAgent" in turn) {
    const agent = results.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)?.at(-1);
    return { name: pick("wait_agent", "wait"), input: { targets: agent ? [agent] : [], timeout_ms: 20_000 } };
  }
  if ("readOn" in turn) {
    const session = Number(/session ID (\d+)/.exec(results)?.[1] ?? 0);
    return { name: "write_stdin", input: { session_id: session, chars: "", yield_time_ms: 10_000 } };
  }
  // Codex names its shell tool by model family; the request tells which one it has.
  const name = pick("exec_command", "shell_command", "shell");
  const key = name === "exec_command" ? "cmd" : "command";
  const command = name === "shell" ? ["bash", "-lc", turn.shell] : turn.shell;
  return { name, input: { [key]: command, ...turn.extra } };
}

function anthropic(turn: Turn, number: number, body: Body): Response {
  const content =
    "text" in turn
      ? [{ type: "text" as const, text: turn.text }]
      : callsOf(turn, "anthropic", body).map((call, index) => ({
          type: "tool_use" as const,
          id: `toolu_${number}_${index}`,
          ...call,
        }));
  return anthropicAnswer({ number, model: body.model, stream: body.stream === true, content });
}

function openai(turn: Turn, number: number, body: Body): Response {
  const items =
    "text" in turn
      ? [
          {
            type: "message",
            id: `msg_${number}`,
            role: "assistant",
            content: [{ type: "output_text", text: turn.text }],
          },
        ]
      : callsOf(turn, "openai", body).map((call, index) => functionCall(call, `${number}_${index}`, body));
  const id = `resp_${number}`;
  const usage = {
    input_tokens: 10,
    input_tokens_details: null,
    output_tokens: 5,
    output_tokens_details: null,
    total_tokens: 15,
  };
  return events([
    ["response.created", { response: { id } }],
    ...items.map((item, index): [string, object] => [
      "response.output_item.done",
      { output_index: index, item },
    ]),
    ["response.completed", { response: { id, usage } }],
  ]);
}

function functionCall({ name, input }: Call, id: string, body: Body) {
  // A tool of a group (spawn_agent and its like) is called with the group's name.
  const group = toolsOf(body).find((tool) => tool.tools?.some((inner) => inner.name === name));
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name,
    ...(group?.name === undefined ? {} : { namespace: group.name }),
    arguments: JSON.stringify(input),
  };
}
