import { type Asked, type ModelServer, serveModel, sideAnswer } from "../model-server.ts";
import { blocksOf, type ToolCalls, type Turn } from "../turn.ts";
import { type Body, closingText, openingText, placeOf, textOf } from "../wire/request.ts";

/** A turn, or what finds it out when the model is asked: the place to wait for a review. */
export type Step = Turn | ((request: string, body: Body) => Turn | Promise<Turn>);

/** Opens a sub-agent's prompt, so that its requests are told from those of the session. */
export const subagentMark = "SUBAGENT-MARK";

export interface ModelRequest {
  /** Of the session, of a sub-agent, or a side question, such as for a title. */
  kind: "main" | "sub" | "side";
  text: string;
  tools: string[];
  body: Body;
}

export interface Model extends ModelServer {
  /** Plays these steps from now on and returns the list that the coming requests are added to. */
  play(steps: Step[], subSteps?: Step[]): ModelRequest[];
}

export interface ModelOptions {
  calls: ToolCalls;
  /** Opens what the program asks aside with all its tools on offer. */
  sideMark?: string;
}

/** A model on loopback that plays a script; past its end it has nothing more to say. */
export function startModel({ calls, sideMark }: ModelOptions): Model {
  let requests: ModelRequest[] = [];
  let scripts: Record<"main" | "sub", Step[]> = { main: [], sub: [] };

  function kindOf({ body, tools }: Asked): ModelRequest["kind"] {
    if (tools.length === 0 || (sideMark !== undefined && closingText(body).includes(sideMark))) return "side";
    return openingText(body).includes(subagentMark) ? "sub" : "main";
  }

  const server = serveModel(async (asked) => {
    const { body, tools, number } = asked;
    const kind = kindOf(asked);
    const text = textOf(body);
    requests.push({ kind, text, tools, body });
    if (kind === "side") return sideAnswer;
    const step = scripts[kind].shift() ?? { text: "The script is over." };
    const turn = typeof step === "function" ? await step(text, body) : step;
    return "fail" in turn ? turn : blocksOf(turn, number, calls, body);
  });
  return {
    ...server,
    play(main, sub = []) {
      requests = [];
      scripts = { main: [...main], sub: [...sub] };
      return requests;
    },
  };
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

/** Where in a request the reminder stands. */
export const reminderPlace = ({ body }: ModelRequest): string | undefined => placeOf(body, "Review job id");

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
