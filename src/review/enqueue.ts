import type { ConfigCache } from "../config/load.ts";
import { tryParseReasoning } from "../config/reasoning.ts";
import { resolveReviewSettings } from "../config/resolve.ts";
import type { GlobalConfig, RepoConfig } from "../config/schema.ts";
import type { EnqueueRequest, RemapRequest } from "../daemon/api/requests.ts";
import type { EnqueueResponse, RemapResponse } from "../daemon/api/responses.ts";
import { type Checkout, resolveCheckout } from "../git/checkout.ts";
import { type CommitInfo, commitInfo } from "../git/commit.ts";
import { repoIdentity } from "../git/identity.ts";
import { patchId } from "../git/patch-id.ts";
import { RoborevError } from "../lib/errors.ts";
import type { Job, Repo } from "../store/schema.ts";
import type { NewJob, Store } from "../store/store.ts";
import { chooseReviewer, modelFor } from "./choose-reviewer.ts";
import { readRepoConfig } from "./repo-config.ts";
import { isExcludedMessage, type Target, targetOf } from "./target.ts";

export interface EnqueueServices {
  config: ConfigCache;
  configPath: string;
  database<T>(work: (store: Store) => T): Promise<T>;
  /** Settles when programs are found where the user's own shell finds them. */
  pathReady?: Promise<void>;
  onWarning(line: string): void;
  /** A job was canceled in the database: its reviewer, if it runs already, is to end. */
  onCanceled(jobId: number): void;
  onEnqueued(job: Job): void;
  /** The job follows a commit that was rewritten. */
  onRemapped(job: Job, oldSha: string): void;
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
    if (branch !== "" && repoConfig.excluded_branches?.includes(branch)) {
      return { skipped: true, reason: `branch ${branch} is excluded from reviews` };
    }
    if (isExcludedMessage(target, repoConfig.excluded_commit_patterns ?? [])) {
      return { skipped: true, reason: "the commit message is excluded from reviews" };
    }
    const job = await this.describe(checkout, { request, repoConfig, reviewType, branch, target });
    const repo = await this.registerCheckout(checkout, repoConfig, identity);
    const outcome = await this.insert(repo, target, job);
    if (!("skipped" in outcome)) this.services.onEnqueued(outcome);
    return outcome;
  }

  /** Reviews follow commits that were rewritten without changing them; those of changed commits are superseded. */
  async remap(request: RemapRequest): Promise<RemapResponse> {
    const checkout = await requireCheckout(request.repo_path);
    const repo = await this.services.database((store) => store.repos.findByRoot(checkout.mainRoot));
    const result: RemapResponse = { remapped: 0, superseded: 0, skipped: 0 };
    if (!repo) return { ...result, skipped: request.mappings.length };
    for (const mapping of request.mappings) await this.remapOne(checkout, repo, mapping, result);
    return result;
  }

  private async remapOne(
    checkout: Checkout,
    repo: Repo,
    { old_sha: oldSha, new_sha: newSha }: RemapRequest["mappings"][number],
    result: RemapResponse,
  ): Promise<void> {
    const cwd = checkout.worktreeRoot;
    const [before, after] = await Promise.all([patchId(cwd, oldSha), patchId(cwd, newSha)]);
    const info = await commitInfo(cwd, newSha);
    const changed = await this.services.database((store) =>
      store.transaction(() => {
        if (after === undefined || before !== after) {
          const count = store.jobs.supersede({ repoId: repo.id, oldSha, newSha });
          return { kind: "superseded" as const, count, withdrawn: [], moved: [] };
        }
        const withdrawn = withdrawRepeated(store, repo, { oldSha, newSha });
        const old = store.jobs.list({ gitRef: oldSha, repo: repo.root_path, limit: 0 }).jobs;
        const commitId = store.commits.getOrCreate({ repoId: repo.id, ...commitRow(info) });
        const count = store.jobs.remap({ repoId: repo.id, oldSha, newSha, patchId: after, commitId });
        // A running job moves when it ends.
        const moved = old
          .map(({ id }) => store.jobs.get(id))
          .filter((job): job is Job => job?.git_ref === newSha);
        return { kind: "remapped" as const, count, withdrawn, moved };
      }),
    );
    for (const id of changed.withdrawn) this.services.onCanceled(id);
    for (const job of changed.moved) this.services.onRemapped(job, oldSha);
    result[changed.count === 0 ? "skipped" : changed.kind] += 1;
  }

  private async describe(
    checkout: Checkout,
    plan: {
      request: EnqueueRequest;
      repoConfig: RepoConfig;
      reviewType: string;
      branch: string;
      target: Target;
    },
  ): Promise<Omit<NewJob, "repoId" | "commitId">> {
    const { request, repoConfig, reviewType, branch, target } = plan;
    const global = await this.globalConfig();
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
    const { reviewer } = chooseReviewer(settings.agent, global);
    const model = modelFor(reviewer.name, settings.model);
    return {
      gitRef: target.gitRef,
      jobType: target.jobType,
      agent: reviewer.name,
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
    };
  }

  /** A file that broke keeps its last sound version; one that never was sound says nothing of what its user wants. */
  private async globalConfig(): Promise<GlobalConfig> {
    const { loaded, problem, neverSound } = await this.services.config.loadOrKeep(this.services.configPath);
    if (problem && neverSound) throw problem;
    return loaded.config;
  }

  private insert(
    repo: Repo,
    target: Target,
    job: Omit<NewJob, "repoId" | "commitId">,
  ): Promise<EnqueueResponse> {
    return this.services.database((store) =>
      store.transaction(() => {
        const commitId = target.commit
          ? store.commits.getOrCreate({ repoId: repo.id, ...commitRow(target.commit) })
          : undefined;
        const inserted = store.jobs.enqueue({
          ...job,
          repoId: repo.id,
          ...(commitId === undefined ? {} : { commitId }),
        });
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

/**
 * `git commit --amend` runs post-commit before post-rewrite: by the time we hear that only the message changed, the
 * new SHA is queued. Where the old one was reviewed already, that review follows and is not done again.
 */
function withdrawRepeated(
  store: Store,
  repo: Repo,
  { oldSha, newSha }: { oldSha: string; newSha: string },
): number[] {
  const of = (gitRef: string) =>
    store.jobs.list({ gitRef, repo: repo.root_path, jobType: "review", limit: 0 }).jobs;
  if (!of(oldSha).some((job) => job.status === "done")) return [];
  return of(newSha)
    .filter((job) => job.source === "post_commit" && store.jobs.cancel(job.id))
    .map((job) => job.id);
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

const commitRow = ({ sha, author, subject, timestamp }: CommitInfo) => ({ sha, author, subject, timestamp });
