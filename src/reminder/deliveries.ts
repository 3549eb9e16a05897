import type { Trigger } from "./decision.ts";
import type { ReminderInput } from "./input.ts";
import type { Delivery, PendingReminder } from "./state.ts";

/** The record of a text that is about to be answered. */
export function deliveryOf(trigger: Trigger, input: ReminderInput, queued?: PendingReminder): Delivery {
  const { scope } = trigger;
  return {
    agent: input.agent,
    session_id: input.sessionId,
    event: input.event,
    channel: input.channel ?? "context",
    triggered_by: trigger.by,
    worktree: scope.worktreeRoot,
    ...(scope.branch === "" ? {} : { branch: scope.branch }),
    review_ids: [...new Set([...(trigger.closing ?? []), ...trigger.ids])],
    ...(trigger.fixSessionId === undefined ? {} : { fix_session_id: trigger.fixSessionId }),
    ...(input.turnId === undefined ? {} : { turn_id: input.turnId }),
    ...(queued === undefined ? {} : { queued_at: queued.created_at }),
    decided_at: input.now.toISOString(),
  };
}

/** Whether somebody works on what this text named, as far as one command tells. */
export function isActedOn(
  delivery: Delivery,
  act: { worktree: string; reviewIds: readonly number[] } | { fixSessionId: string },
): boolean {
  if (delivery.acted_at !== undefined) return false;
  if ("fixSessionId" in act) return delivery.fix_session_id === act.fixSessionId;
  return delivery.worktree === act.worktree && delivery.review_ids.some((id) => act.reviewIds.includes(id));
}

export type DeliveryStage = "decided" | "answered" | "continued" | "acted";

/** The last stage that a text is known to have reached. Only the last two confirm that it arrived. */
export function stageOf(delivery: Delivery): DeliveryStage {
  if (delivery.acted_at !== undefined) return "acted";
  if (delivery.continued_at !== undefined) return "continued";
  return delivery.answered_at === undefined ? "decided" : "answered";
}

export const isConfirmed = (delivery: Delivery): boolean =>
  delivery.acted_at !== undefined || delivery.continued_at !== undefined;
