import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { RoborevError } from "../../lib/errors.ts";
import type { Comment } from "../../store/schema.ts";
import type { CommitName, Store } from "../../store/store.ts";
import { IdTextSchema, ShaSchema } from "../api/requests.ts";
import type { CommentsResponse } from "../api/responses.ts";
import type { Services } from "../services.ts";
import { jobRefusal } from "./job-refusal.ts";

/** One of the first three. */
const CommentsSchema = Type.Object({
  job_id: Type.Optional(IdTextSchema),
  /** As a job has it. */
  commit_id: Type.Optional(IdTextSchema),
  sha: Type.Optional(ShaSchema),
  /** With `sha`: main root of the repository. */
  repo: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
});
type Query = Static<typeof CommentsSchema>;

/** What was said on a job, or on a commit and the jobs that are about it alone. */
export function commentRoutes({ database }: Pick<Services, "database">) {
  return new Elysia({ prefix: "/api" }).get(
    "/comments",
    async ({ query }): Promise<CommentsResponse> => ({
      responses: await database((store) => comments(store, query)),
    }),
    { query: CommentsSchema },
  );
}

function comments(store: Store, { job_id, commit_id, sha, repo }: Query): Comment[] {
  if ([job_id, commit_id, sha].filter((one) => one !== undefined).length !== 1)
    throw new RoborevError("one of job_id, commit_id and sha is required", { code: "E_INVALID" });
  if (job_id !== undefined) {
    const id = Number(job_id);
    if (store.jobs.listed([id]).length === 0) throw jobRefusal(id, undefined, "");
    return store.comments.forJob(id);
  }
  const commit: CommitName = sha === undefined ? { id: Number(commit_id) } : { sha, repo };
  const found = store.comments.forCommit(commit);
  if (found) return found;
  throw new RoborevError(`no job is about commit ${sha ?? commit_id}`, { code: "E_NOT_FOUND" });
}
