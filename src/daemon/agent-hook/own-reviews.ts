import type { Checkout } from "../../git/checkout.ts";
import { rememberNotContained } from "../../git/containment.ts";
import { findDefaultBranch } from "../../git/lineage.ts";
import { rememberUnreachable } from "../../git/reachability-memory.ts";
import { type RefLook, RefMemory } from "../../git/ref-memory.ts";
import { refTips } from "../../git/ref-tips.ts";
import type { OpenFailedReview } from "../../store/store.ts";
import { type BranchTips, branchesAsked, openReviewsOf } from "./open-reviews.ts";

interface Known {
  /** What the choice depends on, as the question of a memory; undefined: on no other branch. */
  question: string | undefined;
  others: string[];
  choice?: { tips: BranchTips; ids: number[] };
}

const none: BranchTips = { others: new Map(), trunk: undefined };

/**
 * Which reviews in reach belong to a checkout, remembered for as long as neither they nor the branches that count for
 * them change: reviews that wait elsewhere must not slow an event down.
 */
export class OwnReviews {
  private readonly unreachable = rememberUnreachable();
  private readonly notContained = rememberNotContained();
  private readonly tips: RefMemory<BranchTips>;
  /** By the reviews in reach, which is one array for one HEAD as long as nothing changes. */
  private readonly known = new WeakMap<OpenFailedReview[], Known>();

  constructor(nowMs: () => number = Date.now) {
    this.tips = new RefMemory(nowMs);
  }

  async of(inReach: OpenFailedReview[], checkout: Checkout): Promise<number[]> {
    const known = this.known.get(inReach) ?? start(inReach, checkout);
    this.known.set(inReach, known);
    const { worktreeRoot: cwd, commonDir } = checkout;
    const tips =
      known.question === undefined
        ? none
        : await this.tips.of(commonDir, known.question, (look) => tipsOf(cwd, known.others, look));
    if (known.choice?.tips === tips) return known.choice.ids;
    let hasGitFailed = false;
    const noticed = <T>(answer: T | undefined) => {
      hasGitFailed ||= answer === undefined;
      return answer;
    };
    const ids = await openReviewsOf(inReach, checkout, tips, {
      unreachable: async (shas, tip) => noticed(await this.unreachable(cwd, shas, tip)),
      notContained: async (pairs) => noticed(await this.notContained(cwd, pairs)),
    });
    if (!hasGitFailed) known.choice = { tips, ids };
    return ids;
  }
}

function start(inReach: OpenFailedReview[], checkout: Checkout): Known {
  const { others, trunk } = branchesAsked(inReach, checkout);
  return { others, question: trunk ? others.join("\0") : undefined };
}

async function tipsOf(cwd: string, branches: string[], look: RefLook): Promise<BranchTips> {
  const heads = "refs/heads/";
  const refs = branches.map((branch) => heads + branch);
  const byRef = await refTips(cwd, refs, look);
  return {
    others: new Map([...byRef].map(([ref, tip]) => [ref.slice(heads.length), tip])),
    trunk: await findDefaultBranch(cwd, look),
  };
}
