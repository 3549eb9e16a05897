import { isConfirmed, stageOf } from "../../reminder/deliveries.ts";
import { type Delivery, sessionKey } from "../../reminder/state.ts";
import type { DeliveriesResponse } from "../api/responses.ts";

/** The newest deliveries, as copies, of one session (by its id or key) or of all; `limit` 0 means all. */
export function deliveryPage(
  deliveries: ReadonlyMap<string, Delivery>,
  query: { limit: number; sessionId?: string | undefined },
): DeliveriesResponse {
  const { limit, sessionId } = query;
  const isMeant = ({ agent, session_id: id }: Delivery) =>
    sessionId === undefined || id === sessionId || sessionKey(agent, id) === sessionId;
  const rows = [...deliveries].filter(([, delivery]) => isMeant(delivery)).reverse();
  const shown = limit === 0 ? rows : rows.slice(0, limit);
  return {
    deliveries: shown.map(([id, delivery]) => ({
      id,
      ...structuredClone(delivery),
      stage: stageOf(delivery),
      confirmed: isConfirmed(delivery),
    })),
    has_more: shown.length < rows.length,
  };
}
