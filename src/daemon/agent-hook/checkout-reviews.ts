import type { Checkout } from "../../git/checkout.ts";
import type { Store } from "../../store/store.ts";
import { OwnReviews } from "./own-reviews.ts";
import { ReviewsInReach } from "./reviews-in-reach.ts";

/** Which open failed reviews count for a checkout: the one answer for reminders and for `roborev fix`. */
export class CheckoutReviews {
  private readonly inReach: ReviewsInReach;
  private readonly own = new OwnReviews();

  constructor(database: <T>(work: (store: Store) => T) => Promise<T>) {
    this.inReach = new ReviewsInReach(database);
  }

  /** Ids of a repository's jobs, oldest first. Undefined where there is no commit yet. */
  async of(repoId: number, checkout: Checkout): Promise<number[] | undefined> {
    const { head } = checkout;
    if (head === undefined) return undefined;
    return this.own.of(await this.inReach.of(repoId, checkout, head), checkout);
  }
}
