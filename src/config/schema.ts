import { type Static, Type } from "@sinclair/typebox";
import {
  agentName,
  flag,
  line,
  list,
  model,
  postCommitReview,
  repoModel,
  sharedFields,
  text,
  whole,
  workflowFields,
} from "./fields.ts";

/** `[agent_hook]`, and `[droid_hook]` for Factory Droid. Negative thresholds are the hook's to report: see hook.ts. */
export const HookSectionSchema = Type.Object({
  turn_threshold: Type.Optional(Type.Integer()),
  commit_threshold: Type.Optional(Type.Integer()),
  failed_review_threshold: Type.Optional(Type.Integer()),
  instruction: text(),
  enabled: flag(),
  cursor_followup: flag(),
});
export type HookSection = Static<typeof HookSectionSchema>;

/** The user's own file, `config.toml` in the data directory. */
export const GlobalConfigSchema = Type.Object({
  ...workflowFields(model),
  ...sharedFields,
  server_addr: line(),
  max_workers: whole(1, 64),
  default_agent: agentName(),
  default_model: model(),
  default_max_prompt_size: whole(4096, 20 * 1024 * 1024),
  fix_guidelines: text(),
  hook_timeout_seconds: whole(1, 300),
  anthropic_api_key: line(),
  codex_cmd: line(),
  claude_code_cmd: line(),
  copilot_cmd: line(),
  cursor_cmd: line(),
  droid_cmd: line(),
  gemini_cmd: line(),
  grok_cmd: line(),
  kilo_cmd: line(),
  kiro_cmd: line(),
  opencode_cmd: line(),
  pi_cmd: line(),
  agent_hook: Type.Optional(HookSectionSchema),
  droid_hook: Type.Optional(HookSectionSchema),
});
export type GlobalConfig = Static<typeof GlobalConfigSchema>;

/** A repository's file, `.roborev.toml`: written by whoever wrote the repository, so it may set data, never commands. */
export const RepoConfigSchema = Type.Object({
  ...workflowFields(repoModel),
  ...sharedFields,
  agent: agentName(),
  model: repoModel(),
  max_prompt_size: whole(4096, 20 * 1024 * 1024),
  review_guidelines_supersede_global: flag(),
  excluded_branches: list(),
  excluded_commit_patterns: list(),
  display_name: line(128),
  post_commit_review: postCommitReview(),
});
export type RepoConfig = Static<typeof RepoConfigSchema>;
