import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { RoborevError } from "../../lib/errors.ts";
import { redactSecrets } from "../../lib/redact.ts";
import type { Comment, Job, Review } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { reportAct } from "../agent-hook/report-act.ts";
import { CloseSchema, type CommentRequest, CommentRequestSchema, IdTextSchema } from "../api/requests.ts";
import type { DispositionResponse, ErrorBody, ReviewResponse } from "../api/responses.ts";
import type { Services } from "../services.ts";
import { dispose, disposingOf } from "./dispose.ts";
import { jobRefusal } from "./job-refusal.ts";

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 4096 }));
const WhichSchema = Type.Object({
  job_id: Type.Optional(IdTextSchema),
  ref: text,
  /** The same as `ref`. */
  sha: text,
  repo: text,
  /** Working tree that the caller stands in. */
  worktree: text,
});

export function reviewRoutes(services: Services) {
  const { database, jobEvents } = services;
  return new Elysia({ prefix: "/api" })
    .get(
      "/review",
      async ({ query, set }) => {
        const ref = query.ref ?? query.sha;
        const which = ref === undefined ? query : { ...query, ref };
        const found = await database((store) => find(store, which));
        if ("error" in found) set.status = 404;
        else await reportAct(services, { by: "show", worktree: query.worktree, reviewIds: [found.job.id] });
        return found;
      },
      { query: WhichSchema },
    )
    .post(
      "/review/close",
      async ({ body }) => {
        const { job_id: id, closed, closed_by: by = "user" } = body;
        const done = await database((store) => {
          const job = store.jobs.get(id);
          if (job?.job_type === "fix") throw notClosable(job);
          const wasClosed = store.reviews.closedAt(id) !== "";
          return store.reviews.setClosed(id, closed, by) && { changed: closed !== wasClosed };
        });
        if (!done) throw jobRefusal(id, await database((store) => store.jobs.get(id)), " and has no review");
        if (done.changed) await jobEvents.closed(id, closed);
        if (closed) await reportAct(services, { by: "close", worktree: body.worktree_path, reviewIds: [id] });
        return { success: true };
      },
      { body: CloseSchema },
    )
    .post(
      "/comment",
      async ({ body, set }) => {
        const jobId = await database((store) => commentedJob(store, body));
        const answer = await comment(services, jobId, body);
        await reportAct(services, { by: "comment", worktree: body.worktree_path, reviewIds: [jobId] });
        set.status = 201;
        return answer;
      },
      { body: CommentRequestSchema },
    );
}

const notClosable = ({ id, status }: Job) =>
  new RoborevError(`job ${id} is a background fix: there is nothing to close`, {
    code: "E_NOT_FOUND",
    ...(status === "done" ? { hint: `Apply its patch with: roborev fix --apply ${id}` } : {}),
  });

function commentedJob(store: Store, { job_id, sha, repo }: CommentRequest): number {
  if (job_id !== undefined) return job_id;
  if (sha === undefined) throw new RoborevError("job_id or sha is required", { code: "E_INVALID" });
  const filter = {
    gitRef: sha,
    jobType: "review" as const,
    limit: 1,
    ...(repo === undefined ? {} : { repo }),
  };
  const job = store.jobs.list(filter).jobs[0];
  if (job) return job.id;
  throw new RoborevError(`no job is about commit ${sha}`, { code: "E_NOT_FOUND" });
}

/** Keeps what is said on a review, or on findings of it, and tells it. */
async function comment(
  { database, jobEvents }: Services,
  jobId: number,
  request: CommentRequest,
): Promise<Comment | DispositionResponse> {
  const { commenter, comment: text = "" } = request;
  const disposing = disposingOf(jobId, request);
  if (disposing === undefined) {
    const comment = { jobId, responder: commenter, response: text };
    const saved = await database((store) => store.comments.add(comment));
    if (!saved) throw jobRefusal(jobId, undefined, "");
    await jobEvents.commented(jobId, { commenter, comment: text });
    return saved;
  }
  const { state: disposition, message } = disposing;
  const findings = await database((store) => dispose(store, disposing));
  const said = { commenter, disposition, ...(message === undefined ? {} : { comment: message }) };
  for (const { number: finding } of findings) await jobEvents.commented(jobId, { ...said, finding });
  return { job_id: jobId, findings };
}

/** A review with its job and comments; without a review, the job that may bring one. */
function find(store: Store, which: Static<typeof WhichSchema>): ReviewResponse | (ErrorBody & { job?: Job }) {
  if (which.job_id === undefined && which.ref === undefined) {
    throw new RoborevError("job_id or ref is required", { code: "E_INVALID" });
  }
  const id = which.job_id === undefined ? undefined : Number(which.job_id);
  const own =
    id === undefined ? store.reviews.byRef(which.ref as string, which.repo) : store.reviews.byJob(id);
  const asked = own?.job ?? findJob(store, which, id);
  const isPending = asked?.status === "queued" || asked?.status === "running";
  const review = own ?? (id === undefined && !isPending ? reviewUpTo(store, which) : undefined);
  const job = review ? store.jobs.get(review.job_id) : asked;
  if (review && job) return { ...review, job, comments: store.comments.forJob(job.id) };
  const error = job
    ? `job ${job.id} is ${job.status} and has no review`
    : `no review found for ${which.ref === undefined ? `job ${id}` : redactSecrets(which.ref)}`;
  return { error, code: "E_NO_REVIEW", ...(job ? { job } : {}) };
}

/** A commit without a review of its own may be the end of a range that has one. */
function reviewUpTo(store: Store, { ref, repo }: Static<typeof WhichSchema>): Review | undefined {
  if (ref === undefined || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)) return undefined;
  const filter = {
    rangeEnd: ref,
    status: "done" as const,
    limit: 1,
    ...(repo === undefined ? {} : { repo }),
  };
  const job = store.jobs.list(filter).jobs[0];
  return job && store.reviews.byJob(job.id);
}

function findJob(store: Store, which: Static<typeof WhichSchema>, id: number | undefined): Job | undefined {
  if (id !== undefined) return store.jobs.get(id);
  const filter = {
    gitRef: which.ref as string,
    limit: 1,
    ...(which.repo === undefined ? {} : { repo: which.repo }),
  };
  return store.jobs.list(filter).jobs[0];
}
