import { hookSummary, type ReviewHook } from "../../config/hooks-schema.ts";
import type { ConfigCache } from "../../config/load.ts";
import type { RepoHooks } from "../../config/parse.ts";
import { resolveCheckout } from "../../git/checkout.ts";
import { RoborevError } from "../../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../../lib/text.ts";
import type { Store } from "../../store/store.ts";
import type { JobEvent } from "../api/event.ts";
import type { Published } from "../events/hub.ts";
import type { DaemonLog } from "../log.ts";
import { readRepoHooks, repoHooksFile } from "./repo-hooks.ts";
import { RunQueue } from "./run-queue.ts";
import { killShells, runShell } from "./shell.ts";
import { isTrusted } from "./trust.ts";
import { fillTemplate, hookEnvironment } from "./values.ts";
import { postWebhook } from "./webhook.ts";

export interface ReviewHookServices {
  config: ConfigCache;
  configPath: string;
  dataDir: string;
  database<T>(work: (store: Store) => T): Promise<T>;
  log: Pick<DaemonLog, "info">;
  onError(error: unknown, jobId: number): void;
  env: Record<string, string | undefined>;
}

interface Call {
  hook: ReviewHook;
  /** Which file asks for it. */
  source: string;
  event: JobEvent;
  json: string;
  cwd: string;
}

const commandTimeoutSeconds = 60;
const webhookTimeoutSeconds = 5;

/**
 * Runs the hooks that wait for what happens to reviews: those of the user, then those of the repository as far as they
 * are trusted. At most once each, eight at a time, and nobody waits for them.
 */
export class ReviewHooks {
  private readonly queue = new RunQueue({ maxRunning: 8, maxWaiting: 256 });
  private readonly stopping = new AbortController();
  /** One event after the other, so that hooks start in the order of events. */
  private planned = Promise.resolve();
  /** Hooks that were named as untrusted already. */
  private readonly named = new Set<string>();

  constructor(private readonly services: ReviewHookServices) {}

  /** Returns at once and never fails. */
  handle({ event, json }: Published): void {
    if (this.stopping.signal.aborted || !("job_id" in event) || !event.type.startsWith("review.")) return;
    if (event.job_type === "fix") return; // hooks read findings and verdicts, and an agent's answer is neither
    this.planned = this.planned
      .then(() => this.plan(event, json))
      .catch((error) => this.services.onError(error, event.job_id));
  }

  /** Starts no more, and ends those that run. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.queue.stop();
  }

  /** The same without waiting, for a process that is ending. */
  kill(): void {
    killShells();
  }

  private async plan(event: JobEvent, json: string): Promise<void> {
    const { config, configPath, onError } = this.services;
    const { loaded } = await config.loadOrKeep(configPath);
    const cwd = await directoryOf(event);
    const ours = (loaded.config.hooks ?? []).map((hook) => ({ hook, source: configPath }));
    const theirs = (await this.trustedHooks(event, cwd)).map((hook) => ({
      hook,
      source: repoHooksFile(cwd),
    }));
    for (const { hook, source } of [...ours, ...theirs]) {
      if (!isMeant(hook, event)) continue;
      const call = { hook, source, event, json, cwd };
      if (!this.queue.add(() => this.run(call)))
        onError(failure(call, "was left out: too many others are waiting"), event.job_id);
    }
  }

  private async trustedHooks(event: JobEvent, cwd: string): Promise<ReviewHook[]> {
    let found: RepoHooks | undefined;
    try {
      found = readRepoHooks(cwd);
    } catch (error) {
      if (error instanceof RoborevError) return []; // the review itself reports a broken file
      throw error;
    }
    if (!found) return [];
    const { digest, hooks } = found;
    if (await this.services.database((store) => isTrusted(store, event.repo, digest))) return hooks;
    const name = `${event.repo}:${digest}`;
    if (!this.named.has(name)) {
      this.named.add(name);
      const what = `the hooks in ${repoHooksFile(cwd)} do not run: they are not trusted`;
      this.services.onError(
        new RoborevError(`${what}. Read and allow them with: roborev repo trust`),
        event.job_id,
      );
    }
    return [];
  }

  private async run(call: Call): Promise<void> {
    const { hook, event } = call;
    const { log, onError } = this.services;
    try {
      const { problem, ...fields } =
        hook.url === undefined ? await this.runCommand(call) : await this.post(call, hook.url);
      if (problem === undefined)
        log.info("review hook", { hook: labelOf(call), job_id: event.job_id, ...fields });
      else onError(failure(call, problem), event.job_id);
    } catch (error) {
      onError(error, event.job_id);
    }
  }

  private async runCommand({ hook, event, json, cwd }: Call) {
    const { env, dataDir } = this.services;
    const seconds = hook.timeout ?? commandTimeoutSeconds;
    const { end, exit, output, durationMs } = await runShell({
      command: fillTemplate(hook.command ?? "", event.job_id),
      cwd,
      env: hookEnvironment(env, event, { dataDir, cwd }),
      stdin: `${json}\n`,
      timeoutMs: seconds * 1000,
      signal: this.stopping.signal,
    });
    const reasons = {
      exited: exit === 0 ? undefined : `ended with ${exit}`,
      timeout: `did not end within ${seconds} s`,
      stopped: "was ended: the daemon is stopping",
    };
    const reason = reasons[end];
    const said = output === "" ? "" : `: ${output}`;
    return { problem: reason && `${reason}${said}`, duration_ms: durationMs, output };
  }

  private async post({ hook, json }: Call, url: string) {
    const timeoutMs = (hook.timeout ?? webhookTimeoutSeconds) * 1000;
    return { problem: await postWebhook(url, json, { timeoutMs, signal: this.stopping.signal }) };
  }
}

/** The checkout that the job was made in while it is one of the repository's, else the main one. */
async function directoryOf({ repo, worktree_path: worktree }: JobEvent): Promise<string> {
  if (worktree === undefined) return repo;
  const checkout = await resolveCheckout(worktree).catch(() => undefined);
  return checkout?.worktreeRoot === worktree && checkout.mainRoot === repo ? worktree : repo;
}

function isMeant(hook: ReviewHook, event: JobEvent): boolean {
  if (hook.event !== "review.*" && hook.event !== event.type) return false;
  const { branches } = hook;
  if (branches === undefined) return true;
  const { branch } = event;
  return branch !== undefined && branches.some((glob) => glob === branch || new Bun.Glob(glob).match(branch));
}

const labelOf = ({ hook, source }: Call): string =>
  `${truncateUtf8(singleLine(hookSummary(hook)), 120)} (${source})`;

const failure = (call: Call, problem: string): RoborevError =>
  new RoborevError(`hook ${labelOf(call)} ${problem}`, { code: "E_REVIEW_HOOK" });
