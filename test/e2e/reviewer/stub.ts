import { type Asked, type ModelServer, serveModel, sideAnswer } from "../model-server.ts";
import { blocksOf, type ToolCalls, type Turn } from "../turn.ts";

export interface StubModel extends ModelServer {
  /** Requests that offered tools: the review itself, not side questions such as titles. */
  requests: Asked[];
}

/** A model that plays a script for a reviewer; past its end the script repeats its last turn. */
export function startStubModel(turns: Turn[], calls: ToolCalls): StubModel {
  const requests: Asked[] = [];
  let next = 0;
  const server = serveModel((asked) => {
    if (asked.tools.length === 0) return sideAnswer;
    requests.push(asked);
    const turn = turns[next++] ?? turns.at(-1) ?? { text: "nothing" };
    return "fail" in turn ? turn : blocksOf(turn, asked.number, calls, asked.body);
  });
  return { ...server, requests };
}
