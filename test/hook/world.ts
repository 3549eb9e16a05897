import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DaemonAnswer } from "../../src/client/transport.ts";
import type { HookRequest } from "../../src/daemon/api/hook-event.ts";
import { answerHook, type HookAnswer, type HookWorld } from "../../src/hook/run.ts";

export type Payload = Record<string, unknown>;

export function fixture(agent: string, name: string): Payload {
  const path = join(import.meta.dir, "../fixtures/harness", agent, `${name}.json`);
  return JSON.parse(readFileSync(path, "utf8"));
}

export interface Call {
  socket: string;
  path: string;
  request: HookRequest;
  timeoutMs: number;
}

export interface Run {
  /** Command line after `agent-hook run`. */
  args: string[];
  input: string | Uint8Array;
  env?: Record<string, string>;
  /** What the daemon does; the default finds nothing to say. */
  daemon?: () => DaemonAnswer;
  cwd?: () => string;
  load?: HookWorld["load"];
}

export const quiet = { session_id: "s", count: 1, threshold: 5, triggered: false };

/** One hook call in this process, with the requests that it made. */
export async function runInProcess(run: Run): Promise<HookAnswer & { calls: Call[] }> {
  const calls: Call[] = [];
  const world: HookWorld = {
    env: { HOME: "/home/dev", ...run.env },
    cwd: run.cwd ?? (() => "/home/dev"),
    executable: () => "/opt/roborev",
    stdin: () => new Blob([run.input as string]).stream(),
    monotonicMs: () => 0,
    ...(run.load === undefined ? {} : { load: run.load }),
    request: async (socket, _method, path, body, options) => {
      calls.push({ socket, path, request: body as HookRequest, timeoutMs: options.timeoutMs });
      return run.daemon?.() ?? { status: 200, body: quiet };
    },
  };
  return { ...(await answerHook(run.args, world)), calls };
}
