import type { ConfigCache } from "../config/load.ts";
import { tryParseReasoning } from "../config/reasoning.ts";
import { resolveReviewSettings } from "../config/resolve.ts";
import type { RepoConfig } from "../config/schema.ts";
import type { EnqueueRequest, FixJobRequest, RemapRequest } from "../daemon/api/requests.ts";
import type { EnqueueResponse, RemapResponse } from "../daemon/api/responses.ts";
import { type Checkout, resolveCheckout } from "../git/checkout.ts";
import { repoIdentity } from "../git/identity.ts";
import { isAncestor } from "../git/lineage.ts";
import type { Clock } from "../lib/clock.ts";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import type { NewJob } from "../store/job-input.ts";
import type { Job, Repo } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Environment } from "./agents/reviewer.ts";
import { enqueueFix } from "./background-fix/enqueue-fix.ts";
import { reviewerFor } from "./backup.ts";
import { modelFor } from "./choose-reviewer.ts";
import { requireGlobalConfig } from "./global-config.ts";
import { commitRow, remapCommit } from "./remap-commit.ts";
import { remapRanges } from "./remap-ranges.ts";
import { readRepoConfig } from "./repo-config.ts";
import { joinedTarget } from "./settle.ts";
import { isExcludedBranch, isExcludedMessage, type Target, targetOf } from "./target.ts";

export interface EnqueueServices {
  clock: Clock;
  config: ConfigCache;
  configPath: string;
  database<T>(work: (store: Store) => T): Promise<T>;
  /** Reviewers are found by its PATH. */
  env: Environment;
  /** Settles when programs are found where the user's own shell finds them. */
  pathReady?: Promise<void>;
  onWarning(line: string): void;
  /** A job was canceled in the database: its reviewer, if it runs already, is to end. */
  onCanceled(jobId: number): void;
  onEnqueued(job: Job): void;
  /** The job follows a commit that was rewritten. */
  onRemapped(job: Job, oldRef: string): void;
  /** It is going to, once it does not run any more. */
  onRemapping(job: Job): void;
  /** A job's review was closed, because a rewrite left nobody with its commit. */
  onClosed(jobId: number): void;
}

const reviewTypes = ["", "default", "security", "design"];

/** Turns requests into jobs: everything that can be wrong with one is found here, before anything is stored. */
export class Enqueuer {
  constructor(private readonly services: EnqueueServices) {}

  /** Registers a repository, or finds it registered. */
  async register(repoPath: string): Promise<Repo> {
    const checkout = await requireCheckout(repoPath);
    const [repoConfig, identity] = await Promise.all([
      this.repoConfig(checkout, true),
      repoIdentity(checkout),
    ]);
    return this.registerCheckout(checkout, repoConfig, identity);
  }

  /** Main root under which a path's repository is, or would be, registered. */
  async mainRoot(repoPath: string): Promise<string> {
    return (await resolveCheckout(repoPath))?.mainRoot ?? repoPath;
  }

  async enqueue(request: EnqueueRequest): Promise<EnqueueResponse> {
    const checkout = await requireCheckout(request.repo_path);
    const reviewType = checkedReviewType(request.review_type);
    checkReasoning(request.reasoning);
    const dirty = request.git_ref === "dirty";
    // Three chains of git processes that do not need each other; a commit hook is waiting.
    const [repoConfig, target, identity] = await Promise.all([
      this.repoConfig(checkout, dirty),
      targetOf(checkout, request),
      repoIdentity(checkout),
    ]);
    const branch = request.branch ?? checkout.branch;
    const isHook = request.source === "post_commit";
    const patterns = isHook ? repoConfig.excluded_branch_patterns : undefined;
    if (isExcludedBranch(branch, repoConfig.excluded_branches, patterns)) {
      return { skipped: true, reason: `branch ${branch} is excluded from reviews` };
    }
    if (isExcludedMessage(target, repoConfig.excluded_commit_patterns ?? [])) {
      return { skipped: true, reason: "the commit message is excluded from reviews" };
    }
    const settleMs = isHook && branch !== "" ? (repoConfig.post_commit_settle_seconds ?? 0) * 1000 : 0;
    for (;;) {
      const waiting = settleMs > 0 ? await this.settling(checkout, branch) : undefined;
      const joined = waiting && (await joinedTarget(checkout, waiting, target));
      const plan = { request, repoConfig, reviewType, branch, target: joined ?? target, settleMs };
      const job = await this.describe(checkout, plan);
      const repo = await this.registerCheckout(checkout, repoConfig, identity);
      const replaces = joined && waiting;
      const outcome = await this.insert(repo, plan.target, job, replaces);
      if (outcome === undefined) continue;
      // One that took another commit in has been in the queue all along.
      if (!("skipped" in outcome) && !replaces) this.services.onEnqueued(outcome);
      return outcome;
    }
  }

