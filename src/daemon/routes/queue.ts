import { Elysia } from "elysia";
import { queuePausedKey } from "../../store/kv.ts";
import { EmptySchema } from "../api/requests.ts";
import type { QueueResponse } from "../api/responses.ts";
import type { Services } from "../services.ts";

/** Whether workers take jobs from the queue. It is kept in the database: a restart does not end a pause. */
export function queueRoutes({ database, engine }: Services) {
  const setPaused = async (paused: boolean): Promise<QueueResponse> => {
    await database((store) => store.kv.set(queuePausedKey, paused ? "1" : "0"));
    if (!paused) engine.wake();
    return { paused };
  };
  return new Elysia({ prefix: "/api/queue" })
    .post("/pause", () => setPaused(true), { body: EmptySchema })
    .post("/unpause", () => setPaused(false), { body: EmptySchema });
}
