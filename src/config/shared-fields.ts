import { flag, list, mergeCommits, reasoning, severity, text, whole } from "./fields.ts";

/** Keys that mean the same in both files. */
export const sharedFields = {
  review_reasoning: reasoning({ description: "how hard a reviewer thinks" }),
  refine_reasoning: reasoning({ description: "the same for roborev refine" }),
  fix_reasoning: reasoning({ description: "the same for roborev fix" }),
  review_min_severity: severity({
    description: "findings below it are shown, but do not fail a review",
    unset: "every finding counts",
  }),
  refine_min_severity: severity({
    description: "findings below it are left alone by roborev refine",
    unset: "that of reviews",
  }),
  fix_min_severity: severity({
    description: "findings below it are left alone by roborev fix",
    unset: "that of reviews",
  }),
  review_guidelines: text({
    description: "text for the reviewer; of both files, the user's first",
    unset: "none",
  }),
  review_context_count: whole(0, 100, { description: "how many earlier reviews a reviewer is shown" }),
  exclude_patterns: list({
    description: "files that are not reviewed; of both files, in security reviews only the user's",
    unset: "none",
  }),
  merge_commits: mergeCommits({
    description: "clean merges are skipped, or reviewed against their first parent",
  }),
  auto_close_passing_reviews: flag({ description: "close a review that passed" }),
  job_timeout_minutes: whole(1, 24 * 60, {
    description: "a reviewer that takes longer is ended, and the job tried again",
  }),
};
