import type { DaemonClient } from "../../client/daemon.ts";
import { type EventStreamOptions, openEventStream } from "../../client/event-stream.ts";
import { DaemonError } from "../../client/transport.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { requireCheckout, workingDirectory } from "../place.ts";

export const stream = define({
  meta: {
    name: "stream",
    description: "Print what happens to reviews as it happens, one JSON document a line, until interrupted.",
  },
  args: {
    repo: { type: "string", valueHint: "path", description: "Only this repository (default all)" },
  },
  details: `The types are job.enqueued, review.started, review.completed, review.failed, review.canceled, review.closed,
    review.reopened, review.commented, review.remapped and config.reloaded. Each names job_id, repo and sha where it is about a
    job; review.completed has the verdict, and the whole review as findings; review.commented has the finding that it is
    about, by its number, and the disposition, where it is about one.

    stream.dropped stands for events that were not read in time, stream.reconnected for those that happened while the
    daemon was away: what is known should be looked up again. A daemon that was stopped is waited for, not started.`,
  exitCodes: { 0: "nobody reads the output any more", 130: "interrupted" },
  examples: ["roborev stream", "roborev stream --repo ~/src/shop"],
  async run(context) {
    const { args, out, signal } = context;
    const repo = args.repo === undefined ? undefined : await rootOf(args.repo);
    const options = { signal, ...(repo === undefined ? {} : { repo }) };
    const client = await connect(context);
    let lines = await openEventStream(client.socket, options);
    out.detail("Connected.");
    for (;;) {
      for await (const line of lines) if (!(await out.send(line))) return 0;
      signal.throwIfAborted();
      out.note("The daemon is gone. Events go on when it is back.");
      lines = await reconnect(client, options);
      out.note("The daemon is back. What happened meanwhile was not seen.");
      const marker = { type: "stream.reconnected", ts: context.now().toISOString() };
      if (!(await out.send(JSON.stringify(marker)))) return 0;
    }

    async function rootOf(path: string): Promise<string> {
      const directory = workingDirectory(context, path);
      const retry = (child: string) => `roborev stream --repo ${shellWord(`${path}/${child}`)}`;
      return (await requireCheckout(directory, retry)).mainRoot;
    }
  },
});

/** Tries until the daemon answers; anything but its absence is an error. */
async function reconnect(client: DaemonClient, options: EventStreamOptions) {
  for (let pauseMs = 50; ; pauseMs = Math.min(2000, pauseMs * 1.5)) {
    try {
      return await openEventStream(client.socket, options);
    } catch (error) {
      if (!(error instanceof DaemonError) || error.failure === "denied") throw error;
    }
    await Bun.sleep(pauseMs);
    options.signal.throwIfAborted();
  }
}
