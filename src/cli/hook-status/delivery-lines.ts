import type { DeliveryRecord } from "../../daemon/api/responses.ts";
import { singleLine } from "../../lib/text.ts";
import { tableLines } from "../table.ts";
import { checkoutName } from "./place-name.ts";
import { ago, idList } from "./session-lines.ts";

const reasons: Record<DeliveryRecord["triggered_by"], string> = {
  failed_reviews: "failed reviews",
  commit: "commits",
  stop: "turns",
  fix_session: "unfinished",
};

/** One line a delivery: when, to whom, why, about what, by which channel, and how far it is known to have got. */
export function deliveryLines(
  deliveries: readonly DeliveryRecord[],
  now: Date,
  paint: (text: string, confirmed: boolean) => string = (text) => text,
): string[] {
  return tableLines(
    ["Decided", "Session", "Because of", "Reviews", "Where", "Channel", "Stage"],
    deliveries.map((delivery) => [
      ago(delivery.decided_at, now),
      `${delivery.agent}:${delivery.session_id}`,
      reasons[delivery.triggered_by],
      idList(delivery.review_ids),
      checkoutName(delivery.worktree, delivery.branch),
      `${delivery.channel} (${delivery.event})`,
      stageText(delivery),
    ]),
    (text, column, row) => (column === 6 ? paint(text, deliveries[row]?.confirmed ?? false) : text),
  );
}

function stageText({ stage, acted_by: by }: DeliveryRecord): string {
  return stage === "acted" && by !== undefined ? `acted (${singleLine(by)})` : stage;
}
