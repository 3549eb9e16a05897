import designReview from "./roborev-design-review.md" with { type: "text" };
import designReviewBranch from "./roborev-design-review-branch.md" with { type: "text" };
import fix from "./roborev-fix.md" with { type: "text" };
import refine from "./roborev-refine.md" with { type: "text" };
import respond from "./roborev-respond.md" with { type: "text" };
import review from "./roborev-review.md" with { type: "text" };
import reviewBranch from "./roborev-review-branch.md" with { type: "text" };
import snooze from "./roborev-snooze.md" with { type: "text" };

export interface Skill {
  name: string;
  /** Only the user starts it: the model never takes it up by itself. */
  explicit: boolean;
  /** For no program yet, see `skillFiles`. */
  text: string;
}

const explicit = (name: string, text: string): Skill => ({ name, explicit: true, text });

/** The one that reminders name: the model must be able to take it up. */
export const fixSkill: Skill = { name: "roborev-fix", explicit: false, text: fix };

/** Every bundled skill, in the order in which they are listed. */
export const skills: readonly Skill[] = [
  fixSkill,
  explicit("roborev-review", review),
  explicit("roborev-review-branch", reviewBranch),
  explicit("roborev-design-review", designReview),
  explicit("roborev-design-review-branch", designReviewBranch),
  explicit("roborev-refine", refine),
  explicit("roborev-respond", respond),
  explicit("roborev-snooze", snooze),
];

/** Skills of earlier releases, which another one replaces. */
export const legacySkills: Readonly<Record<string, string>> = { "roborev-address": "roborev-fix" };
