import { type TSchema, Type } from "@sinclair/typebox";
import { ActivityResponseSchema } from "../../src/daemon/api/activity.ts";
import { HealthStatusSchema } from "../../src/daemon/api/health.ts";
import { HookRequestSchema, HookResponseSchema } from "../../src/daemon/api/hook-event.ts";
import { JobOutputSchema, OutputEventSchema } from "../../src/daemon/api/job-output.ts";
import * as answers from "../../src/daemon/api/responses.ts";
import { createRoutes } from "../../src/daemon/app.ts";
import type { Services } from "../../src/daemon/services.ts";
import { CooldownSchema } from "../../src/review/cooldowns.ts";
import { CommentSchema, JobSchema, RepoSchema } from "../../src/store/schema.ts";

// What the routes of the daemon are for and what they answer. What they take is theirs to say.

interface RouteDoc {
  summary: string;
  /** Default 200. */
  status?: number;
  /** Left out: an object that is not described further. */
  answer?: TSchema;
  /** Default JSON. */
  type?: "text/plain" | "application/x-ndjson";
  /** Another type that is asked for by a parameter. */
  also?: { type: "application/x-ndjson"; answer: TSchema };
}

export interface RouteEntry extends RouteDoc {
  method: "GET" | "POST";
  path: string;
  query?: TSchema;
  body?: TSchema;
}

const success = Type.Object({ success: Type.Boolean() });
const stopping = Type.Object({ stopping: Type.Boolean() });
const ok = Type.Object({ ok: Type.Literal(true) });
const outcome = Type.Object({
  outcome: Type.Union([Type.Literal("deleted"), Type.Literal("deactivated"), Type.Literal("unknown")]),
});

