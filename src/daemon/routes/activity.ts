import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { ActivityResponse } from "../api/activity.ts";
import type { Services } from "../services.ts";

const ActivitySchema = Type.Object({
  /** Default 50. */
  limit: Type.Optional(Type.String({ pattern: "^[1-9]\\d{0,2}$" })),
});

/** What happened since the daemon started. */
export function activityRoutes({ activity, errors }: Pick<Services, "activity" | "errors">) {
  return new Elysia({ prefix: "/api" }).get(
    "/activity",
    ({ query }): ActivityResponse => ({
      entries: activity.recent(errors.recent(), Number(query.limit ?? "50")),
    }),
    { query: ActivitySchema },
  );
}
