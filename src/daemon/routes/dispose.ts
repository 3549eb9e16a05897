import { RoborevError } from "../../lib/errors.ts";
import type { DispositionState, Review, ReviewFinding } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { CommentRequest } from "../api/requests.ts";
import { jobRefusal } from "./job-refusal.ts";

/** Somebody's word on findings of one review. */
interface Disposing {
  jobId: number;
  numbers: number[];
  state: DispositionState;
  responder: string;
  message?: string;
}

/**
 * What a comment says has become of findings; undefined for one on the review as a whole. Throws for half a disposition,
 * and for one without the reason that makes it worth anything.
 */
export function disposingOf(jobId: number, request: CommentRequest): Disposing | undefined {
  const { finding, disposition: state, commenter: responder } = request;
  const message = request.comment?.trim();
  if (finding === undefined || state === undefined) {
    if (finding !== undefined || state !== undefined)
      throw invalid("finding and disposition go together: both, or none of them");
    if (message === undefined) throw invalid("comment is required");
    return undefined;
  }
  if (!message && state !== "fixed") throw invalid(`a finding is ${state} for a reason: comment is required`);
  const numbers = [...new Set([finding].flat())];
  return { jobId, numbers, state, responder, ...(message ? { message } : {}) };
}

/** Stores it for all of the findings or, where one of them does not exist, for none. Returns them as they are now. */
export function dispose(store: Store, { numbers, ...given }: Disposing): ReviewFinding[] {
  const { jobId } = given;
  return store.transaction(() => {
    const review = store.reviews.byJob(jobId);
    if (!review) throw jobRefusal(jobId, store.jobs.get(jobId), " and has no review");
    checkNumbers(review, numbers);
    store.dispositions.add({ ...given, findings: numbers });
    const findings = store.reviews.byJob(jobId)?.findings ?? [];
    return findings.filter(({ number }) => numbers.includes(number));
  });
}

function checkNumbers({ job_id: id, findings, verdict_bool }: Review, numbers: number[]): void {
  const whole = `It can be commented on as a whole: roborev comment ${id} <text>`;
  if (findings === undefined)
    throw refused(
      `the review of job ${id} comes from an older release, which kept no list of findings`,
      whole,
    );
  if (findings.length === 0) {
    const passed = verdict_bool === 1;
    throw refused(
      `the review of job ${id} ${passed ? "passed and has no findings" : "names no single findings"}`,
      whole,
    );
  }
  const unknown = numbers.filter((number) => number > findings.length);
  if (unknown.length === 0) return;
  const count = findings.length === 1 ? "there is only 1" : `there are ${findings.length}`;
  throw refused(
    `the review of job ${id} has no finding ${unknown.join(", ")}: ${count}`,
    `roborev show --job ${id} lists them.`,
  );
}

const invalid = (message: string) => new RoborevError(message, { code: "E_INVALID" });
const refused = (message: string, hint: string) => new RoborevError(message, { code: "E_NOT_FOUND", hint });
