import type { Ping } from "../daemon/api/responses.ts";
import { errorCode } from "../lib/errors.ts";
import type { DaemonClient } from "./daemon.ts";
import { DaemonError } from "./transport.ts";

/** What listens on the socket: our daemon, nothing, or something that does not answer in time. */
export type Probe = { state: "running"; ping: Ping } | { state: "not-running" } | { state: "hung" };

/** Asks who is there. Rejects where connecting is forbidden, and where something else answers. */
export async function probeDaemon(client: DaemonClient, timeoutMs = 1000): Promise<Probe> {
  const first = await ask(client, timeoutMs);
  // One that ended in the middle of the question is gone by the next.
  const answer = first === "hung up" ? await ask(client, timeoutMs) : first;
  if (answer !== "hung up") return answer;
  throw new DaemonError("bad-answer", `what listens on ${client.socket} closes every connection`);
}

async function ask(client: DaemonClient, timeoutMs: number): Promise<Probe | "hung up"> {
  try {
    const ping = await client.ping(timeoutMs);
    if (ping.service !== "roborev") {
      throw new DaemonError("bad-answer", `what listens on ${client.socket} is not a roborev daemon`);
    }
    return { state: "running", ping };
  } catch (error) {
    if (error instanceof DaemonError && error.failure === "not-running") return { state: "not-running" };
    if (error instanceof DaemonError && error.failure === "timed-out") return { state: "hung" };
    if (error instanceof DaemonError && errorCode(error.cause) === "ECONNRESET") return "hung up";
    throw error;
  }
}
