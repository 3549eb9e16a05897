import { Elysia } from "elysia";
import { HookRequestSchema } from "../api/hook-event.ts";
import { ResetSchema } from "../api/requests.ts";
import type { Services } from "../services.ts";

/** What `agent-hook run`, `status` and `reset` talk to. */
export function hookRoutes({ hooks }: Services) {
  return new Elysia({ prefix: "/api/agent-hook" })
    .post("/event", ({ body, request }) => hooks().event(body, request.signal), { body: HookRequestSchema })
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
