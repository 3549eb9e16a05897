import {
  configuredHookSettings,
  type HookSettings,
  hookSection,
  resolveHookSettings,
} from "../../config/hook.ts";
import type { ConfigCache } from "../../config/load.ts";
import type { Checkout } from "../../git/checkout.ts";
import type { Harness } from "../../harness/harness.ts";
import { findHarness } from "../../harness/registry.ts";
import type { Clock } from "../../lib/clock.ts";
import { RoborevError } from "../../lib/errors.ts";
import { NeedsAncestry, type Scope, worktreeKey } from "../../reminder/lineage.ts";
import { type Decision, decide, type ReminderInput } from "../../reminder/policy.ts";
import { findSession, keysOfSession, sessionKey } from "../../reminder/state.ts";
import { reminderText } from "../../reminder/text.ts";
import type { HookLedger } from "../../store/hook-state/ledger.ts";
import { showState } from "../../store/hook-state/snapshot.ts";
import type { HookEventBody, HookRequest, HookResponse } from "../api/hook-event.ts";
import type { ResetRequest } from "../api/requests.ts";
import { eventDirectory } from "./directory.ts";

/** What the feature asks of the rest of the daemon. */
export interface HookServices {
  clock: Clock;
  config: ConfigCache;
  /** The standard global file: `fix_guidelines` come from it whatever `--config` says. */
  configPath: string;
  findCheckout(directory: string): Promise<Checkout | undefined>;
  /** Registration of the checkout's repository; `unknown` when the database could not say. */
  trackedRepo(checkout: Checkout): Promise<{ id: number; rootPath: string } | undefined | "unknown">;
  /** Ids of the open failed reviews of the checkout; undefined when they cannot be told. */
  openFailed(repoId: number, checkout: Checkout): Promise<number[] | undefined>;
  isAncestor(checkout: Checkout, ancestor: string, descendant: string): Promise<boolean>;
  /** Queues a commit as `post-commit` would have; one that is queued already stays alone. Reports its own failures. */
  queueCommit(scope: Scope): void;
}

