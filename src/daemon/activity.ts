import type { Clock } from "../lib/clock.ts";
import { defined } from "../lib/defined.ts";
import { redactSecrets } from "../lib/redact.ts";
import { singleLine } from "../lib/text.ts";
import type { ActivityEntry } from "./api/activity.ts";
import type { DaemonEvent, JobEvent, JobEventType } from "./api/event.ts";
import type { RecentError } from "./api/health.ts";

const maxEntries = 500;
const maxTextLength = 300;

/** The last things that happened in this daemon, without what anybody wrote: no review, no comment. */
export class Activity {
  private readonly entries: ActivityEntry[] = [];

  constructor(clock: Clock) {
    const ts = clock.now().toISOString();
    this.entries.push({ ts, event: "daemon.started", component: "daemon", message: "the daemon started" });
  }

  add(event: DaemonEvent): void {
    this.entries.push(entryOf(event));
    if (this.entries.length > maxEntries) this.entries.shift();
  }

  /** Newest first, what went wrong in its place among them. */
  recent(errors: readonly RecentError[], limit: number): ActivityEntry[] {
    return [...this.entries, ...errors.map(errorEntry).reverse()]
      .sort((a, b) => (a.ts < b.ts ? -1 : Number(a.ts > b.ts)))
      .slice(-limit)
      .reverse();
  }
}

function entryOf(event: DaemonEvent): ActivityEntry {
  const { ts, type } = event;
  if (!("job_id" in event))
    return { ts, event: type, component: "config", message: "another configuration is in force" };
  return { ts, event: type, component: "jobs", message: messageOf(event), details: detailsOf(event) };
}

const errorEntry = ({ ts, component, message, job_id }: RecentError): ActivityEntry => ({
  ...{ ts, event: "error", component, message },
  ...(job_id === undefined ? {} : { details: { job_id } }),
});

const did: Record<JobEventType, (event: JobEvent) => string> = {
  "job.enqueued": () => "was queued",
  "review.started": ({ agent }) => `began, with ${agent}`,
  "review.completed": ({ verdict }) =>
    verdict === undefined ? "is done" : verdict === "P" ? "passed" : "has findings",
  "review.failed": ({ error = "" }) => `failed: ${error}`,
  "review.canceled": () => "was canceled",
  "review.closed": () => "was closed",
  "review.reopened": () => "was opened again",
  "review.commented": ({ commenter = "", finding, disposition }) =>
    disposition === undefined
      ? `was commented by ${commenter}`
      : `has finding ${finding} ${disposition}, says ${commenter}`,
  "review.remapped": ({ old_sha = "" }) => `moved from ${shown(old_sha)}`,
};

const messageOf = (event: JobEvent): string =>
  line(`job ${event.job_id} (${shown(event.sha)} in ${event.repo_name}) ${did[event.type](event)}`);

/** Both ends of a range, each short. */
const shown = (ref: string): string => ref.replace(/\b([0-9a-f]{7})[0-9a-f]{33,57}\b/g, "$1");

function detailsOf(event: JobEvent): NonNullable<ActivityEntry["details"]> {
  const { job_id, job_type, repo, sha, old_sha, branch, agent, verdict, finding, disposition } = event;
  const words = defined({ job_type, repo, sha, old_sha, branch, agent, verdict, disposition });
  return {
    job_id,
    ...(finding === undefined ? {} : { finding }),
    ...Object.fromEntries(Object.entries(words).map(([name, value]) => [name, line(value)])),
  };
}

const line = (text: string): string => redactSecrets(singleLine(text)).slice(0, maxTextLength);