  /** Queues a fix in the background of a review. */
  async fix(request: FixJobRequest): Promise<Job> {
    checkReasoning(request.reasoning);
    const job = await enqueueFix(this.services, request);
    this.services.onEnqueued(job);
    return job;
  }

  private async settling(checkout: Checkout, branch: string): Promise<Job | undefined> {
    return this.services.database((store) => {
      const repo = store.repos.findByRoot(checkout.mainRoot);
      return repo && store.jobs.settling({ repoId: repo.id, branch });
    });
  }

  /** Reviews follow commits that were rewritten without changing them; those of changed commits are superseded. */
  async remap(request: RemapRequest): Promise<RemapResponse> {
    const checkout = await requireCheckout(request.repo_path);
    const repo = await this.services.database((store) => store.repos.findByRoot(checkout.mainRoot));
    const result: RemapResponse = { remapped: 0, superseded: 0, skipped: 0 };
    if (!repo) return { ...result, skipped: request.mappings.length };
    const changed = new Set<string>();
    for (const mapping of request.mappings) {
      if (await this.remapOne(checkout, repo, mapping, result)) changed.add(mapping.new_sha);
    }
    await this.reviewAnew(checkout, changed);
    return result;
  }

  /** `post-commit` keeps silent during a rebase: what it made of reviewed commits would go unreviewed. */
  private async reviewAnew(checkout: Checkout, shas: ReadonlySet<string>): Promise<void> {
    if (shas.size === 0 || (await this.repoConfig(checkout, false)).post_commit_review === "branch") return;
    for (const sha of shas) {
      const { worktreeRoot, branch } = checkout;
      const request = { repo_path: worktreeRoot, git_ref: sha, branch, source: "post_commit" };
      try {
        await this.enqueue(request);
      } catch (error) {
        this.services.onWarning(`${sha} is not reviewed: ${errorMessage(error)}`);
      }
    }
  }

  /** Whether a review was superseded. */
  private async remapOne(
    checkout: Checkout,
    repo: Repo,
    { old_sha: oldSha, new_sha: newSha }: RemapRequest["mappings"][number],
    result: RemapResponse,
  ): Promise<boolean> {
    const { database, onCanceled, onRemapped, onRemapping, onClosed } = this.services;
    const isGone = !(await isAncestor(checkout.worktreeRoot, oldSha, "HEAD"));
    const rewritten = { oldSha, newSha, isGone };
    const place = { cwd: checkout.worktreeRoot, repo, branch: checkout.branch, database };
    const ranges = await remapRanges(place, rewritten);
    const { kind, count, effects } = await remapCommit(place, rewritten);
    for (const { canceled, moved, moving, closed } of [ranges, effects]) {
      for (const id of canceled) onCanceled(id);
      for (const { job, oldRef } of moved) onRemapped(job, oldRef);
      for (const job of moving) onRemapping(job);
      for (const id of closed) onClosed(id);
    }
    result[count === 0 ? "skipped" : kind] += 1;
    return kind === "superseded" && count > 0;
  }

