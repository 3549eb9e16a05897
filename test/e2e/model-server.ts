import { anthropic } from "./wire/anthropic.ts";
import { gemini } from "./wire/gemini.ts";
import { chat, responses } from "./wire/openai.ts";
import type { Block, Play } from "./wire/play.ts";
import { type Body, toolNames } from "./wire/request.ts";

export interface Asked {
  /** Of all requests, the first is 0. */
  number: number;
  body: Body;
  tools: string[];
}

export type Answer = Block[] | { fail: number; message: string };

export interface ModelServer extends Disposable {
  port: number;
}

/**
 * A model on loopback, behind the four APIs that the programs speak: Anthropic Messages, OpenAI Responses and Chat
 * Completions, Gemini; streaming or not. `answer` says what it says.
 */
export function serveModel(answer: (asked: Asked) => Answer | Promise<Answer>): ModelServer {
  let next = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      if (request.method !== "POST") {
        return path.endsWith("/models")
          ? Response.json({ object: "list", data: [{ id: "stub-model", object: "model" }] })
          : Response.json({}, { status: 404 });
      }
      const body = await bodyOf(request);
      if (path.endsWith("/count_tokens")) return Response.json({ input_tokens: 100 });
      if (path.endsWith(":countTokens")) return Response.json({ totalTokens: 100 });
      const wire = wireOf(path);
      if (!wire) return Response.json({ error: { message: `no ${path}` } }, { status: 404 });
      const number = next++;
      const blocks = await answer({ number, body, tools: toolNames(body) });
      if ("fail" in blocks) {
        const error = { type: "api_error", code: blocks.fail, message: blocks.message };
        return Response.json({ type: "error", error }, { status: blocks.fail });
      }
      const stream = body.stream === true || path.includes(":streamGenerateContent");
      return wire({ number, model: body.model ?? "stub-model", stream, blocks });
    },
    error: (problem) => Response.json({ error: { message: String(problem) } }, { status: 500 }),
  });
  return { port: server.port ?? 0, [Symbol.dispose]: () => void server.stop(true) };
}

/** A title for whoever wants one, and what the side questions of Gemini CLI and Qwen Code ask for. */
export const sideAnswer: Block[] = [
  {
    type: "text",
    text: JSON.stringify({
      title: "title",
      reasoning: "stub",
      next_speaker: "user",
      model_choice: "flash",
      complexity_reasoning: "stub",
      complexity_score: 1,
    }),
  },
];

function wireOf(path: string): ((play: Play) => Response) | undefined {
  if (path.endsWith("/messages")) return anthropic;
  if (path.endsWith("/responses")) return responses;
  if (path.endsWith("/chat/completions")) return chat;
  if (/:(?:streamG|g)enerateContent$/.test(path)) return gemini;
  return undefined;
}

async function bodyOf(request: Request): Promise<Body> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const plain = request.headers.get("content-encoding") === "zstd" ? Bun.zstdDecompressSync(bytes) : bytes;
  return JSON.parse(new TextDecoder().decode(plain)) as Body;
}
