import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { requireItsCommit } from "../../review/require-commit.ts";
import { JobStatusSchema, JobTypeSchema } from "../../store/schema.ts";
import type { JobFilter } from "../../store/store.ts";
import {
  EnqueueSchema,
  JobIdSchema,
  JobIdsSchema,
  RemapSchema,
  UpdateBranchSchema,
} from "../api/requests.ts";
import type {
  BatchResponse,
  BranchesResponse,
  JobsResponse,
  UpdateBranchResponse,
} from "../api/responses.ts";
import type { Services } from "../services.ts";
import { jobRefusal } from "./job-refusal.ts";

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 4096 }));
const flag = Type.Optional(Type.Union([Type.Literal("true"), Type.Literal("false")]));
const number = Type.Optional(Type.String({ pattern: "^\\d{1,15}$" }));

const ListSchema = Type.Object({
  id: number,
  status: Type.Optional(JobStatusSchema),
  repo: text,
  repo_prefix: text,
  git_ref: text,
  range_end: Type.Optional(Type.String({ pattern: "^(?:[0-9a-f]{40}|[0-9a-f]{64})$" })),
  /** Empty: jobs without a branch. */
  branch: Type.Optional(Type.String({ maxLength: 4096 })),
  branch_include_empty: flag,
  job_type: Type.Optional(JobTypeSchema),
  exclude_job_type: Type.Optional(JobTypeSchema),
  closed: flag,
  before: number,
  limit: number,
  /** Only with `limit`. */
  offset: number,
});

const BranchesSchema = Type.Object({
  /** Main root; may be given more than once. Left out: all repositories. */
  repo: text,
});

export function jobRoutes(services: Services) {
  const { database, engine, enqueue, jobEvents, missed } = services;
  const refusal = async (id: number, why: string) =>
    jobRefusal(id, await database((store) => store.jobs.get(id)), why);
  return new Elysia({ prefix: "/api" })
    .get("/jobs", ({ query }) => list(services, query), { query: ListSchema })
    .get(
      "/branches",
      async ({ query, request }): Promise<BranchesResponse> => {
        // Elysia would split a list at the commas of a path (1.4.30).
        const given = new URL(request.url).searchParams.getAll("repo");
        const repos = query.repo === undefined ? undefined : given;
        const branches = await database((store) => store.jobs.branches(repos));
        return { branches, total_count: branches.reduce((sum, { count }) => sum + count, 0) };
      },
      { query: BranchesSchema },
    )
    .post(
      "/enqueue",
      async ({ body, set }) => {
        const outcome = await enqueue.enqueue(body).catch((error) => {
          missed.remember(body, error);
          throw error;
        });
        if ("skipped" in outcome) return outcome;
        set.status = 201;
        engine.wake();
        return outcome;
      },
      { body: EnqueueSchema },
    )
    .post("/jobs/batch", ({ body }) => batch(services, body.job_ids), { body: JobIdsSchema })
    .post(
      "/job/update-branch",
      async ({ body: { job_id: id, branch } }): Promise<UpdateBranchResponse> => {
        if (await database((store) => store.jobs.fillBranch(id, branch))) return { updated: true };
        const [job] = await database((store) => store.jobs.listed([id]));
        if (job === undefined) throw jobRefusal(id, undefined, "");
        return { updated: false };
      },
      { body: UpdateBranchSchema },
    )
    .post(
      "/job/cancel",
      async ({ body }) => {
        const canceled = await database((store) => store.jobs.cancel(body.job_id));
        if (!canceled) throw await refusal(body.job_id, ": only a queued or running one can be canceled");
        engine.abort(body.job_id);
        await jobEvents.canceled(body.job_id);
        return { success: true };
      },
      { body: JobIdSchema },
    )
    .post(
      "/job/rerun",
      async ({ body }) => {
        await requireItsCommit(await database((store) => store.jobs.get(body.job_id)));
        const rerun = await database((store) => store.jobs.rerun(body.job_id));
        if (!rerun) throw await refusal(body.job_id, ": only a finished one can be run again");
        await jobEvents.enqueuedAgain(body.job_id);
        engine.wake();
        return { success: true };
      },
      { body: JobIdSchema },
    )
    .post(
      "/remap",
      async ({ body }) => {
        const result = await enqueue.remap(body);
        engine.wake(); // a commit that a rebase changed is reviewed anew
        return result;
      },
      { body: RemapSchema },
    );
}

async function list({ database }: Services, query: Static<typeof ListSchema>): Promise<JobsResponse> {
  if (query.id !== undefined) {
    const job = await database((store) => store.jobs.get(Number(query.id)));
    return { jobs: job ? [job] : [], has_more: false, stats: { done: 0, closed: 0, open: 0 } };
  }
  const page = await database((store) => store.jobs.list(filterOf(query)));
  return { jobs: page.jobs, has_more: page.hasMore, stats: page.stats };
}

/** Jobs with their reviews, those of them that exist; without prompts, which are many times as long. */
async function batch({ database }: Services, ids: readonly number[]): Promise<BatchResponse> {
  return database((store) => ({
    results: Object.fromEntries(
      store.jobs.listed(ids).map((job) => {
        const found = store.reviews.byJob(job.id);
        if (found === undefined) return [job.id, { job }];
        const { prompt: _, job: __, ...review } = found;
        return [job.id, { job, review }];
      }),
    ),
  }));
}

function filterOf(query: Static<typeof ListSchema>): JobFilter {
  const filter = {
    status: query.status,
    repo: query.repo,
    repoPrefix: query.repo_prefix,
    gitRef: query.git_ref,
    rangeEnd: query.range_end,
    branch: query.branch,
    branchIncludeEmpty: query.branch_include_empty === "true" ? true : undefined,
    jobType: query.job_type,
    exceptJobType: query.exclude_job_type,
    closed: query.closed === undefined ? undefined : query.closed === "true",
    before: query.before === undefined ? undefined : Number(query.before),
    limit: query.limit === undefined ? undefined : Number(query.limit),
    offset: query.limit === undefined || query.offset === undefined ? undefined : Number(query.offset),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as JobFilter;
}
