import { Elysia } from "elysia";
import { RoborevError } from "../../lib/errors.ts";
import { type SnoozeRequest, SnoozeSchema } from "../api/requests.ts";
import type { SnoozeResponse } from "../api/responses.ts";
import type { Services } from "../services.ts";
import { storedPath } from "../stored-path.ts";

/** Mutes reminders. Needs the database only: it works while the hook's state file is unreadable. */
export function snoozeRoutes(services: Pick<Services, "clock" | "database">) {
  return new Elysia({ prefix: "/api/agent-hook" }).post("/snooze", ({ body }) => snooze(services, body), {
    body: SnoozeSchema,
  });
}

async function snooze(
  { clock, database }: Pick<Services, "clock" | "database">,
  request: SnoozeRequest,
): Promise<SnoozeResponse> {
  const until = request.enabled ? deadlineOf(request.snoozed_until, clock.now()) : undefined;
  const rootPath = await storedPath(request.repo_path);
  const worktreePath = await storedPath(request.worktree_path);
  const isTracked = await database((store) => {
    const repo = store.repos.findByRoot(rootPath);
    if (!repo?.active) return false;
    const scope = { repoId: repo.id, worktreePath, branch: request.branch ?? "" };
    if (until === undefined) store.snoozes.clear(scope);
    else store.snoozes.set({ ...scope, until });
    return true;
  });
  if (!isTracked) {
    throw new RoborevError(`${rootPath} is not set up for reviews, there are no reminders to snooze`, {
      code: "E_NOT_TRACKED",
      hint: "Set it up with: roborev init",
    });
  }
  return until === undefined ? { snoozed: false } : { snoozed: true, snoozed_until: until.toISOString() };
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function deadlineOf(text: string | undefined, now: Date): Date {
  const until = new Date(text !== undefined && rfc3339.test(text) ? text : Number.NaN);
  if (until > now) return until;
  const problem = Number.isNaN(until.getTime()) ? "must be a time as in RFC 3339" : "must lie in the future";
  throw new RoborevError(`snoozed_until ${problem}`, { code: "E_INVALID" });
}
