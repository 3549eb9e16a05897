import type { ConfigCache } from "../../config/load.ts";
import type { Harness } from "../../harness/harness.ts";
import { findHarness } from "../../harness/registry.ts";
import type { Clock } from "../../lib/clock.ts";
import { RoborevError } from "../../lib/errors.ts";
import { committingVerbs } from "../../lib/git-verbs.ts";
import type { Decision } from "../../reminder/decision.ts";
import { isActedOn } from "../../reminder/deliveries.ts";
import type { SkillFact } from "../../reminder/facts.ts";
import { isExpired } from "../../reminder/fix-sessions.ts";
import { type Scope, worktreeKey } from "../../reminder/lineage.ts";
import { type Delivery, keysOfSession, type Session } from "../../reminder/state.ts";
import { reminderText } from "../../reminder/text.ts";
import type { HookLedger } from "../../store/hook-state/ledger.ts";
import type { HookEventBody, HookRequest, HookResponse } from "../api/hook-event.ts";
import type { ResetRequest } from "../api/requests.ts";
import type { DeliveriesResponse } from "../api/responses.ts";
import { decideDurably } from "./decide.ts";
import { deliveryPage } from "./delivery-page.ts";
import { eventDirectory } from "./directory.ts";
import { policyEvent, reminderInput, wantsReviews } from "./event-input.ts";
import type { HookFacts } from "./facts.ts";
import { type CallSettings, callSettings } from "./settings.ts";
import { shownState } from "./shown-state.ts";
import { skillCall } from "./skill-fact.ts";

/** What the feature asks of the rest of the daemon. */
export interface HookServices {
  clock: Clock;
  newId(): string;
  config: ConfigCache;
  /** The standard global file. */
  configPath: string;
  facts: Pick<HookFacts, "placeOf" | "worktreeOf" | "answer">;
  /** How the skill of a harness stands, in the configuration that the session has. */
  skill(harness: Harness, moved: string | undefined): Promise<SkillFact>;
  /** Queues a commit that git's own hooks did not see. Reports its own failures. */
  queueCommit(scope: Scope): void;
}

