import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { RoborevError } from "../../lib/errors.ts";
import type { JobFacts } from "../../store/store.ts";
import type { SummaryResponse } from "../api/responses.ts";
import type { Services } from "../services.ts";
import { summarize } from "../summary.ts";

const SummarySchema = Type.Object({
  /** RFC 3339. */
  since: Type.String({ minLength: 1, maxLength: 64 }),
  /** Main root; left out: all repositories, each by itself as well. */
  repo: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  branch: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
});

/** Jobs read before other work has its turn: a few milliseconds. */
const sliceLength = 2_000;

export function summaryRoutes({ database }: Pick<Services, "database">) {
  return new Elysia({ prefix: "/api" }).get("/summary", ({ query }) => summary(database, query), {
    query: SummarySchema,
  });
}

async function summary(
  database: Services["database"],
  { since: sinceText, repo, branch }: Static<typeof SummarySchema>,
): Promise<SummaryResponse> {
  const since = new Date(sinceText);
  if (Number.isNaN(since.getTime())) throw new RoborevError("since must be a time", { code: "E_INVALID" });
  const newest = await database((store) => store.jobs.newestId());
  const jobs: JobFacts[] = [];
  for (let after = 0; after < newest; after += sliceLength) {
    const upTo = Math.min(newest, after + sliceLength);
    const slice = await database((store) => store.jobs.facts({ after, upTo, since, repo, branch }));
    for (const job of slice) jobs.push(job);
    await new Promise(setImmediate);
  }
  const { repos, ...statistics } = summarize(jobs);
  return {
    since: since.toISOString(),
    ...(repo === undefined ? {} : { repo_path: repo }),
    ...(branch === undefined ? {} : { branch }),
    ...statistics,
    ...(repo === undefined ? { repos } : {}),
  };
}
