import type { StoreContext } from "./context.ts";
import type { KeyValues } from "./store.ts";

/** "1" while workers must not take jobs from the queue. */
export const queuePausedKey = "queue_paused";
/** Reviewers that are not asked for a while, as review/cooldowns.ts keeps them. */
export const agentCooldownsKey = "agent_cooldowns";
/** Where the copy of the Go program's database is, when this database came from one. */
export const goDatabaseCopyKey = "go_database_copy";

export const isQueuePaused = (kv: Pick<KeyValues, "get">): boolean => kv.get(queuePausedKey) === "1";

export function keyValuesOf({ db }: StoreContext): KeyValues {
  const get = db.query<{ value: string }, [string]>("SELECT value FROM kv WHERE key = ?");
  const set = db.query(
    "INSERT INTO kv (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  return {
    get: (key) => get.get(key)?.value,
    set: (key, value) => {
      set.run(key, value);
    },
  };
}
