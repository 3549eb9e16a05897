import { jobLogPath } from "../review/job-log.ts";
import type { Job } from "../store/schema.ts";
import type { OutputEvent, OutputLine } from "./api/job-output.ts";
import { JobOutput } from "./job-output.ts";
import { keepAliveMs } from "./routes/stream.ts";
import type { Services } from "./services.ts";

type StreamServices = Pick<Services, "database" | "errors" | "events" | "paths">;

const pauseMs = 200;

/** Whether a job's log may grow, or begin anew. */
export const isPending = ({ status }: Pick<Job, "status">): boolean =>
  status === "queued" || status === "running";

/**
 * What a job's reviewer says as NDJSON, until the job has ended; an empty line is a keep-alive.
 * Lines are read when the connection takes more.
 */
export function outputStream(services: StreamServices, id: number): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const documents = follow(services, id, left.signal);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await documents.next();
          if (left.signal.aborted) return;
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          services.errors.add("job/output", error); // the client sees an end without its `complete`
          controller.close();
        }
      },
      async cancel() {
        left.abort();
        await documents.return();
      },
    },
    // Nothing is fetched ahead of the connection.
    { highWaterMark: 0 },
  );
}

async function* follow(
  { database, events, paths }: StreamServices,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  // Wakes at every event, and ends when the daemon stops.
  using subscription = disposable(events.subscribe({ maxEvents: 1 }));
  signal.addEventListener("abort", () => subscription.close());
  const output = new JobOutput(jobLogPath(paths.jobLogs, id));
  yield "\n"; // a client has the headers at once
  let saidMs = performance.now();
  for (;;) {
    const [job] = await database((store) => store.jobs.listed([id]));
    if (job === undefined) return; // deleted with its repository
    for await (const { lines, isAnew } of output.next(job.agent)) {
      if (isAnew) yield document({ type: "restart" });
      if (lines.length > 0) yield linesOf(lines);
      saidMs = performance.now();
    }
    // What the reviewer printed last was in the log before the job had ended.
    if (!isPending(job)) {
      yield linesOf(output.rest(job.agent)) + document({ type: "complete", status: job.status });
      return;
    }
    if ((await subscription.take(pauseMs)) === "closed") return;
    if (performance.now() - saidMs < keepAliveMs) continue;
    yield "\n";
    saidMs = performance.now();
  }
}

const document = (event: OutputEvent): string => `${JSON.stringify(event)}\n`;

const linesOf = (lines: OutputLine[]): string =>
  lines.map((line) => document({ type: "line", ...line })).join("");

const disposable = <T extends { close(): void }>(closed: T): T & Disposable =>
  Object.assign(closed, { [Symbol.dispose]: () => closed.close() });
