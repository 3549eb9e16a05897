import type { DaemonClient } from "../../client/daemon.ts";
import type { ReviewResponse } from "../../daemon/api/responses.ts";
import { ensurePrivateDirectory } from "../../fs/private.ts";
import type { UserGitOptions } from "../../git/as-user.ts";
import { checkPatch, type PatchCheck } from "../../git/tree-patch.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";
import { quotedLabel, singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import { accountOf } from "../fix/account.ts";
import { entryOf } from "../fix/candidates.ts";
import { type CommitServices, type Committed, commitChange } from "../fix/commit-change.ts";
import { commitMessage } from "../fix/commit-message.ts";
import { decideFix } from "../fix/outcome.ts";
import { requireReady } from "../fix/ready.ts";
import { recordFix } from "../fix/record.ts";
import type { FixClient, FixResult, FixServices } from "../fix/services.ts";
import { seeToReview } from "../fix/work-off.ts";
import type { ApplyTarget } from "./apply-target.ts";

/** What applying needs of the daemon. */
export type ApplyClient = FixClient & Pick<DaemonClient, "patch" | "markApplied">;

export interface ApplyServices extends CommitServices, Pick<FixServices, "pause"> {
  client: ApplyClient;
}

/** What came of a patch. */
export interface Applied {
  job_id: number;
  /** `there`: what it does was done before, and nothing was committed. */
  outcome: "applied" | "there";
  /** Where. */
  worktree: string;
  /** Full SHA. */
  commit?: string;
  /** What became of the review that it deals with, where there still is one. */
  review?: FixResult;
}

/** Whether the patch would go into its working tree as that is. Throws where that has changes of its own, or for what is no patch. */
export async function checkFix(
  { client, env, signal }: Pick<ApplyServices, "client" | "env" | "signal">,
  { job, checkout }: ApplyTarget,
): Promise<PatchCheck> {
  await requireReady(checkout);
  return await checkPatch({ bytes: await client.patch(job.id) }, userGit({ checkout, env, signal }));
}

const checkTimeoutMs = 120_000;

const userGit = ({
  checkout,
  env,
  signal,
}: Pick<ApplyServices, "checkout" | "env" | "signal">): UserGitOptions => ({
  ...{ cwd: checkout.worktreeRoot, env, signal },
  timeoutMs: checkTimeoutMs,
});

/**
 * Applies the patch of a background fix in its working tree, commits it with the user's hooks, says so on the review
 * that it deals with, and sees to it that the commit is reviewed. All or nothing: a patch that does not apply any more
 * and a hook that refuses leave the working tree as it was. The lock of the working tree is held by the caller.
 */
export async function applyFix(given: ApplyServices, target: ApplyTarget): Promise<Applied> {
  const { job, checkout } = target;
  const services = { ...given, checkout };
  const { client, progress, lock } = services;
  const worktree = checkout.worktreeRoot;
  const before = await requireReady(checkout);
  if (job.branch !== undefined && before.branch !== job.branch) {
    throw new RoborevError(`${singleLine(worktree)} went to another branch meanwhile`, { code: "E_MOVED" });
  }
  const bytes = await client.patch(job.id);
  const check = await checkPatch({ bytes }, userGit(services));
  if (check.kind === "conflict") throw conflictError(job, check.reason);
  if (check.kind === "there") {
    progress.say(`What the patch of job ${job.id} does is done already.`);
    await client.markApplied(job.id);
    return { job_id: job.id, outcome: "there", worktree };
  }
  const answer = await client.review({ job_id: job.id });
  const parentId = job.parent_job_id as number; // every fix has one
  const message = commitMessage(parentId, { text: answer.output, agentName: answer.agent });
  await ensurePrivateDirectory(lock.trees);
  const commit = await commitChange(services, undefined, {
    ...{ jobId: job.id, before, patch: { bytes }, message },
  }).catch((error) => {
    throw errorCode(error) === "E_COMMIT_REFUSED" ? withWayOut(error, job) : error;
  });
  await client.markApplied(job.id);
  progress.say(`Applied the patch of job ${job.id} to ${placeText(target)} in ${commit.sha.slice(0, 7)}.`);
  const review = await recordOnParent(services, { parentId, job, answer, commit });
  await seeToReview(services, before, commit);
  return {
    ...{ job_id: job.id, outcome: "applied", worktree, commit: commit.sha },
    ...(review === undefined ? {} : { review }),
  };
}

export const conflictError = ({ id, branch }: Job, reason: string) =>
  new RoborevError(
    `the patch of job ${id} does not apply to ${branch === undefined ? "the code" : quotedLabel(branch)} any more: ${reason}`,
    { code: "E_CONFLICT", hint: `Have it made anew with: roborev fix --rebase ${id}` },
  );

const withWayOut = (cause: RoborevError, { id }: Job) =>
  new RoborevError(cause.message, {
    code: cause.code,
    hint: `Have it made anew, and say what the hook wants: roborev fix --rebase ${id} --prompt "…"`,
    cause,
  });

const placeText = ({ job, checkout }: ApplyTarget): string =>
  job.branch === undefined ? singleLine(checkout.worktreeRoot) : quotedLabel(job.branch);

/** Says on the review what `roborev fix` would say of the same commit. */
async function recordOnParent(
  services: ApplyServices,
  given: { parentId: number; job: Job; answer: ReviewResponse; commit: Committed },
): Promise<FixResult | undefined> {
  const { parentId, job, answer, commit: change } = given;
  const parent = await services.client.review({ job_id: parentId }).catch((error) => {
    if (errorCode(error) !== "E_NO_REVIEW") throw error; // it was run again meanwhile, or is gone
  });
  if (parent === undefined) return undefined;
  const { output: text, agent: agentName } = answer;
  const entry = entryOf(parent, true);
  const said = accountOf(text, entry, { floor: job.min_severity, isOnly: true });
  const agent = { ok: true, text, durationMs: 0 } as const;
  const outcome = decideFix({ agent, change, said });
  const report = { outcome, change, agent, agentName };
  const result = await recordFix({ ...services, command: "fix", settings: {} }, parentId, report, said.words);
  services.progress.result(result);
  return result;
}
