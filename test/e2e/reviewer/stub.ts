// A model that plays a script, on loopback: enough of four APIs for the genuine reviewer programs to finish a review
// against it.
import { anthropic } from "./wire/anthropic.ts";
import { gemini } from "./wire/gemini.ts";
import { chat, responses } from "./wire/openai.ts";
import { blocksOf, type Play, type ToolCalls, type Turn } from "./wire/play.ts";

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
export function startStubModel(turns: Turn[], calls: ToolCalls): StubModel {
  const requests: ModelRequest[] = [];
  let next = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      if (request.method !== "POST") {
        return path.endsWith("/models")
          ? Response.json({ object: "list", data: [{ id: "stub-model", object: "model" }] })
          : Response.json({}, { status: 404 });
      }
      const body = JSON.parse(await bodyText(request)) as Record<string, unknown>;
      if (path.endsWith("/count_tokens")) return Response.json({ input_tokens: 100 });
      if (path.endsWith(":countTokens")) return Response.json({ totalTokens: 100 });
      const wire = wireOf(path);
      if (!wire) return Response.json({ error: { message: `no ${path}` } }, { status: 404 });
      const tools = toolNames(body);
      const number = next;
      const turn: Turn =
        tools.length === 0 ? { text: sideAnswer } : (turns[number] ?? turns.at(-1) ?? { text: "nothing" });
      if (tools.length > 0) {
        next++;
        requests.push({ tools, body });
      }
      if ("fail" in turn) {
        const error = { type: "api_error", code: turn.fail, message: turn.message };
        return Response.json({ type: "error", error }, { status: turn.fail });
      }
      return wire({
        number,
        model: body.model ?? "stub-model",
        stream: body.stream === true || path.includes(":streamGenerateContent"),
        blocks: blocksOf(turn, number, calls, tools),
      });
    },
  });
  return { port: server.port ?? 0, requests, [Symbol.dispose]: () => void server.stop(true) };
}

/** A title for whoever wants one, and what the side questions of Gemini CLI and Qwen Code ask for. */
const sideAnswer = JSON.stringify({
  title: "title",
  reasoning: "stub",
  next_speaker: "user",
  model_choice: "flash",
  complexity_reasoning: "stub",
  complexity_score: 1,
});

function wireOf(path: string): ((play: Play) => Response) | undefined {
  if (path.endsWith("/messages")) return anthropic;
  if (path.endsWith("/responses")) return responses;
  if (path.endsWith("/chat/completions")) return chat;
  if (/:(?:streamG|g)enerateContent$/.test(path)) return gemini;
  return undefined;
}

async function bodyText(request: Request): Promise<string> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const plain = request.headers.get("content-encoding") === "zstd" ? Bun.zstdDecompressSync(bytes) : bytes;
  return new TextDecoder().decode(plain);
}

interface OfferedTool {
  name?: string;
  type?: string;
  function?: { name?: string };
  tools?: OfferedTool[];
  functionDeclarations?: OfferedTool[];
}

/** Names of the tools that a request offers, in whichever API's words. */
function toolNames(body: Record<string, unknown>): string[] {
  const names = (tool: OfferedTool): string[] => {
    const inner = [...(tool.tools ?? []), ...(tool.functionDeclarations ?? [])].flatMap(names);
    const own = tool.function?.name ?? tool.name ?? tool.type;
    return [...(own === undefined ? [] : [own]), ...inner];
  };
  return Array.isArray(body.tools) ? body.tools.flatMap(names) : [];
}
