import { resolveReviewSettings } from "../../config/resolve.ts";
import { requireUnsafeAgents } from "../../config/runtime.ts";
import type { FixJobRequest } from "../../daemon/api/requests.ts";
import { type Checkout, findCheckout } from "../../git/checkout.ts";
import { RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import type { Comment, Job, Review } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { requireReviewer } from "../agents/select.ts";
import { reviewerFor } from "../backup.ts";
import { modelFor } from "../choose-reviewer.ts";
import type { EnqueueServices } from "../enqueue.ts";
import { entryOf } from "../fix/candidates.ts";
import { cannotEdit } from "../fix/choose-agent.ts";
import { requireGlobalConfig } from "../global-config.ts";
import { buildBackgroundPrompt, buildRebasePrompt } from "../prompt/fix/background.ts";
import { nothingAsked } from "../prompt/fix/entry.ts";
import { commitRow } from "../remap-commit.ts";
import { readRepoConfig } from "../repo-config.ts";
import { fixBase } from "./base.ts";

/** The review that is dealt with, and the patch that is made anew, if any. */
interface Subject {
  parent: Job;
  review: Review;
  comments: Comment[];
  stalePatch?: Uint8Array;
}

type Services = Pick<
  EnqueueServices,
  "config" | "configPath" | "database" | "env" | "pathReady" | "onWarning"
>;

/** Queues a fix of a review whose change becomes a patch. All that can be wrong with the request is found here. */
export async function enqueueFix(services: Services, request: FixJobRequest): Promise<Job> {
  const { database, env } = services;
  const { parent, review, comments, stalePatch } = await database((store) => subjectOf(store, request));
  const checkout = await checkoutOf(parent);
  const global = await requireGlobalConfig(services);
  requireUnsafeAgents(global, { byUser: true });
  const repo = await readRepoConfig(checkout, { dirty: false, onWarning: services.onWarning });
  const { agent: asked, model: askedModel, reasoning, min_severity: minSeverity } = request;
  const settings = resolveReviewSettings({
    request: {
      workflow: "fix",
      ...(asked === undefined ? {} : { agent: asked }),
      ...(askedModel === undefined ? {} : { model: askedModel }),
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(minSeverity === undefined ? {} : { minSeverity }),
    },
    ...{ repo, global },
  });
  await services.pathReady;
  const agent = reviewerFor(settings, global, env);
  if (requireReviewer(agent).builtIn) throw cannotEdit(agent, "fix");
  const isRebase = stalePatch !== undefined;
  const base = await fixBase(checkout, { parent, gitRef: request.git_ref, isRebase });
  const floor = settings.minSeverity?.value;
  const prompt = promptOf(
    { ...review, job: parent, comments },
    { floor, wish: request.prompt, stalePatch, maxBytes: settings.maxPromptBytes },
  );
  const model = modelFor(agent, settings.model);
  return await database((store) =>
    store.transaction(() => {
      const commitId = store.commits.getOrCreate({ repoId: parent.repo_id, ...commitRow(base) });
      const { job } = store.jobs.enqueue({
        ...{ repoId: parent.repo_id, jobType: "fix", gitRef: `fix #${parent.id}`, commitId, agent },
        reasoning: settings.reasoning.value,
        ...(parent.branch === undefined ? {} : { branch: parent.branch }),
        ...(parent.worktree_path === undefined ? {} : { worktreePath: parent.worktree_path }),
        ...(model === undefined ? {} : { model }),
        ...(askedModel === undefined ? {} : { requestedModel: askedModel }),
        ...(floor === undefined ? {} : { minSeverity: floor }),
        fix: { parentJobId: parent.id, prompt },
      });
      return job;
    }),
  );
}

function subjectOf({ jobs, reviews, comments }: Store, request: FixJobRequest): Subject {
  const { parent_job_id: id, stale_job_id: staleId } = request;
  const parent = jobs.get(id);
  if (parent === undefined) throw unknownJob(id);
  if (parent.job_type === "fix")
    throw invalid(`job ${id} is a background fix itself; name the review that it deals with`);
  const review = reviews.byJob(id);
  if (review === undefined || parent.status !== "done") {
    throw new RoborevError(`job ${id} is ${parent.status} and has no review`, { code: "E_NO_REVIEW" });
  }
  const subject = { parent, review, comments: comments.forJob(id) };
  if (staleId === undefined) return subject;
  const stale = jobs.get(staleId);
  if (stale === undefined) throw unknownJob(staleId);
  if (stale.job_type !== "fix" || stale.repo_id !== parent.repo_id || stale.parent_job_id !== id) {
    throw invalid(`job ${staleId} is no background fix of job ${id}`);
  }
  const stalePatch = settled.includes(stale.status) ? jobs.patch(staleId) : undefined;
  if (stalePatch === undefined) throw invalid(`job ${staleId} is ${stale.status} and has no patch`);
  return { ...subject, stalePatch };
}

const settled: readonly Job["status"][] = ["done", "applied", "rebased"];

/** Where the settings of the fix are read: the working tree that was reviewed from. */
async function checkoutOf({ id, repo_path: root = "", worktree_path: own }: Job): Promise<Checkout> {
  const path = own ?? root;
  const checkout = await findCheckout(path);
  if (checkout?.mainRoot === root) return checkout;
  throw new RoborevError(`the working tree of job ${id} is gone: ${singleLine(path)}`, {
    code: "E_WORKTREE",
  });
}

function promptOf(
  review: Parameters<typeof entryOf>[0],
  given: {
    floor: Job["min_severity"];
    wish: string | undefined;
    stalePatch: Uint8Array | undefined;
    maxBytes: number;
  },
): string {
  const { wish, stalePatch, maxBytes } = given;
  const entry = entryOf(review, true);
  // What the user asks for in words may well lie below the floor.
  const floor =
    wish === undefined || nothingAsked(entry, given.floor) === undefined ? given.floor : undefined;
  const nothing = nothingAsked(entry, floor);
  if (nothing !== undefined) throw invalid(`nothing of job ${entry.jobId} is to be fixed: ${nothing}`);
  const input = {
    ...{ maxBytes, nonce: crypto.randomUUID() },
    ...(floor === undefined ? {} : { floor }),
    ...(wish === undefined ? {} : { wish }),
  };
  if (stalePatch === undefined) return buildBackgroundPrompt(entry, input);
  const prompt = buildRebasePrompt(entry, { ...input, patch: new TextDecoder().decode(stalePatch) });
  if (prompt !== undefined) return prompt;
  throw new RoborevError(`the patch is too large for a prompt of ${maxBytes} bytes`, {
    code: "E_TOO_LARGE",
    hint: `Begin anew with: roborev fix --background ${entry.jobId}`,
  });
}

const unknownJob = (id: number) =>
  new RoborevError(`there is no job ${id}`, { code: "E_NOT_FOUND", hint: "roborev list shows the numbers." });

const invalid = (message: string) => new RoborevError(message, { code: "E_INVALID" });
