import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { daemonSocketPath } from "../../src/client/socket-path.ts";
import { apiVersion, version } from "../../src/lib/version.ts";

export interface SeenRequest {
  route: string;
  query: Record<string, string>;
  body: unknown;
}

export type Answer = { status?: number; body: unknown };
type Handler = (request: SeenRequest) => Answer | object | Promise<Answer | object>;

export interface FakeDaemon extends AsyncDisposable {
  socket: string;
  seen: SeenRequest[];
  /** Requests to one route. */
  of(route: string): SeenRequest[];
  routes: Record<string, Handler>;
  stop(): Promise<void>;
}

export const reply = (status: number, body: unknown): Answer => ({ status, body });

/** Answers on the socket of a data directory: `routes` by `GET /api/jobs`; ping is there from the start. */
export function fakeDaemon(dataDir: string, routes: Record<string, Handler> = {}): FakeDaemon {
  const socket = daemonSocketPath(dataDir);
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const seen: SeenRequest[] = [];
  const all: Record<string, Handler> = {
    "GET /api/ping": () => ({
      service: "roborev",
      version,
      api_version: apiVersion,
      pid: process.pid,
      data_dir: dataDir,
    }),
    ...routes,
  };
  const server = Bun.serve({
    unix: socket,
    async fetch(request) {
      const url = new URL(request.url);
      const text = await request.text();
      const route = `${request.method} ${url.pathname}`;
      const call = {
        route,
        query: Object.fromEntries(url.searchParams),
        body: text ? JSON.parse(text) : undefined,
      };
      seen.push(call);
      const handler = all[route];
      const answer = handler ? await handler(call) : reply(404, { error: `no such route: ${route}` });
      if ("text" in answer) return new Response(String(answer.text));
      return "body" in answer
        ? Response.json(answer.body, { status: (answer as Answer).status ?? 200 })
        : Response.json(answer);
    },
  });
  const stop = () => server.stop(true);
  return {
    socket,
    seen,
    routes: all,
    of: (route) => seen.filter((call) => call.route === route),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
