import { RoborevError } from "../../lib/errors.ts";
import type { Job } from "../../store/schema.ts";

/** The answer to a number that no job has. */
const unknownJob = (id: number): RoborevError =>
  new RoborevError(`there is no job ${id}`, { code: "E_NOT_FOUND", hint: "roborev list shows the numbers." });

const past: Partial<Record<Job["status"], string>> = {
  failed: "failed",
  canceled: "was canceled",
  skipped: "was skipped",
  applied: "was applied",
  rebased: "was rebased",
};

/** Why a job, if there is one, is not what a request needs. */
export function jobRefusal(id: number, job: Job | undefined, why: string): RoborevError {
  if (!job) return unknownJob(id);
  return new RoborevError(`job ${id} ${past[job.status] ?? `is ${job.status}`}${why}`, {
    code: "E_NOT_FOUND",
  });
}