  private async describe(
    checkout: Checkout,
    plan: {
      request: EnqueueRequest;
      repoConfig: RepoConfig;
      reviewType: string;
      branch: string;
      target: Target;
      settleMs: number;
    },
  ): Promise<Omit<NewJob, "repoId" | "commitId">> {
    const { request, repoConfig, reviewType, branch, target, settleMs } = plan;
    const global = await requireGlobalConfig(this.services);
    const settings = resolveReviewSettings({
      request: {
        reviewType,
        ...(request.agent === undefined ? {} : { agent: request.agent }),
        ...(request.model === undefined ? {} : { model: request.model }),
        ...(request.reasoning === undefined ? {} : { reasoning: request.reasoning }),
        ...(request.min_severity === undefined ? {} : { minSeverity: request.min_severity }),
      },
      repo: repoConfig,
      global,
    });
    await this.services.pathReady;
    const agent = reviewerFor(settings, global, this.services.env);
    const model = modelFor(agent, settings.model);
    const notBefore = new Date(this.services.clock.now().getTime() + settleMs);
    return {
      gitRef: target.gitRef,
      jobType: target.jobType,
      agent,
      reasoning: settings.reasoning.value,
      branch,
      ...(checkout.worktreeRoot === checkout.mainRoot ? {} : { worktreePath: checkout.worktreeRoot }),
      ...(reviewType === "" ? {} : { reviewType }),
      ...(request.source === undefined ? {} : { source: request.source }),
      ...(model === undefined ? {} : { model }),
      ...(request.model === undefined ? {} : { requestedModel: request.model }),
      ...(settings.minSeverity === undefined ? {} : { minSeverity: settings.minSeverity.value }),
      ...(target.diffContent === undefined ? {} : { diffContent: target.diffContent }),
      ...(target.patchId === undefined ? {} : { patchId: target.patchId }),
      ...(settleMs > 0 ? { notBefore } : {}),
    };
  }

  /** Undefined: the job that this one was to replace is not what it was any more. */
  private insert(
    repo: Repo,
    target: Target,
    described: Omit<NewJob, "repoId" | "commitId">,
    replaces: Job | undefined,
  ): Promise<EnqueueResponse | undefined> {
    return this.services.database((store) =>
      store.transaction(() => {
        const commitId = target.commit
          ? store.commits.getOrCreate({ repoId: repo.id, ...commitRow(target.commit) })
          : undefined;
        const job = { ...described, repoId: repo.id, ...(commitId === undefined ? {} : { commitId }) };
        if (replaces) return store.jobs.replaceSettling(replaces, job);
        const inserted = store.jobs.enqueue(job);
        if (!inserted.duplicate) return inserted.job;
        return { skipped: true as const, reason: `job ${inserted.job.id} reviews this commit already` };
      }),
    );
  }

  private async registerCheckout(
    checkout: Checkout,
    repoConfig: RepoConfig,
    identity: string,
  ): Promise<Repo> {
    const name = repoConfig.display_name ?? checkout.mainRoot.slice(checkout.mainRoot.lastIndexOf("/") + 1);
    return this.services.database((store) =>
      store.repos.getOrCreate({ rootPath: checkout.mainRoot, name, identity }),
    );
  }

  private repoConfig(checkout: Checkout, dirty: boolean): Promise<RepoConfig> {
    return readRepoConfig(checkout, { dirty, onWarning: this.services.onWarning });
  }
}

async function requireCheckout(path: string): Promise<Checkout> {
  const checkout = await resolveCheckout(path);
  if (checkout) return checkout;
  throw new RoborevError(`${path} is not inside a git working tree`, { code: "E_NOT_A_REPO" });
}

function checkedReviewType(given: string | undefined): string {
  const type = given?.trim().toLowerCase() ?? "";
  if (!reviewTypes.includes(type)) {
    throw new RoborevError(`unknown review type "${given}"`, {
      code: "E_INVALID",
      hint: "Known types: default, security, design.",
    });
  }
  return type === "default" ? "" : type;
}

function checkReasoning(given: string | undefined): void {
  if (given !== undefined && tryParseReasoning(given) === undefined) {
    throw new RoborevError(`unknown reasoning level "${given}"`, { code: "E_INVALID" });
  }
}
