import { type Api, type Body, openingText, respond, type Turn, textOf, toolNames } from "./wire.ts";

/** A turn, or what finds it out when the model is asked: the place to wait for a review. */
export type Step = Turn | ((request: string) => Turn | Promise<Turn>);

/** Opens a sub-agent's prompt, so that its requests are told from those of the session. */
export const subagentMark = "SUBAGENT-MARK";

export interface ModelRequest {
  /** Of the session, of a sub-agent, or a side question without tools such as a title. */
  kind: "main" | "sub" | "side";
  text: string;
  tools: string[];
}

export interface Model extends Disposable {
  port: number;
  /** Plays these steps from now on and returns the list that the coming requests are added to. */
  play(steps: Step[], subSteps?: Step[]): ModelRequest[];
}

/** A model on loopback that plays a script; past its end it has nothing more to say. */
export function startModel(): Model {
  let requests: ModelRequest[] = [];
  let scripts: Record<"main" | "sub", Step[]> = { main: [], sub: [] };
  let number = 0;

  async function answer(api: Api, body: Body): Promise<Response> {
    const tools = toolNames(body);
    const isSub = openingText(api, body).includes(subagentMark);
    const kind = tools.length === 0 ? "side" : isSub ? "sub" : "main";
    const text = textOf(body);
    requests.push({ kind, text, tools });
    const step = kind === "side" ? undefined : scripts[kind].shift();
    const turn = typeof step === "function" ? await step(text) : step;
    return respond(api, turn ?? { text: "The script is over." }, number++, body);
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== "POST") return Response.json({}, { status: 404 });
      const body = await bodyOf(request);
      if (pathname.endsWith("/count_tokens")) return Response.json({ input_tokens: 100 });
      if (pathname.endsWith("/messages")) return answer("anthropic", body);
      if (pathname.endsWith("/responses")) return answer("openai", body);
      return Response.json({}, { status: 404 });
    },
    error: (problem) => Response.json({ error: { message: String(problem) } }, { status: 500 }),
  });
  return {
    port: server.port ?? 0,
    play(main, sub = []) {
      requests = [];
      scripts = { main: [...main], sub: [...sub] };
      return requests;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

async function bodyOf(request: Request): Promise<Body> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const plain = request.headers.get("content-encoding") === "zstd" ? Bun.zstdDecompressSync(bytes) : bytes;
  return JSON.parse(new TextDecoder().decode(plain)) as Body;
}

// Claude Code shows the model a block of ours a second time, as an "error" of the command: 2.1.332 in the same request,
// 2.1.197 in the one after it.
const repeatedBlock =
  /Stop hook blocking error from command.*?(?:Review job ids?: [\d, ]+|agent-hook fix-done [^`]+)/gs;

/** The job ids of every reminder in a text. */
export function remindedIds(text: string): number[][] {
  return [...text.replace(repeatedBlock, "").matchAll(/Review job ids?: ([\d, ]+)/g)].map(([, ids = ""]) =>
    ids.split(",").map((id) => Number(id)),
  );
}

const closeOuts = (text: string): number =>
  text.replace(repeatedBlock, "").split("Finish the fixes that you began").length - 1;

/** Numbers of the session's requests in which a reminder of this job turned up anew; history repeats do not count. */
export function arrivals(requests: ModelRequest[], jobId?: number): number[] {
  return increases(
    requests,
    (text) => remindedIds(text).filter((ids) => jobId === undefined || ids.includes(jobId)).length,
  );
}

/** The same for being asked to finish what a reminder began. */
export const askedToFinish = (requests: ModelRequest[]): number[] => increases(requests, closeOuts);

function increases(requests: ModelRequest[], countIn: (text: string) => number): number[] {
  const counts = requests.filter(({ kind }) => kind === "main").map(({ text }) => countIn(text));
  return counts.flatMap((count, number) => (count > (counts[number - 1] ?? 0) ? [number] : []));
}