/** One command of a user or agent on reviews, from a working tree. */
export interface Act {
  by: NonNullable<Delivery["acted_by"]>;
  worktree: string;
  reviewIds: readonly number[];
}

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
    const call = await callSettings(request, harness, this.services);
    const kind = policyEvent(request.event);
    if (kind === undefined || !call.settings.enabled) return response(request, call, { skipped: true });
    const { facts, clock } = this.services;
    const directory = eventDirectory(request.event);
    const reviews = wantsReviews(kind, request.event, harness);
    const newId = this.services.newId();
    const look = async () => {
      const place = directory === undefined ? undefined : await facts.placeOf(directory, { reviews });
      const isElsewhere =
        place !== undefined &&
        directory !== request.event.cwd &&
        (await facts.worktreeOf(request.event.cwd ?? "")) !== place.scope.worktreeRoot;
      const known = { place, isElsewhere, now: clock.now(), newId };
      return reminderInput(kind, request.event, harness, call.settings, known);
    };
    const { input, decision, before, after, composed } = await decideDurably(
      this.ledger,
      { agent: harness.name, id: request.event.session_id },
      {
        look,
        answer: (question) =>
          question.ask === "skill"
            ? this.services.skill(harness, request.config_directory)
            : facts.answer(question),
      },
      signal,
      (made) => textOf(made, request, harness, call),
    );
    const { place } = input;
    if (
      harness.withoutGitHooks &&
      place?.tracked === true &&
      isNewCommit(request.event, place.scope, before)
    ) {
      this.services.queueCommit(place.scope);
    }
    return response(request, call, {
      ...counters(decision, after),
      ...(decision.trigger === undefined || composed === undefined
        ? {}
        : {
            triggered: true,
            triggered_by: decision.trigger.by,
            reason: composed,
            delivery_id: newId,
            ...(decision.trigger.fixSessionId === undefined
              ? {}
              : { fix_session_id: decision.trigger.fixSessionId }),
          }),
    });
  }

  /** The whole state as JSON text, which nobody can change anything by, at a third of the cost of a copy. */
  async sessions(): Promise<string> {
    const shown = await shownState(
      this.ledger.published,
      async (ids) => (await this.services.facts.answer({ ask: "settled", ids })) as number[],
    );
    return JSON.stringify(shown);
  }

  deliveries(limit: number, sessionId: string | undefined): DeliveriesResponse {
    return deliveryPage(this.ledger.published.deliveries, { limit, sessionId });
  }

  /** The daemon has handed the text of this delivery over. */
  async answered(deliveryId: string): Promise<void> {
    const at = this.now();
    await this.ledger.transact(({ deliveries }) => {
      const delivery = deliveries.get(deliveryId);
      if (delivery !== undefined && delivery.answered_at === undefined)
        deliveries.put(deliveryId, { ...delivery, answered_at: at });
    });
  }

  /** Somebody works on reviews from a working tree: whatever named them there has arrived. */
  async acted({ by, ...act }: Act): Promise<void> {
    const isNamed = [...this.ledger.published.deliveries.values()].some((delivery) =>
      isActedOn(delivery, act),
    );
    if (!isNamed) return;
    await this.ledger.transact(({ deliveries }) => {
      for (const id of deliveries.keys()) {
        const delivery = deliveries.get(id);
        if (delivery !== undefined && isActedOn(delivery, act))
          deliveries.put(id, { ...delivery, acted_at: this.now(), acted_by: by });
      }
    });
  }

  /** Releases a fix session. One that is over or unknown is fine: false, and nobody else's is released. */
  async fixDone(id: string): Promise<boolean> {
    return this.ledger.transact(({ fixSessions, deliveries }) => {
      let released = false;
      for (const key of fixSessions.keys()) {
        const fix = fixSessions.get(key);
        if (fix?.id !== id) continue;
        released = !isExpired(fix, this.services.clock.now());
        fixSessions.forget(key);
      }
      for (const key of deliveries.keys()) {
        const delivery = deliveries.get(key);
        if (delivery !== undefined && isActedOn(delivery, { fixSessionId: id }))
          deliveries.put(key, { ...delivery, acted_at: this.now(), acted_by: "fix-done" });
      }
      return released;
    });
  }

  /** Forgets one session (under any agent) or all of them, with their fix sessions and deliveries. An unknown id is fine. */
  async reset({ session_id: id, all }: ResetRequest): Promise<void> {
    if (all !== true && id === undefined)
      throw new RoborevError("session_id or all is required", { code: "E_INVALID" });
    await this.ledger.transact(({ sessions, fixSessions, deliveries }) => {
      const keys = sessions.keys();
      for (const key of all === true ? keys : keysOfSession(keys, id as string)) sessions.forget(key);
      const isMeant = (row: { agent: string; session_id: string } | undefined) =>
        all === true || row?.session_id === id || `${row?.agent}:${row?.session_id}` === id;
      for (const key of fixSessions.keys()) if (isMeant(fixSessions.get(key))) fixSessions.forget(key);
      for (const key of deliveries.keys()) if (isMeant(deliveries.get(key))) deliveries.forget(key);
    });
  }

  private now(): string {
    return this.services.clock.now().toISOString();
  }
}

function response(request: HookRequest, { settings, diagnostic }: CallSettings, told: Partial<HookResponse>) {
  return {
    session_id: request.event.session_id,
    count: 0,
    threshold: settings.turnThreshold,
    ...(settings.commitThreshold > 0 ? { commit_threshold: settings.commitThreshold } : {}),
    failed_review_threshold: settings.failedReviewThreshold,
    triggered: false,
    ...told,
    ...(diagnostic === undefined ? {} : { diagnostic }),
  };
}

function counters(decision: Decision, session: Session | undefined): Partial<HookResponse> {
  return {
    count: session?.count ?? 0,
    ...(decision.commits > 0 ? { commit_count: decision.commits } : {}),
    ...(decision.actionable > 0 ? { failed_review_count: decision.actionable } : {}),
    ...(session?.remind_count ? { remind_count: session.remind_count } : {}),
    ...(decision.skipped ? { skipped: true } : {}),
  };
}

function textOf(
  { trigger }: Decision,
  request: HookRequest,
  harness: Harness,
  { settings, guidelines }: CallSettings,
): string | undefined {
  if (trigger === undefined) return undefined;
  const call = skillCall(harness);
  return reminderText({
    trigger,
    instruction: settings.instruction,
    fixGuidelines: guidelines,
    cli: {
      platform: process.platform,
      ...(request.executable === undefined ? {} : { executable: request.executable }),
      ...(request.server === undefined ? {} : { server: request.server }),
    },
    ...(call === undefined ? {} : { skillCall: call }),
    maxBytes: harness.maxTextBytes,
  });
}

/** A command that commits has ended, and HEAD is another one than before it. What came from elsewhere is no commit. */
function isNewCommit(event: HookEventBody, scope: Scope, before: Session | undefined): boolean {
  const headBefore = before?.repo_heads?.[worktreeKey(scope)];
  if (event.hook_event_name !== "PostToolUse" || headBefore === undefined) return false;
  return committingVerbs.includes(event.commit?.verb ?? "") && headBefore !== scope.head;
}
