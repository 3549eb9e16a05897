import type { StoreContext } from "./context.ts";
import type { Jobs } from "./store.ts";

/** What a finished fix holds, and what has become of that. */
export function fixJobsOf({ db, now }: StoreContext): Pick<Jobs, "settleFix" | "patch"> {
  const settle = db.query<unknown, [{ id: number; status: string; now: string }]>(
    `UPDATE review_jobs SET status = $status, updated_at = $now
     WHERE id = $id AND status = 'done' AND job_type = 'fix'`,
  );
  const patch = db.query<{ patch: Uint8Array<ArrayBuffer> | string }, [number]>(
    `SELECT patch FROM review_jobs WHERE id = ? AND job_type = 'fix' AND length(patch) > 0`,
  );
  return {
    settleFix: (id, status) => settle.run({ id, status, now: now() }).changes > 0,
    patch(id) {
      const found = patch.get(id)?.patch;
      return typeof found === "string" ? new TextEncoder().encode(found) : found; // text: of the Go program
    },
  };
}
