import type { GlobalConfig, HookSection, RepoConfig } from "./schema.ts";

/** What holds where no file sets a key. A key that is not here has no value until somebody sets it. */
export const defaults = {
  agent_quota_cooldown: "30m",
  review_reasoning: "thorough",
  refine_reasoning: "standard",
  fix_reasoning: "standard",
  review_context_count: 3,
  job_timeout_minutes: 30,
  default_max_prompt_size: 200 * 1024,
  merge_commits: "skip",
  auto_close_passing_reviews: false,
  post_commit_review: "commit",
  post_commit_settle_seconds: 0,
  review_guidelines_supersede_global: false,
  review_md_fallback: true,
  disable_codex_sandbox: false,
  max_workers: 4,
  auto_filter_repo: true,
  auto_filter_branch: false,
  hide_closed_by_default: false,
  mouse_enabled: true,
} as const satisfies GlobalConfig & RepoConfig;

/** The same for `[agent_hook]` and `[droid_hook]`. An empty instruction stands for the built-in text. */
export const hookDefaults = {
  turn_threshold: 5,
  commit_threshold: 0,
  failed_review_threshold: 4,
  instruction: "",
  enabled: true,
  cursor_followup: false,
} as const satisfies Required<HookSection>;
