import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Checkout, resolveCheckout } from "../../git/checkout.ts";
import { ownLine } from "../../git/own-line.ts";
import { refTips } from "../../git/ref-tips.ts";
import { RoborevError } from "../../lib/errors.ts";
import { summaryLine } from "../../review/summary-line.ts";
import type { OpenFailedReview } from "../../store/store.ts";
import type { OpenReviewsResponse } from "../api/responses.ts";
import type { Services } from "../services.ts";
import { storedPath } from "../stored-path.ts";
import { trackedRepo } from "../tracked-repo.ts";

const QuerySchema = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 4096 }),
  /** Left out: what is checked out. */
  branch: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  all_branches: Type.Optional(Type.Union([Type.Literal("true"), Type.Literal("false")])),
});
type Query = Static<typeof QuerySchema>;

/** What `roborev fix` works on: one request, so that it can be asked often. */
export function openReviewRoutes(services: Services) {
  return new Elysia({ prefix: "/api/reviews" }).get("/open", ({ query }) => openReviews(services, query), {
    query: QuerySchema,
  });
}

async function openReviews(services: Services, query: Query): Promise<OpenReviewsResponse> {
  const path = await storedPath(query.path);
  const checkout = await resolveCheckout(path);
  if (checkout === undefined)
    throw new RoborevError(`${path} is in no working tree`, { code: "E_NOT_A_REPO" });
  const isAll = query.all_branches === "true";
  const branch = isAll ? {} : { branch: query.branch ?? checkout.branch };
  const repo = await trackedRepo(checkout, services.database);
  if (repo === undefined) return { reviews: [], tracked: false, ...branch };
  const ids = await (isAll
    ? services.database((store) => store.jobs.openFailed(repo.id).map(({ jobId }) => jobId))
    : idsOf(services, repo.id, checkout, query.branch));
  const outlines = await services.database((store) => store.reviews.outlines(ids));
  const reviews = outlines.map(({ job, findings, start }) => ({
    ...job,
    summary: summaryLine(findings, start),
  }));
  return { reviews, tracked: true, ...branch };
}

async function idsOf(
  { checkoutReviews, database }: Services,
  repoId: number,
  checkout: Checkout,
  named: string | undefined,
): Promise<number[]> {
  if (named !== undefined && named !== checkout.branch) {
    const ref = `refs/heads/${named}`;
    const head = (await refTips(checkout.worktreeRoot, [ref])).get(ref);
    // A branch that is gone: what carries its name is all there is to tell by.
    if (head === undefined) return database((store) => labelled(store.jobs.openFailed(repoId), named));
    return (await checkoutReviews.of(repoId, { ...checkout, branch: named, head })) ?? [];
  }
  const ids = (await checkoutReviews.of(repoId, checkout)) ?? [];
  return checkout.branch === "" && ids.length > 0 ? ofOwnLine(database, repoId, checkout, ids) : ids;
}

const labelled = (reviews: OpenFailedReview[], branch: string): number[] =>
  reviews.filter((review) => review.branch === branch).map(({ jobId }) => jobId);

/**
 * A detached HEAD contains all that the branch it came from has: what is open there is mended on that branch, where
 * the commits that mend it are not lost.
 */
async function ofOwnLine(
  database: Services["database"],
  repoId: number,
  { worktreeRoot, head }: Checkout,
  ids: number[],
): Promise<number[]> {
  const line = await ownLine(worktreeRoot, head as string); // without one there are no ids
  const reviews = await database((store) => store.jobs.openFailed(repoId));
  const own = new Set(
    reviews.filter(({ gitRef }) => line.has(gitRef.split("..").at(-1) ?? "")).map(({ jobId }) => jobId),
  );
  return ids.filter((id) => own.has(id));
}