const shellEvents = ["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const;
type PolicyEvent = ReminderInput["event"];

/** Decides hook events: facts are gathered first, the decision is taken and persisted in the ledger's order. */
export class HookService {
  constructor(
    private readonly ledger: HookLedger,
    private readonly services: HookServices,
  ) {}

  async event(request: HookRequest, signal: AbortSignal): Promise<HookResponse> {
    const harness = findHarness(request.agent);
    if (!harness)
      throw new RoborevError(`unsupported agent hook integration "${request.agent}"`, { code: "E_INVALID" });
    const { settings, guidelines, diagnostic } = await this.settings(request, harness);
    const answer = (response: Partial<HookResponse>): HookResponse => ({
      session_id: request.event.session_id,
      count: 0,
      threshold: settings.turnThreshold,
      failed_review_threshold: settings.failedReviewThreshold,
      triggered: false,
      ...response,
      ...(diagnostic === undefined ? {} : { diagnostic }),
    });
    const kind = policyEvent(request.event);
    if (kind === undefined || !settings.enabled) return answer({ skipped: true });
    const input = await this.gather(kind, request, harness, settings);
    if (input.scope === undefined) return answer({ skipped: true });
    const id = [harness.name, request.event.session_id] as const;
    const { decision, count, remindCount, text, headBefore } = await this.decide(id, input, signal, (made) =>
      made.trigger === undefined
        ? undefined
        : reminderText({
            trigger: made.trigger,
            scope: input.scope as Scope,
            actionable: made.actionable,
            instruction: settings.instruction,
            fixGuidelines: guidelines,
            ...(request.executable === undefined ? {} : { executable: request.executable }),
            maxBytes: harness.maxTextBytes,
          }),
    );
    if (
      harness.withoutGitHooks &&
      input.tracked === true &&
      isNewCommit(request.event, input.scope, headBefore)
    ) {
      this.services.queueCommit(input.scope);
    }
    return answer({
      count,
      ...(decision.actionable > 0 ? { failed_review_count: decision.actionable } : {}),
      ...(remindCount > 0 ? { remind_count: remindCount } : {}),
      ...(decision.skipped ? { skipped: true } : {}),
      ...(decision.trigger === undefined || text === undefined
        ? {}
        : { triggered: true, triggered_by: decision.trigger.by, reason: text }),
    });
  }

  sessions(): Record<string, unknown> {
    return showState(this.ledger.published);
  }

  /** Forgets one session (under any agent) or all of them. An unknown id is fine. */
  async reset({ session_id: id, all }: ResetRequest): Promise<void> {
    if (all !== true && id === undefined)
      throw new RoborevError("session_id or all is required", { code: "E_INVALID" });
    await this.ledger.transact((staged) => {
      const keys = staged.sessions.keys();
      for (const key of all === true ? keys : keysOfSession(keys, id as string)) staged.sessions.forget(key);
    });
  }

  private async settings(request: HookRequest, harness: Harness) {
    const { config, configPath } = this.services;
    const standard = await config.loadOrKeep(configPath);
    const chosen = request.config === undefined ? standard : await config.loadOrKeep(request.config);
    const flags = flagsOf(request);
    const settings =
      flags === undefined && request.env === undefined
        ? configuredHookSettings(chosen.loaded.config, harness.settingsSection)
        : resolveHookSettings({
            flags: flags ?? {},
            env: request.env ?? {},
            section: hookSection(chosen.loaded.config, harness.settingsSection),
            sectionName: harness.settingsSection,
          });
    const problem = chosen.problem ?? standard.problem;
    const diagnostic = problem?.message ?? settings.diagnostics[0];
    return { settings, guidelines: standard.loaded.config.fix_guidelines ?? "", diagnostic };
  }

  private async gather(
    event: PolicyEvent,
    request: HookRequest,
    harness: Harness,
    settings: HookSettings,
  ): Promise<Omit<ReminderInput, "isAncestor">> {
    const body = request.event;
    const directory = eventDirectory(body);
    const checkout = directory === undefined ? undefined : await this.services.findCheckout(directory);
    const fromSubagent = body.agent_id !== undefined;
    const facts = {
      event,
      scope: undefined,
      tracked: false,
      openFailed: undefined,
      thresholds: { turn: settings.turnThreshold, failedReviews: settings.failedReviewThreshold },
      ...(body.channel === undefined ? {} : { channel: body.channel }),
      optedOut: harness.optIn === "cursor_followup" && !settings.cursorFollowup,
      endsTurn: body.ends_turn === true,
      wakeUp: body.wake_up === true,
      turns: harness.turns,
      fromSubagent,
      now: this.services.clock.now(),
      ...(body.cwd === undefined ? {} : { cwd: body.cwd }),
      ...(body.turn_id === undefined ? {} : { turnId: body.turn_id }),
      ...(body.stop_hook_active === undefined ? {} : { stopHookActive: body.stop_hook_active }),
    };
    if (checkout?.head === undefined) return facts;
    const repo = await this.services.trackedRepo(checkout);
    const registered = typeof repo === "object" ? repo : undefined;
    const silenced = body.stop_hook_active === true && harness.turns.activeFlag === "silences";
    const wantsReviews = registered !== undefined && event !== "PreToolUse" && !fromSubagent && !silenced;
    return {
      ...facts,
      scope: {
        worktreeRoot: checkout.worktreeRoot,
        trackedRoot: registered?.rootPath ?? checkout.mainRoot,
        head: checkout.head,
        branch: checkout.branch,
      },
      tracked: repo === "unknown" ? "unknown" : registered !== undefined,
      openFailed: wantsReviews ? await this.services.openFailed(registered.id, checkout) : undefined,
    };
  }

  /** The decision, durable. What git must still say about ancestry is asked outside the ledger, then tried again. */
  private async decide(
    id: readonly [agent: string, sessionId: string],
    input: Omit<ReminderInput, "isAncestor">,
    signal: AbortSignal,
    compose: (decision: Decision) => string | undefined,
  ) {
    const known = new Map<string, boolean>();
    for (;;) {
      try {
        return await this.ledger.transact((staged) => {
          // Seen before the write, a caller that is gone leaves the reminder for the next event.
          signal.throwIfAborted();
          const found = findSession((key) => staged.sessions.get(key), ...id);
          const decision = decide(found?.session, { ...input, isAncestor: (a, b) => known.get(`${a} ${b}`) });
          const text = compose(decision);
          if (decision.session) {
            const key = sessionKey(...id);
            if (found && found.key !== key) staged.sessions.forget(found.key);
            staged.sessions.put(key, decision.session);
          }
          const session = decision.session ?? found?.session;
          const headBefore = input.scope && found?.session.repo_heads?.[worktreeKey(input.scope)];
          const counters = { count: session?.count ?? 0, remindCount: session?.remind_count ?? 0 };
          return { decision, text, headBefore, ...counters };
        });
      } catch (error) {
        if (!(error instanceof NeedsAncestry)) throw error;
        const checkout = await this.services.findCheckout(input.scope?.worktreeRoot ?? "");
        const is = checkout
          ? await this.services.isAncestor(checkout, error.ancestor, error.descendant)
          : false;
        known.set(`${error.ancestor} ${error.descendant}`, is);
      }
    }
  }
}

/** The event as the policy knows it; undefined for everything that it does not look at. */
function policyEvent(event: HookEventBody): PolicyEvent | undefined {
  if (event.hook_event_name === "Stop" || event.hook_event_name === "UserPromptSubmit")
    return event.hook_event_name;
  const shell = shellEvents.find((name) => name === event.hook_event_name);
  if (shell === undefined || (event.tool_name !== undefined && event.tool_name !== "Bash")) return undefined;
  return shell === "PreToolUse" && event.commit === undefined ? undefined : shell;
}

/** A command that commits has ended, and HEAD is another one than before it. What came from elsewhere is no commit. */
function isNewCommit(event: HookEventBody, scope: Scope, headBefore: string | undefined): boolean {
  if (event.hook_event_name !== "PostToolUse" || headBefore === undefined) return false;
  const commits = ["commit", "cherry-pick", "revert", "am", "merge"].includes(event.commit?.verb ?? "");
  return commits && headBefore !== scope.head;
}

/** Undefined when no flag was given, as nearly always. */
function flagsOf(request: HookRequest) {
  const { threshold, commit_threshold: commits, failed_review_threshold: failed, instruction } = request;
  if (threshold === undefined && commits === undefined && failed === undefined && instruction === undefined)
    return undefined;
  return {
    ...(threshold === undefined ? {} : { turnThreshold: threshold }),
    ...(commits === undefined ? {} : { commitThreshold: commits }),
    ...(failed === undefined ? {} : { failedReviewThreshold: failed }),
    ...(instruction === undefined ? {} : { instruction }),
  };
}
