import type { Comment } from "../store/schema.ts";
import type { DaemonClient, JobComment } from "./daemon.ts";
import { DaemonError } from "./transport.ts";

export interface PatienceOptions {
  /** Resolves when the daemon answers again, started if need be; rejects when it does not now. */
  revive(): Promise<unknown>;
  /** Told once for each time that the daemon is lost. */
  onLost(): void;
  signal: AbortSignal;
  /** How often a request is sent again. Default 3. */
  retries?: number;
  /** How long the daemon may stay away each time. Default 60 s. */
  waitMs?: number;
  /** Between two attempts to find it. Default 250 ms. */
  pauseMs?: number;
}

type Request =
  | ("review" | "jobs" | "openReviews" | "enqueue" | "comment" | "closeReview" | "status" | "reportQuota")
  | ("patch" | "markApplied");

/**
 * A client for work that takes long: a daemon that is restarted meanwhile costs nothing. Requests that change
 * something are those that may be sent twice, but for two, of which is looked first whether they arrived.
 */
export function patientClient(client: DaemonClient, options: PatienceOptions): Pick<DaemonClient, Request> {
  const patiently = <T>(send: () => Promise<T>, again: () => Promise<T> = send) =>
    keepAsking(send, again, options);
  return {
    review: (query) => patiently(() => client.review(query)),
    status: (timeoutMs) => patiently(() => client.status(timeoutMs)),
    reportQuota: (request) => patiently(() => client.reportQuota(request)),
    patch: (jobId) => patiently(() => client.patch(jobId)),
    markApplied: (jobId) =>
      patiently(
        () => client.markApplied(jobId),
        async () => (await isApplied(client, jobId)) ?? (await client.markApplied(jobId)),
      ),
    jobs: (query) => patiently(() => client.jobs(query)),
    openReviews: (query) => patiently(() => client.openReviews(query)),
    enqueue: (request, timeoutMs) => patiently(() => client.enqueue(request, timeoutMs)),
    closeReview: (request) => patiently(() => client.closeReview(request)),
    comment: (request) =>
      patiently(
        () => client.comment(request),
        async () => (await arrived(client, request)) ?? (await client.comment(request)),
      ),
  };
}

/** The comment, if the daemon took it before it was lost. What is said of a finding twice is said once. */
async function arrived(client: DaemonClient, request: JobComment): Promise<Comment | undefined> {
  if (request.finding !== undefined) return undefined;
  const { comments } = await client.review({ job_id: request.job_id });
  const last = comments.at(-1);
  const isSame = last?.responder === request.commenter && last.response === request.comment;
  return isSame ? last : undefined;
}

/** The answer that the daemon gave, if it marked the job before it was lost. */
async function isApplied(client: DaemonClient, id: number): Promise<{ status: "applied" } | undefined> {
  const status = (await client.jobs({ id })).jobs[0]?.status;
  return status === "applied" ? { status } : undefined;
}

async function keepAsking<T>(
  send: () => Promise<T>,
  again: () => Promise<T>,
  options: PatienceOptions,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await (retry === 0 ? send() : again());
    } catch (error) {
      if (!isLost(error) || retry >= (options.retries ?? 3)) throw error;
      options.onLost();
      await untilBack(error, options);
    }
  }
}

/** An answer that says no is no loss, and where connecting is forbidden waiting does not help. */
const isLost = (error: unknown): boolean => error instanceof DaemonError && error.failure !== "denied";

async function untilBack(lost: unknown, options: PatienceOptions): Promise<void> {
  const { revive, signal, waitMs = 60_000, pauseMs = 250 } = options;
  const deadline = performance.now() + waitMs;
  for (;;) {
    signal.throwIfAborted();
    try {
      await revive();
      return;
    } catch (error) {
      if (performance.now() >= deadline) throw lost;
      if (!isLost(error) && !isStarting(error)) throw error;
    }
    await Bun.sleep(pauseMs);
  }
}

/** A start that fails may succeed once the daemon before it has ended. */
const isStarting = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "E_DAEMON_START";
