import type { Job, Repo } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** Where commits were rewritten. */
export interface RewritePlace {
  cwd: string;
  repo: Repo;
  branch: string;
  database<T>(work: (store: Store) => T): Promise<T>;
}

export interface Rewritten {
  oldSha: string;
  newSha: string;
  /** Nobody has the old commit any more. */
  isGone: boolean;
}

/** What a rewrite did to jobs, for whoever is to be told. */
export interface RewriteEffects {
  /** They would have reviewed the same once more. */
  canceled: number[];
  moved: { job: Job; oldRef: string }[];
  /** They run, and move when they end. */
  moving: Job[];
  /** Their reviews were open. */
  closed: number[];
}

/** Does what moves or closes some of these jobs, and says which it were. */
export function observed<T>(
  store: Store,
  jobs: readonly Job[],
  work: () => T,
): Pick<RewriteEffects, "moved" | "moving" | "closed"> & { value: T } {
  const value = work();
  const pairs = jobs.flatMap((before) => {
    const after = store.jobs.get(before.id);
    return after ? [{ before, after }] : [];
  });
  return {
    value,
    moved: pairs
      .filter(({ before, after }) => before.git_ref !== after.git_ref)
      .map(({ before, after }) => ({ job: after, oldRef: before.git_ref })),
    moving: pairs.map(({ after }) => after).filter(({ id }) => store.jobs.nextRef(id) !== undefined),
    closed: pairs
      .filter(({ before, after }) => before.closed === false && after.closed === true)
      .map(({ after }) => after.id),
  };
}
