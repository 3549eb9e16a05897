import type { DeliveryRecord } from "../../daemon/api/responses.ts";
import { elapsedText } from "../../lib/job-text.ts";
import { singleLine } from "../../lib/text.ts";
import { tableLines } from "../table.ts";
import { checkoutName } from "./place-name.ts";
import { sessionNames } from "./session-name.ts";
import { idList } from "./waiting-lines.ts";

const triggers: Record<DeliveryRecord["triggered_by"], string> = {
  failed_reviews: "reviews",
  commit: "commits",
  stop: "turns",
  fix_session: "unfinished",
};

export const keyOf = ({ agent, session_id }: DeliveryRecord): string => `${agent}:${session_id}`;

/** One line a delivery: how long ago, to whom, what made it due, how far it is known to have got, about what. */
export function deliveryLines(
  deliveries: readonly DeliveryRecord[],
  now: Date,
  look: { name?: (key: string) => string; paint?: (text: string, confirmed: boolean) => string } = {},
): string[] {
  const { name = sessionNames(deliveries.map(keyOf)), paint = (text) => text } = look;
  return tableLines(
    ["Ago", "Session", "Because of", "Stage", "Reviews", "Where"],
    deliveries.map((delivery) => [
      elapsedText(now.getTime() - Date.parse(delivery.decided_at)),
      name(keyOf(delivery)),
      triggers[delivery.triggered_by] ?? delivery.triggered_by,
      stageText(delivery),
      idList(delivery.review_ids, 12),
      checkoutName(delivery.worktree, delivery.branch),
    ]),
    (text, column, row) => (column === 3 ? paint(text, deliveries[row]?.confirmed ?? false) : text),
  );
}

function stageText({ stage, acted_by: by }: DeliveryRecord): string {
  return stage === "acted" && by !== undefined ? `acted: ${singleLine(by)}` : stage;
}
