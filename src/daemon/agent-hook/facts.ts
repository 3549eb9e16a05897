import type { Checkout } from "../../git/checkout.ts";
import { isAncestor } from "../../git/lineage.ts";
import { madeCommits } from "../../git/made-commits.ts";
import { unreachableFrom } from "../../git/reachability.ts";
import type { Place, Question } from "../../reminder/facts.ts";
import type { Store } from "../../store/store.ts";
import { trackedRepo } from "../tracked-repo.ts";
import { CheckoutReviews } from "./checkout-reviews.ts";

export interface FactSources {
  database<T>(work: (store: Store) => T): Promise<T>;
  resolveCheckout(directory: string): Promise<Checkout | undefined>;
  /** What is remembered of them is shared with whoever else asks. Default: one of its own. */
  reviews?: CheckoutReviews;
  now(): Date;
  onError(component: string, error: unknown): void;
}

/** Which parts of a place are wanted; what is not stays unknown. */
export interface PlaceQuery {
  reviews: boolean;
  /** The branch whose snooze counts, in place of the one that is checked out. */
  branch?: string;
  /** The repository that is meant: the reviews of another one stay unknown. */
  identity?: string;
}

/**
 * What git and the database say. A source that fails is reported and answers "unknown", or what changes least: a
 * session must not lose its reminders to one broken repository.
 */
export class HookFacts {
  private readonly reviews: CheckoutReviews;

  constructor(private readonly sources: FactSources) {
    this.reviews = sources.reviews ?? new CheckoutReviews(sources.database);
  }

  /** The place of a directory; undefined where there is no working tree with a commit that git would work in. */
  async placeOf(directory: string, query: PlaceQuery): Promise<Place | undefined> {
    const checkout = await this.sources
      .resolveCheckout(directory)
      .catch((error) => this.failed(error, undefined));
    if (checkout?.head === undefined) return undefined;
    const repo = await trackedRepo(checkout, this.sources.database).catch((error) =>
      this.failed(error, "unknown" as const),
    );
    const registered = typeof repo === "object" ? repo : undefined;
    const scope = {
      worktreeRoot: checkout.worktreeRoot,
      trackedRoot: registered?.rootPath ?? checkout.mainRoot,
      head: checkout.head,
      branch: checkout.branch,
    };
    const tracked = repo === "unknown" ? repo : registered !== undefined;
    if (registered === undefined) return { scope, tracked, openFailed: undefined };
    const snoozedUntil = await this.snoozedUntil(registered.id, checkout, query.branch);
    // What is told in a snoozed place cannot be taken back.
    if (snoozedUntil === "unknown") return { scope, tracked: "unknown", openFailed: undefined };
    const isSnoozed = snoozedUntil !== undefined && snoozedUntil > this.sources.now();
    const isMeant = query.identity === undefined || query.identity === registered.identity;
    const openFailed =
      query.reviews && isMeant && !isSnoozed
        ? await this.reviews.of(registered.id, checkout).catch((error) => this.failed(error, undefined))
        : undefined;
    return {
      scope,
      tracked,
      openFailed,
      ...(registered.identity === undefined ? {} : { identity: registered.identity }),
      ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
    };
  }

  /** The working tree that holds a directory. */
  async worktreeOf(directory: string): Promise<string | undefined> {
    const checkout = await this.sources
      .resolveCheckout(directory)
      .catch((error) => this.failed(error, undefined));
    return checkout?.worktreeRoot;
  }

  /** The answer to a question of the policy. */
  async answer(question: Exclude<Question, { ask: "skill" }>): Promise<unknown> {
    switch (question.ask) {
      case "place":
        return this.placeAt(question);
      case "ancestor":
        return isAncestor(question.worktree, question.ancestor, question.descendant).catch((error) =>
          this.failed(error, false),
        );
      case "commits":
        return madeCommits(question.worktree, question).catch((error) => this.failed(error, []));
      case "reachable":
        return this.reachable(question).catch((error) => this.failed(error, question.shas));
      case "settled":
        return this.sources
          .database((store) => [...store.jobs.settled(question.ids)])
          .catch((error) => this.failed(error, []));
    }
  }

  private async placeAt({ ask: _, worktree, ...query }: Extract<Question, { ask: "place" }>) {
    const place = await this.placeOf(worktree, { ...query, reviews: true });
    return place?.scope.worktreeRoot === worktree ? place : undefined;
  }

  private async reachable({ worktree, shas, tip }: Extract<Question, { ask: "reachable" }>) {
    const outside = await unreachableFrom(worktree, shas, tip);
    return outside === undefined ? shas : shas.filter((sha) => !outside.has(sha));
  }

  private snoozedUntil(repoId: number, { worktreeRoot, branch }: Checkout, named = branch) {
    return this.sources
      .database((store) => store.snoozes.until(repoId, worktreeRoot, named, this.sources.now()))
      .catch((error) => this.failed(error, "unknown" as const));
  }

  private failed<T>(error: unknown, value: T): T {
    this.sources.onError("agent_hook", error);
    return value;
  }
}
