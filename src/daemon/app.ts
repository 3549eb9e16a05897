import { type AnyElysia, Elysia } from "elysia";
import { errorCode } from "../lib/errors.ts";
import { type GuardOptions, guard } from "./guard.ts";
import { withHookRoute } from "./hook-route.ts";
import { activityRoutes } from "./routes/activity.ts";
import { hookRoutes } from "./routes/agent-hook.ts";
import { commentRoutes } from "./routes/comments.ts";
import { cooldownRoutes } from "./routes/cooldowns.ts";
import { fixJobRoutes } from "./routes/fix-jobs.ts";
import { hookTrustRoutes } from "./routes/hook-trust.ts";
import { jobLogRoutes } from "./routes/job-log.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { lifecycleRoutes } from "./routes/lifecycle.ts";
import { openReviewRoutes } from "./routes/open-reviews.ts";
import { openApiRoutes } from "./routes/openapi.ts";
import { queueRoutes } from "./routes/queue.ts";
import { repoChangeRoutes } from "./routes/repo-changes.ts";
import { repoRoutes } from "./routes/repos.ts";
import { reviewRoutes } from "./routes/reviews.ts";
import { snoozeRoutes } from "./routes/snooze.ts";
import { streamRoutes } from "./routes/stream.ts";
import { summaryRoutes } from "./routes/summary.ts";
import type { Services } from "./services.ts";

const mebibyte = 1024 * 1024;

/** Largest accepted body: the diff of a dirty review. */
export const maxBodyBytes = 20 * mebibyte;

/**
 * Every route but the hook's own, behind one guard. Unknown fields of a body are left out: a newer client may send more
 * than we know.
 */
export function createRoutes(services: Services, options: GuardOptions): Pick<AnyElysia, "fetch" | "routes"> {
  return new Elysia({ normalize: true })
    .use(guard(options))
    .use(lifecycleRoutes(services))
    .use(activityRoutes(services))
    .use(repoRoutes(services))
    .use(repoChangeRoutes(services))
    .use(jobRoutes(services))
    .use(jobLogRoutes(services))
    .use(fixJobRoutes(services))
    .use(cooldownRoutes(services))
    .use(queueRoutes(services))
    .use(reviewRoutes(services))
    .use(commentRoutes(services))
    .use(openReviewRoutes(services))
    .use(hookRoutes(services))
    .use(snoozeRoutes(services))
    .use(streamRoutes(services))
    .use(summaryRoutes(services))
    .use(hookTrustRoutes(services))
    .use(openApiRoutes());
}

/** The daemon's whole HTTP surface. */
export function createApp(services: Services): { fetch(request: Request): Response | Promise<Response> } {
  const options = {
    hosts: ["localhost"],
    bodyLimits: { default: mebibyte, "/api/enqueue": maxBodyBytes },
    onError(error: unknown, path: string) {
      // The unreadable hook state stands in `health`, and every hook call meets it.
      if (errorCode(error) !== "E_HOOK_STATE") services.errors.add(path.replace(/^\/api\//, ""), error);
    },
  };
  return { fetch: withHookRoute(createRoutes(services, options).fetch, services, options) };
}
