import { Elysia } from "elysia";
import { ResetSchema } from "../api/requests.ts";
import type { Services } from "../services.ts";

/** What `agent-hook status` and `reset` talk to; `run` has its own route in hook-route.ts. */
export function hookRoutes({ hooks }: Services) {
  return new Elysia({ prefix: "/api/agent-hook" })
    .get("/sessions", () => hooks().sessions())
    .post(
      "/reset",
      async ({ body }) => {
        await hooks().reset(body);
        return { ok: true };
      },
      { body: ResetSchema },
    );
}
