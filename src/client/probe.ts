import type { Ping } from "../daemon/api/responses.ts";
import type { DaemonClient } from "./daemon.ts";
import { DaemonError } from "./transport.ts";

/** What listens on the socket: our daemon, nothing, or something that does not answer in time. */
export type Probe = { state: "running"; ping: Ping } | { state: "not-running" } | { state: "hung" };

/** Asks once who is there. Rejects where connecting is forbidden, and where something else answers. */
export async function probeDaemon(client: DaemonClient, timeoutMs = 1000): Promise<Probe> {
  try {
    const ping = await client.ping(timeoutMs);
    if (ping.service !== "roborev") {
      throw new DaemonError("bad-answer", `what listens on ${client.socket} is not a roborev daemon`);
    }
    return { state: "running", ping };
  } catch (error) {
    if (error instanceof DaemonError && error.failure === "not-running") return { state: "not-running" };
    if (error instanceof DaemonError && error.failure === "timed-out") return { state: "hung" };
    throw error;
  }
}
