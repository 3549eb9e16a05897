import { singleLine } from "../../lib/text.ts";
import type { Job, Severity } from "../../store/schema.ts";
import { entryOf } from "../fix/candidates.ts";
import { type FixEntry, nothingAsked } from "../prompt/fix/entry.ts";
import { reachesFloor } from "../verdict/severity.ts";
import { closePassing, reasonOf } from "./queue.ts";
import type { RefineScope, RefineServices } from "./services.ts";

/** What a review of all commits together says. */
export type Whole =
  | { kind: "passed"; job: Job }
  | { kind: "failed"; job: Job }
  /** All that it finds is below the floor. */
  | { kind: "below"; job: Job }
  /** It finds what somebody has put off. */
  | { kind: "deferred"; job: Job }
  /** It needs no review. */
  | { kind: "skipped"; reason: string }
  /** There is none. */
  | { kind: "unreviewed"; reason: string };

/**
 * The review of all commits together: the one that there is, or else a new one. A new one as well where all that was
 * found is refuted: its reviewer is told of that, and may see it.
 */
export async function wholeReview(
  services: RefineServices,
  scope: RefineScope,
  head: string,
): Promise<Whole> {
  const { client, checkout, progress } = services;
  const gitRef = `${scope.base}..${head}`;
  const { jobs } = await client.jobs({ repo: checkout.mainRoot, git_ref: gitRef, limit: 0 });
  const known = jobs.filter(isOrdinary).toSorted((a, b) => b.id - a.id)[0];
  const verdict =
    known && (known.verdict === "P" || known.closed !== true) && (await judged(services, known));
  if (verdict && verdict !== "refuted") return verdict;
  const answer = await client.enqueue({
    ...{ repo_path: checkout.worktreeRoot, git_ref: gitRef },
    ...(scope.branch === "" ? {} : { branch: scope.branch }),
  });
  if ("skipped" in answer) return { kind: "skipped", reason: singleLine(answer.reason) };
  await services.agent();
  progress.say(`Waiting for a review of all commits together, job ${answer.id}.`);
  const fresh = await judged(services, await services.waitFor(answer.id));
  return fresh === "refuted"
    ? { kind: "unreviewed", reason: `job ${answer.id} was decided meanwhile` }
    : fresh;
}

/** A default review with a verdict; a security review says nothing of the rest. */
const isOrdinary = ({ status, verdict, review_type: type }: Job): boolean =>
  status === "done" && verdict !== undefined && (type === undefined || type === "" || type === "default");

async function judged(services: RefineServices, job: Job): Promise<Whole | "refuted"> {
  if (job.status === "skipped")
    return { kind: "skipped", reason: singleLine(job.skip_reason ?? "no reason") };
  if (job.status !== "done" || job.verdict === undefined) {
    return { kind: "unreviewed", reason: `job ${job.id} is ${job.status}${reasonOf(job)}` };
  }
  if (job.verdict === "F") {
    const kind = stateOf(entryOf(await services.client.review({ job_id: job.id })), services.settings.floor);
    return kind === "refuted" ? kind : { kind, job };
  }
  if (job.closed !== true) await closePassing(services, job);
  return { kind: "passed", job };
}

/** What is left of a failed review. */
function stateOf(entry: FixEntry, floor: Severity | undefined): "failed" | "below" | "deferred" | "refuted" {
  if (nothingAsked(entry, floor) === undefined) return "failed";
  const counted = entry.findings.filter(({ severity }) => reachesFloor(severity, floor));
  if (counted.length === 0) return "below";
  return counted.some(({ disposition }) => disposition?.state === "deferred") ? "deferred" : "refuted";
}
