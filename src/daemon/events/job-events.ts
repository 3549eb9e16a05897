import type { Clock } from "../../lib/clock.ts";
import { defined } from "../../lib/defined.ts";
import type { Job } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { JobEvent, JobEventType } from "../api/event.ts";
import type { EventHub } from "./hub.ts";

interface JobEventServices {
  hub: Pick<EventHub, "publish">;
  clock: Clock;
  database<T>(work: (store: Store) => T): Promise<T>;
  /** An event could not be told; what it is about has happened. */
  onError(error: unknown): void;
}

/** Who said what on a review or, with its number, on one of its findings. */
type Said = Pick<JobEvent, "commenter" | "comment" | "finding" | "disposition">;
type More = Pick<JobEvent, "findings" | "error" | "old_sha"> & Said;

/** Tells what happens to jobs, once it is in the database. No function here fails. */
export class JobEvents {
  /** Running jobs that move when they end: what they were called when that was decided. */
  private readonly remappings = new Map<number, string>();

  constructor(private readonly services: JobEventServices) {}

  enqueued(job: Job): void {
    this.tell("job.enqueued", job);
  }

  started(job: Job): void {
    this.tell("review.started", job);
  }

  remapped(job: Job, oldSha: string): void {
    this.tell("review.remapped", job, { old_sha: oldSha });
  }

  /** The job is told as remapped once it does not run any more; it may have ended in this moment. */
  async remapping({ id, git_ref }: Job): Promise<void> {
    if (!this.remappings.has(id)) this.remappings.set(id, git_ref);
    await this.read(
      (store) => store.jobs.get(id),
      (job) => job && this.tellRemapping(job),
    );
  }

  private tellRemapping(job: Job): void {
    const oldRef = this.remappings.get(job.id);
    if (oldRef === undefined || job.status === "running") return;
    this.remappings.delete(job.id);
    if (oldRef !== job.git_ref) this.remapped(job, oldRef);
  }

  /**
   * A worker is done with a job. What has become of it is read again: a job that was canceled, put back for another
   * try or claimed by somebody else meanwhile has not ended here.
   */
  async ended(jobId: number, workerId: string): Promise<void> {
    await this.read(
      (store) => ({ job: store.jobs.get(jobId), review: store.reviews.byJob(jobId) }),
      ({ job, review }) => {
        if (job) this.tellRemapping(job);
        if (job?.worker_id !== workerId) return;
        if (job.status === "failed") this.tell("review.failed", job, defined({ error: job.error }));
        if (job.status !== "done" || !review) return;
        this.tell("review.completed", job, { findings: review.output });
        if (review.closed_by === "auto") this.tell("review.closed", job);
      },
    );
  }

  async enqueuedAgain(jobId: number): Promise<void> {
    await this.tellOf("job.enqueued", jobId);
  }

  async canceled(jobId: number): Promise<void> {
    await this.read(
      (store) => store.jobs.get(jobId),
      (job) => {
        if (!job) return;
        this.tellRemapping(job);
        this.tell("review.canceled", job);
      },
    );
  }

  async closed(jobId: number, closed: boolean): Promise<void> {
    await this.tellOf(closed ? "review.closed" : "review.reopened", jobId);
  }

  async commented(jobId: number, said: Said): Promise<void> {
    await this.tellOf("review.commented", jobId, said);
  }

  private async tellOf(type: JobEventType, jobId: number, more: More = {}): Promise<void> {
    await this.read(
      (store) => store.jobs.get(jobId),
      (job) => job && this.tell(type, job, more),
    );
  }

  private async read<T>(work: (store: Store) => T, use: (found: T) => void): Promise<void> {
    try {
      use(await this.services.database(work));
    } catch (error) {
      this.services.onError(error);
    }
  }

  private tell(type: JobEventType, job: Job, more: More = {}): void {
    const { hub, clock } = this.services;
    const { findings, error, commenter, comment, finding, disposition, old_sha } = more;
    hub.publish(
      defined({
        type,
        ts: clock.now().toISOString(),
        job_id: job.id,
        job_uuid: job.uuid,
        job_type: job.job_type === "fix" ? ("fix" as const) : undefined,
        repo: job.repo_path ?? "",
        repo_name: job.repo_name ?? "",
        sha: job.git_ref,
        old_sha,
        branch: job.branch,
        agent: job.agent,
        verdict: job.verdict,
        findings,
        error,
        commenter,
        comment,
        finding,
        disposition,
        worktree_path: job.worktree_path,
      }),
    );
  }
}
