// A model that plays a script, on loopback: enough of the Anthropic Messages and OpenAI Responses APIs for the
// genuine Claude Code and Codex programs to finish a review against it.

/** One answer of the model. */
export type Turn =
  | { text: string }
  /** A message of several text blocks. */
  | { texts: string[] }
  /** Say something, then read a file, or some lines of it. */
  | { read: string; say?: string; from?: number; lines?: number }
  /** Both: run a shell command (Claude Code must not even offer the tool). */
  | { shell: string }
  /** Refuse the request with this status and message. */
  | { fail: number; message: string };

export interface ModelRequest {
  tools: string[];
  body: Record<string, unknown>;
}

export interface StubModel extends Disposable {
  port: number;
  /** Requests that offered tools: the review itself, not side questions such as titles. */
  requests: ModelRequest[];
}

/** Starts the model; past its end the script repeats its last turn. */
export function startStubModel(turns: Turn[]): StubModel {
  const requests: ModelRequest[] = [];
  let next = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      if (request.method !== "POST") return Response.json({}, { status: 404 });
      const body = JSON.parse(await bodyText(request)) as Record<string, unknown>;
      if (path.endsWith("/count_tokens")) return Response.json({ input_tokens: 100 });
      const tools = toolNames(body);
      const number = next;
      const turn: Turn =
        tools.length === 0 ? { text: "title" } : (turns[number] ?? turns.at(-1) ?? { text: "nothing" });
      if (tools.length > 0) {
        next++;
        requests.push({ tools, body });
      }
      if ("fail" in turn) {
        const error = { type: "api_error", message: turn.message };
        return Response.json({ type: "error", error }, { status: turn.fail });
      }
      return path.endsWith("/messages") ? anthropic(turn, number, body) : openai(turn, number, tools);
    },
  });
  return { port: server.port ?? 0, requests, [Symbol.dispose]: () => void server.stop(true) };
}

async function bodyText(request: Request): Promise<string> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const plain = request.headers.get("content-encoding") === "zstd" ? Bun.zstdDecompressSync(bytes) : bytes;
  return new TextDecoder().decode(plain);
}

function toolNames(body: Record<string, unknown>): string[] {
  if (!Array.isArray(body.tools)) return [];
  return body.tools.flatMap((tool: { name?: string; type?: string; tools?: { name?: string }[] }) => [
    tool.name ?? tool.type ?? "?",
    ...(tool.tools ?? []).map((inner) => inner.name ?? "?"),
  ]);
}

const events = (list: [string, object][]) =>
  new Response(
    list
      .map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`)
      .join(""),
    { headers: { "content-type": "text/event-stream" } },
  );

type Answer = Exclude<Turn, { fail: number }>;

/** The content blocks of an answer, in Anthropic's terms. */
function blocksOf(turn: Answer, number: number) {
  if ("text" in turn) return [{ type: "text" as const, text: turn.text }];
  if ("texts" in turn) return turn.texts.map((text) => ({ type: "text" as const, text }));
  const call =
    "read" in turn
      ? { name: "Read", input: { file_path: turn.read, ...windowOf(turn) } }
      : { name: "Bash", input: { command: turn.shell, description: "stub" } };
  const say = "read" in turn && turn.say !== undefined ? [{ type: "text" as const, text: turn.say }] : [];
  return [...say, { type: "tool_use" as const, id: `toolu_${number}`, ...call }];
}

function anthropic(turn: Answer, number: number, body: Record<string, unknown>): Response {
  const blocks = blocksOf(turn, number);
  const stopReason = blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: body.model,
    content: blocks,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 10, cache_read_input_tokens: 3, output_tokens: 5 },
  };
  if (body.stream !== true) return Response.json(message);
  return events([
    ["message_start", { message: { ...message, content: [], stop_reason: null } }],
    ...blocks.flatMap((block, index): [string, object][] => {
      const [start, delta] =
        block.type === "text"
          ? [
              { type: "text", text: "" },
              { type: "text_delta", text: block.text },
            ]
          : [
              { ...block, input: {} },
              { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
            ];
      return [
        ["content_block_start", { index, content_block: start }],
        ["content_block_delta", { index, delta }],
        ["content_block_stop", { index }],
      ];
    }),
    [
      "message_delta",
      { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 5 } },
    ],
    ["message_stop", {}],
  ]);
}

function openai(turn: Answer, number: number, tools: string[]): Response {
  const items = blocksOf(turn, number).map((block, index) =>
    block.type === "text"
      ? {
          type: "message",
          id: `msg_${number}_${index}`,
          role: "assistant",
          content: [{ type: "output_text", text: block.text }],
        }
      : {
          type: "function_call",
          id: `fc_${number}`,
          call_id: `call_${number}`,
          ...shellCall("shell" in turn ? turn.shell : "read" in turn ? printing(turn) : "", tools),
        },
  );
  const id = `resp_${number}`;
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 3 },
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

type Reading = Extract<Turn, { read: string }>;

const windowOf = ({ from, lines }: Reading) =>
  from === undefined || lines === undefined ? {} : { offset: from, limit: lines };

const printing = ({ read, from, lines }: Reading): string =>
  from === undefined || lines === undefined
    ? `cat '${read}'`
    : `sed -n '${from},${from + lines - 1}p' '${read}'`;

/** Codex names its shell tool by model family; the request tells which one it has. */
function shellCall(command: string, tools: string[]) {
  if (tools.includes("exec_command"))
    return { name: "exec_command", arguments: JSON.stringify({ cmd: command }) };
  if (tools.includes("shell_command"))
    return { name: "shell_command", arguments: JSON.stringify({ command }) };
  return { name: "shell", arguments: JSON.stringify({ command: ["bash", "-lc", command] }) };
}