const docs: Record<string, RouteDoc> = {
  "GET /api/ping": { summary: "Who answers: version, API level, pid", answer: answers.PingSchema },
  "GET /api/status": {
    summary: "Jobs by status, workers, resting reviewers, snoozes, components, recent errors",
    answer: answers.DaemonStatusSchema,
  },
  "GET /api/health": {
    summary: "Whether the daemon is well, and ready for more; answers also where the database does not",
    answer: HealthStatusSchema,
  },
  "GET /api/activity": {
    summary: "What happened since the daemon started, newest first: the last 500 events, and errors",
    answer: ActivityResponseSchema,
  },
  "POST /api/shutdown": { summary: "Stop the daemon", status: 202, answer: stopping },
  "POST /api/shutdown/cancel": { summary: "Call off a stop that waits for running jobs", answer: stopping },
  "GET /api/repos": {
    summary: "Repositories, with how many jobs they have",
    answer: answers.ReposResponseSchema,
  },
  "GET /api/repos/resolve": {
    summary: "Whether commits at a path are reviewed, and until when reminders are muted there",
    answer: answers.ResolveRepoResponseSchema,
  },
  "POST /api/repos/register": { summary: "Review the commits of a repository", answer: RepoSchema },
  "POST /api/repos/unregister": { summary: "Review them no more", answer: outcome },
  "POST /api/repos/rename": { summary: "Another name for a repository", answer: RepoSchema },
  "POST /api/repos/move": { summary: "A repository lies somewhere else now", answer: RepoSchema },
  "POST /api/repos/delete": {
    summary: "Forget a repository, with its jobs and reviews if asked",
    answer: Type.Object({ deleted_jobs: Type.Integer() }),
  },
  "POST /api/repos/merge": {
    summary: "Give the jobs of one repository to another",
    answer: answers.MergeReposResponseSchema,
  },
  "GET /api/repos/hooks": {
    summary: "Review hooks that a repository asks for, and whether they are trusted",
    answer: answers.RepoHooksResponseSchema,
  },
  "POST /api/repos/trust": {
    summary: "Let a repository's review hooks run, or not",
    answer: answers.HookTrustResponseSchema,
  },
  "GET /api/jobs": {
    summary: "Jobs, newest first; with an id that one, with prompt, diff and patch",
    answer: answers.JobsResponseSchema,
  },
  "POST /api/jobs/batch": {
    summary: "Up to 100 jobs by their numbers, with their reviews",
    answer: answers.BatchResponseSchema,
  },
  "GET /api/branches": { summary: "Branches that jobs carry", answer: answers.BranchesResponseSchema },
  "POST /api/enqueue": {
    summary: "Queue a review; answers 200 with the reason where nothing is to be reviewed",
    status: 201,
    answer: Type.Union([JobSchema, answers.SkippedSchema]),
  },
  "POST /api/job/update-branch": {
    summary: "Give a job that has no branch one",
    answer: answers.UpdateBranchResponseSchema,
  },
  "POST /api/job/cancel": { summary: "Cancel a job that is queued or running", answer: success },
  "POST /api/job/rerun": { summary: "Run a job that has ended again", answer: success },
  "GET /api/job/output": {
    summary: "What the reviewer said and did, in words; with stream=1 as it happens, until the job has ended",
    answer: JobOutputSchema,
    also: { type: "application/x-ndjson", answer: OutputEventSchema },
  },
  "GET /api/job/log": {
    summary: "What the reviewer printed, at most a megabyte from an offset; the next one is in X-Log-Offset",
    type: "text/plain",
  },
  "GET /api/job/patch": { summary: "What a background fix changed", type: "text/plain" },
  "POST /api/job/fix": { summary: "Queue a background fix of a review", status: 201, answer: JobSchema },
  "POST /api/job/applied": {
    summary: "The patch of a background fix was applied",
    answer: answers.SettledFixResponseSchema,
  },
  "POST /api/job/rebased": {
    summary: "The patch of a background fix was made anew",
    answer: answers.SettledFixResponseSchema,
  },
  "POST /api/remap": { summary: "Commits were rewritten", answer: answers.RemapResponseSchema },
  "POST /api/cooldowns": { summary: "Let a reviewer without quota rest", answer: CooldownSchema },
  "POST /api/queue/pause": { summary: "Begin no more jobs", answer: answers.QueueResponseSchema },
  "POST /api/queue/unpause": { summary: "Begin jobs again", answer: answers.QueueResponseSchema },
  "GET /api/review": {
    summary: "A review by job or ref, with its job and comments",
    answer: answers.ReviewResponseSchema,
  },
  "GET /api/reviews/open": {
    summary: "Open failed reviews of a checkout or branch",
    answer: answers.OpenReviewsResponseSchema,
  },
  "POST /api/review/close": { summary: "Close a review, or open it again", answer: success },
  "POST /api/comment": {
    summary: "Comment on a review, or say what has become of its findings",
    status: 201,
    answer: Type.Union([CommentSchema, answers.DispositionResponseSchema]),
  },
  "GET /api/comments": {
    summary: "Comments on a job, or on a commit and its jobs",
    answer: answers.CommentsResponseSchema,
  },
  "GET /api/summary": { summary: "Statistics of the jobs since a time" },
  "GET /api/stream/events": {
    summary: "What happens, as it happens: one JSON document a line, or server-sent events if accepted",
    type: "application/x-ndjson",
  },
  "POST /api/agent-hook/event": {
    summary: "What a coding agent's hook saw; the answer says what the agent is told",
    answer: HookResponseSchema,
  },
  "GET /api/agent-hook/sessions": { summary: "The state of the reminders" },
  "GET /api/agent-hook/deliveries": { summary: "Reminders that were delivered, newest first" },
  "POST /api/agent-hook/reset": { summary: "Forget a session, or all", answer: ok },
  "POST /api/agent-hook/fix-done": {
    summary: "A fix session is over",
    answer: answers.FixDoneResponseSchema,
  },
  "POST /api/agent-hook/snooze": {
    summary: "Mute reminders for a while",
    answer: answers.SnoozeResponseSchema,
  },
  "GET /openapi.json": { summary: "This description, for programs" },
};

/** The daemon's routes, by path. Fails for a route without a word on it, and for a word without a route. */
export function routeEntries(): RouteEntry[] {
  // Nothing is asked for: the services are touched by requests only.
  const app = createRoutes({} as Services, { hosts: [], bodyLimits: { default: 1 }, onError() {} });
  const known = app.routes.map(({ method, path, hooks }) => ({ method, path, ...hooksOf(hooks) }));
  const all = [...known, { method: "POST", path: "/api/agent-hook/event", body: HookRequestSchema }];
  const names = all.map(({ method, path }) => `${method} ${path}`);
  const gone = Object.keys(docs).filter((name) => !names.includes(name));
  if (gone.length > 0) throw new Error(`test/gen/routes.ts describes what is no route: ${gone.join(", ")}`);
  const entries = all.map((route) => {
    const doc = docs[`${route.method} ${route.path}`];
    if (doc === undefined)
      throw new Error(`test/gen/routes.ts says nothing on ${route.method} ${route.path}`);
    return { ...route, ...doc } as RouteEntry;
  });
  return entries.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

const hooksOf = ({
  query,
  body,
}: {
  query?: unknown;
  body?: unknown;
}): Pick<RouteEntry, "query" | "body"> => ({
  ...(query === undefined ? {} : { query: query as TSchema }),
  ...(body === undefined ? {} : { body: body as TSchema }),
});
