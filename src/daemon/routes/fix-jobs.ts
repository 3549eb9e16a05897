import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { FixJobSchema, IdTextSchema, JobIdSchema } from "../api/requests.ts";
import type { SettledFixResponse } from "../api/responses.ts";
import type { Services } from "../services.ts";
import { jobRefusal } from "./job-refusal.ts";

const PatchSchema = Type.Object({ job_id: IdTextSchema });

/** Fixes in the background: queueing one, its patch, and what has become of that. */
export function fixJobRoutes(services: Services) {
  const { database, engine, enqueue } = services;
  const refusal = async (id: number, why: string) =>
    jobRefusal(id, await database((store) => store.jobs.get(id)), why);
  const settle = async (id: number, status: SettledFixResponse["status"]): Promise<SettledFixResponse> => {
    if (await database((store) => store.jobs.settleFix(id, status))) return { status };
    throw await refusal(id, `: only a background fix that is done can become ${status}`);
  };
  return new Elysia({ prefix: "/api/job" })
    .post(
      "/fix",
      async ({ body, set }) => {
        const job = await enqueue.fix(body);
        set.status = 201;
        engine.wake();
        return job;
      },
      { body: FixJobSchema },
    )
    .get(
      "/patch",
      async ({ query }) => {
        const id = Number(query.job_id);
        const patch = await database((store) => store.jobs.patch(id));
        if (patch === undefined) throw await refusal(id, " and has no patch");
        // Bytes: what a patch holds of a file need not be UTF-8.
        return new Response(patch, { headers: { "content-type": "text/plain; charset=utf-8" } });
      },
      { query: PatchSchema },
    )
    .post("/applied", ({ body }) => settle(body.job_id, "applied"), { body: JobIdSchema })
    .post("/rebased", ({ body }) => settle(body.job_id, "rebased"), { body: JobIdSchema });
}
