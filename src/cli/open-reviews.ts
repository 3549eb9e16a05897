import type { Checkout } from "../git/checkout.ts";
import type { Context } from "./command.ts";
import { connect } from "./connect.ts";
import { noOpenReviewsText, openReviewsHints, openReviewsText } from "./fix-list.ts";
import { withoutPrompt } from "./without-prompt.ts";

/** Whose reviews are listed; without a branch those of what is checked out. */
interface Listed {
  branch?: string;
  allBranches: boolean;
  newestFirst: boolean;
}

/** Prints the reviews that an agent could deal with, oldest first unless asked otherwise; the exit status. */
export async function listOpenReviews(
  context: Context,
  checkout: Checkout,
  { branch, allBranches, newestFirst }: Listed,
): Promise<number> {
  const { flags, out } = context;
  const client = await connect(context);
  const found = await client.openReviews({
    path: checkout.worktreeRoot,
    ...(branch === undefined ? {} : { branch }),
    ...(allBranches ? { all_branches: true } : {}),
  });
  const reviews = newestFirst ? found.reviews.toReversed() : found.reviews;
  if (flags.json) {
    out.json(reviews.map(withoutPrompt));
  } else if (reviews.length === 0) {
    out.note(noOpenReviewsText(found));
  } else {
    out.print(openReviewsText(reviews));
    for (const hint of openReviewsHints(reviews)) out.note(hint);
  }
  return 0;
}
