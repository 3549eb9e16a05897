import type { DaemonClient } from "../client/daemon.ts";
import { openEventStream } from "../client/event-stream.ts";
import type { DaemonEvent, DroppedMarker } from "../daemon/api/event.ts";
import { errorMessage } from "../lib/errors.ts";
import type { Message } from "./message.ts";

const firstPauseMs = 250;
const longestPauseMs = 5000;

/**
 * Tells what happens in the daemon as long as `signal` lets it. A connection that breaks is made again, after ever
 * longer pauses; what happened meanwhile is asked for by the `link` that follows.
 */
export async function feed(
  client: DaemonClient,
  dispatch: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      const lines = await openEventStream(client.socket, { signal });
      dispatch({ kind: "link", link: "live" });
      pauseMs = firstPauseMs;
      for await (const line of lines) {
        const message = messageOf(line);
        if (message !== undefined) dispatch(message);
      }
      if (!signal.aborted) dispatch({ kind: "link", link: "lost", problem: "it ended the connection" });
    } catch (error) {
      if (signal.aborted) return;
      dispatch({ kind: "link", link: "lost", problem: errorMessage(error) });
    }
    await pause(pauseMs, signal);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

function messageOf(line: string): Message | undefined {
  const event = JSON.parse(line) as DaemonEvent | DroppedMarker;
  if ("job_id" in event) return { kind: "event", jobId: event.job_id };
  return event.type === "stream.dropped" ? { kind: "stale" } : undefined;
}

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
