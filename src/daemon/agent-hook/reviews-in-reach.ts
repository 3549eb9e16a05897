import type { Checkout } from "../../git/checkout.ts";
import { type FindUnreachable, rememberUnreachable } from "../../git/reachability-memory.ts";
import type { OpenFailedReview, Store } from "../../store/store.ts";
import { reviewsInReach } from "./open-reviews.ts";

const maxRemembered = 128;

/**
 * The open failed reviews in reach of checkouts. The answer is remembered until something is written into the
 * database: every event of every session asks, and how many reviews wait elsewhere must not slow it down.
 */
export class ReviewsInReach {
  private readonly unreachable: FindUnreachable;
  private readonly known = new Map<string, { changes: number; reviews: OpenFailedReview[] }>();

  constructor(
    private readonly database: <T>(work: (store: Store) => T) => Promise<T>,
    find?: FindUnreachable,
  ) {
    this.unreachable = rememberUnreachable(find);
  }

  /** The same array as long as it is remembered. */

  async of(repoId: number, { worktreeRoot, branch }: Checkout, head: string): Promise<OpenFailedReview[]> {
    const key = `${repoId}\0${worktreeRoot}\0${head}\0${branch}`;
    const known = this.known.get(key);
    const { changes, candidates } = await this.database((store) => {
      const changes = store.changes();
      if (known?.changes === changes) return { changes };
      return { changes, candidates: store.jobs.openFailed(repoId) };
    });
    if (known !== undefined && candidates === undefined) return known.reviews;
    let hasGitFailed = false;
    const unreachable = async (shas: string[], tip: string) => {
      const outside = await this.unreachable(worktreeRoot, shas, tip);
      hasGitFailed ||= outside === undefined;
      return outside;
    };
    const reviews = await reviewsInReach(candidates ?? [], { head, branch }, { unreachable });
    if (hasGitFailed) return reviews;
    if (this.known.size >= maxRemembered) this.known.delete(this.known.keys().next().value as string);
    this.known.set(key, { changes, reviews });
    return reviews;
  }
}
