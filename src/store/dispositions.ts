import type { StoreContext } from "./context.ts";
import { fromJson, withoutNulls } from "./row.ts";
import type { DispositionState, Finding, ReviewFinding } from "./schema.ts";
import type { Dispositions } from "./store.ts";

interface Row {
  finding: number;
  state: DispositionState;
  by: string;
  message: string | null;
  at: string;
}

type Values = Record<string, string | number | null>;

export function dispositionsOf({ db, now, transaction }: StoreContext): Dispositions {
  const insert = db.query<unknown, [Values]>(
    `INSERT INTO finding_dispositions (job_id, finding, state, responder, message, created_at)
     VALUES ($jobId, $finding, $state, $responder, $message, $now)`,
  );
  return {
    add: ({ jobId, findings, state, responder, message }) =>
      transaction(() => {
        const given = { jobId, state, responder, message: message ?? null, now: now() };
        for (const finding of findings) insert.run({ ...given, finding });
      }),
  };
}

/** Whose findings: the review that the job has now, or one that a rerun set aside. */
type Owner = { jobId: number; attemptId: number | null };

/**
 * Returns what turns stored findings into those that users see: numbered from 1 in the order in which the reviewer
 * gave them, each with the newest disposition that it got. Null where no list of findings was stored.
 */
export function findingsReader({
  db,
}: Pick<StoreContext, "db">): (json: string | null, owner: Owner) => ReviewFinding[] | null {
  const ofOwner = db.query<Row, [Owner]>(
    `SELECT finding, state, responder AS by, message, created_at AS at FROM finding_dispositions
     WHERE job_id = $jobId AND attempt_id IS $attemptId ORDER BY id`,
  );
  return (json, owner) => {
    const found = fromJson<Finding[]>(json);
    if (found === null) return null;
    // In the order of time, so that the newest one stays.
    const given = new Map(
      ofOwner.all(owner).map(({ finding, ...disposition }) => [finding, withoutNulls(disposition)]),
    );
    return found.map((finding, index) => {
      const disposition = given.get(index + 1);
      return { number: index + 1, ...finding, ...(disposition && { disposition }) };
    });
  };
}
