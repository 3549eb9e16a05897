import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readLogPiece } from "../../fs/log-piece.ts";
import { jobLogPath } from "../../review/job-log.ts";
import type { Job } from "../../store/schema.ts";
import type { JobOutputResponse, OutputLine } from "../api/job-output.ts";
import { IdTextSchema } from "../api/requests.ts";
import { JobOutput } from "../job-output.ts";
import { isPending, outputStream } from "../output-stream.ts";
import type { Services } from "../services.ts";
import { jobRefusal } from "./job-refusal.ts";

const OutputQuerySchema = Type.Object({
  job_id: IdTextSchema,
  /** NDJSON that goes on until the job has ended. */
  stream: Type.Optional(Type.Union([Type.Literal("1"), Type.Literal("0")])),
});

const LogQuerySchema = Type.Object({
  job_id: IdTextSchema,
  offset: Type.Optional(Type.String({ pattern: "^\\d{1,15}$" })),
});

const maxPieceBytes = 1024 * 1024;
const maxShownBytes = 512 * 1024;
/** Of a line's JSON: there can be many empty ones. */
const lineOverhead = 40;

/** What the reviewer of a job printed: in words, and as it is. The file is found by the number alone. */
export function jobLogRoutes(services: Pick<Services, "database" | "errors" | "events" | "paths">) {
  return new Elysia({ prefix: "/api/job" })
    .get(
      "/output",
      async ({ query, request }) => {
        const job = await jobWithLog(services, Number(query.job_id));
        if (query.stream !== "1") return output(services, job);
        // Elysia answers HEAD by this handler and reads the whole body (1.4.30).
        const body = request.method === "HEAD" ? null : outputStream(services, job.id);
        return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
      },
      { query: OutputQuerySchema },
    )
    .get(
      "/log",
      async ({ query }) => {
        const job = await jobWithLog(services, Number(query.job_id));
        const piece = await readLogPiece(jobLogPath(services.paths.jobLogs, job.id), {
          offset: Number(query.offset ?? "0"),
          maxBytes: maxPieceBytes,
          growing: isPending(job),
        });
        return new Response(piece?.bytes ?? new Uint8Array(), {
          headers: {
            "content-type": "text/plain; charset=utf-8",
            "x-job-status": job.status,
            "x-log-offset": String(piece?.next ?? 0),
          },
        });
      },
      { query: LogQuerySchema },
    );
}

/** A job that has a log, or may still get one. Read before the log, so that one that has ended has all of it. */
async function jobWithLog(
  { database, paths }: Pick<Services, "database" | "paths">,
  id: number,
): Promise<Job> {
  const [job] = await database((store) => store.jobs.listed([id]));
  if (job === undefined) throw jobRefusal(id, undefined, "");
  if (isPending(job)) return job;
  const start = { offset: 0, maxBytes: 0, growing: false };
  if ((await readLogPiece(jobLogPath(paths.jobLogs, id), start)) === undefined)
    throw jobRefusal(id, job, " and has no log");
  return job;
}

async function output({ paths }: Pick<Services, "paths">, job: Job): Promise<JobOutputResponse> {
  const read = new JobOutput(jobLogPath(paths.jobLogs, job.id));
  let lines: OutputLine[] = [];
  let isCut = false;
  const add = (more: OutputLine[]) => {
    const all = lines.concat(more);
    lines = newest(all);
    isCut ||= lines.length < all.length;
  };
  for await (const piece of read.next(job.agent)) {
    if (piece.isAnew) lines = [];
    add(piece.lines);
  }
  if (!isPending(job)) add(read.rest(job.agent));
  return {
    job_id: job.id,
    status: job.status,
    lines,
    has_more: isPending(job),
    ...(isCut || read.isTail ? { truncated: true as const } : {}),
  };
}

function newest(lines: OutputLine[]): OutputLine[] {
  let bytes = 0;
  let first = lines.length;
  for (; first > 0; first--) {
    bytes += (lines[first - 1]?.text.length ?? 0) + lineOverhead;
    if (bytes > maxShownBytes) break;
  }
  return lines.slice(first);
}
