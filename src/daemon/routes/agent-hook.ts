import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { FixDoneSchema, ResetSchema } from "../api/requests.ts";
import type { FixDoneResponse } from "../api/responses.ts";
import type { Services } from "../services.ts";

const DeliveriesSchema = Type.Object({
  /** 0 for all. */
  limit: Type.Optional(Type.String({ pattern: "^\\d{1,5}$" })),
  session_id: Type.Optional(Type.String({ minLength: 1, maxLength: 640 })),
});

/** What the commands of `agent-hook` talk to; `run` has its own route in hook-route.ts. */
export function hookRoutes({ hooks }: Services) {
  return new Elysia({ prefix: "/api/agent-hook" })
    .get("/sessions", async ({ set }) => {
      const json = await hooks().sessions();
      set.headers["content-type"] = "application/json";
      return json;
    })
    .get("/deliveries", ({ query }) => hooks().deliveries(Number(query.limit ?? "50"), query.session_id), {
      query: DeliveriesSchema,
    })
    .post(
      "/reset",
      async ({ body }) => {
        await hooks().reset(body);
        return { ok: true };
      },
      { body: ResetSchema },
    )
    .post(
      "/fix-done",
      async ({ body }): Promise<FixDoneResponse> => ({
        ok: true,
        released: await hooks().fixDone(body.fix_session_id.toLowerCase()),
      }),
      { body: FixDoneSchema },
    );
}
