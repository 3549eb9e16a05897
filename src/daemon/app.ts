import { Elysia } from "elysia";
import { guard } from "./guard.ts";
import { hookRoutes } from "./routes/agent-hook.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { lifecycleRoutes } from "./routes/lifecycle.ts";
import { repoRoutes } from "./routes/repos.ts";
import { reviewRoutes } from "./routes/reviews.ts";
import type { Services } from "./services.ts";

const mebibyte = 1024 * 1024;

/** Largest accepted body: the diff of a dirty review. */
export const maxBodyBytes = 20 * mebibyte;

/** The daemon's whole HTTP surface. Unknown fields of a body are cut off: a newer client may send more than we know. */
export function createApp(services: Services) {
  return new Elysia({ normalize: true })
    .use(
      guard({
        hosts: ["localhost"],
        bodyLimits: { default: mebibyte, "/api/enqueue": maxBodyBytes },
        onError: (error, where) => services.errors.add(where, error),
      }),
    )
    .use(lifecycleRoutes(services))
    .use(repoRoutes(services))
    .use(jobRoutes(services))
    .use(reviewRoutes(services))
    .use(hookRoutes(services));
}
