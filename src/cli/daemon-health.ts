import type { DaemonClient } from "../client/daemon.ts";
import { DaemonRefusal } from "../client/refusal.ts";
import { DaemonError } from "../client/transport.ts";
import { singleLine } from "../lib/text.ts";

/** What is wrong with a daemon that runs, one line each: for commands that would otherwise only say that it does. */
export async function healthWarnings(client: DaemonClient): Promise<string[]> {
  try {
    const { components } = await client.status();
    return components.flatMap(({ healthy, message }) =>
      healthy || !message ? [] : [`Warning: ${singleLine(message)}`],
    );
  } catch (error) {
    // Whether it started is told already; that it cannot say more is for `status`.
    if (error instanceof DaemonRefusal || error instanceof DaemonError) return [];
    throw error;
  }
}
