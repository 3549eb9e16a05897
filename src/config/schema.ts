import { type Static, type TOptional, type TString, Type } from "@sinclair/typebox";
import {
  agentName,
  duration,
  flag,
  line,
  list,
  model,
  person,
  postCommitReview,
  repoModel,
  text,
  whole,
} from "./fields.ts";
import { ReviewHooksSchema } from "./hooks-schema.ts";
import { sharedFields } from "./shared-fields.ts";
import { tuiFields } from "./tui-fields.ts";
import { workflowFields } from "./workflow-fields.ts";

// The one source of keys: what a value must be, where it may stand, and what help and README say about it. Defaults
// are in defaults.ts, and keys.ts puts both together.

/** A trigger of the hook. Of a file's negative number the hook itself tells, and takes the default: see hook.ts. */
const threshold = (description: string) => Type.Optional(Type.Integer({ description, least: 0 }));

/** `[agent_hook]`, and `[droid_hook]` for Factory Droid. */
export const HookSectionSchema = Type.Object({
  turn_threshold: threshold("remind after so many turns; 0 never does"),
  commit_threshold: threshold("remind after so many commits; 0 never does"),
  failed_review_threshold: threshold("remind at so many open failed reviews; 0 never does"),
  instruction: text({ description: "text of a reminder; empty stands for the built-in one" }),
  enabled: flag({ description: "whether coding agents are reminded at all" }),
  cursor_followup: flag({ description: "remind Cursor too, which shows it as a message of the user's" }),
});
export type HookSection = Static<typeof HookSectionSchema>;

/** Reviewers whose program can be configured. */
const commands = [
  "claude_code",
  "codex",
  "copilot",
  "cursor",
  "droid",
  "gemini",
  "grok",
  "hermes",
  "opencode",
  "qwen",
] as const;

const commandFields = Object.fromEntries(
  commands.map((name) => [
    `${name}_cmd`,
    line({
      description: "program of a reviewer, with arguments",
      unset: "its name on PATH",
      family: "<reviewer>_cmd",
    }),
  ]),
) as Record<`${(typeof commands)[number]}_cmd`, TOptional<TString>>;

const promptBytes = [4096, 20 * 1024 * 1024] as const;

/** The user's own file, `config.toml` in the data directory. */
export const GlobalConfigSchema = Type.Object({
  default_agent: agentName({ description: "reviewer", unset: "the first one installed" }),
  default_model: model({ description: "model of the reviewer", unset: "the reviewer's own" }),
  default_backup_agent: agentName({
    description: "reviewer that takes over when the first one cannot review",
    unset: "none, the job fails",
  }),
  default_backup_model: model({
    description: "model of the reviewer that takes over",
    unset: "the reviewer's own",
  }),
  ...workflowFields(model),
  agent_quota_cooldown: duration(
    { minMs: 60_000, maxMs: 24 * 3_600_000 },
    {
      description:
        "how long a reviewer rests when its quota is used up; at most, where it says how long itself",
      expected: "a time from 1m to 24h, like 30m",
    },
  ),
  ...sharedFields,
  default_max_prompt_size: whole(...promptBytes, {
    description: "largest prompt, in bytes; larger changes are reviewed in parts",
  }),
  fix_guidelines: text({
    description: "policy for whoever fixes findings, part of reminders and of roborev fix",
    unset: "none",
  }),
  fix_commit_author: person({
    description: "author of commits that roborev refine and roborev fix make, as `Name <mail>`",
    unset: "you",
  }),
  fix_commit_co_authored_by: person({
    description: "whom a Co-authored-by line in them names, as `Name <mail>`",
    unset: "nobody",
  }),
  ...commandFields,
  anthropic_api_key: line({
    description: `for Claude Code; \${NAME} is read from the daemon's environment`,
    unset: "its own login",
  }),
  disable_codex_sandbox: flag({
    description: "review with Codex without its sandbox, for machines on which that cannot start",
  }),
  allow_unsafe_agents: flag({
    description: "whether agents may edit files and run commands on their own, as fixing needs it",
    unset: "only for commands of yours",
  }),
  max_workers: whole(1, 64, { description: "reviews at the same time", needsRestart: true }),
  ...tuiFields,
  agent_hook: Type.Optional(HookSectionSchema),
  droid_hook: Type.Optional(HookSectionSchema),
  hooks: Type.Optional(ReviewHooksSchema),
});
export type GlobalConfig = Static<typeof GlobalConfigSchema>;

/** A repository's file, `.roborev.toml`: written by whoever wrote the repository, so it may set data, never commands. */
export const RepoConfigSchema = Type.Object({
  agent: agentName({ description: "reviewer", unset: "the user's" }),
  model: repoModel({ description: "model of the reviewer", unset: "the user's" }),
  backup_agent: agentName({
    description: "reviewer that takes over when the first one cannot review",
    unset: "the user's",
  }),
  backup_model: repoModel({ description: "model of the reviewer that takes over", unset: "the user's" }),
  ...workflowFields(repoModel),
  ...sharedFields,
  review_guidelines_supersede_global: flag({ description: "leave the user's review_guidelines out" }),
  review_md_fallback: flag({ description: "without review_guidelines, take REVIEW.md for them" }),
  max_prompt_size: whole(...promptBytes, { description: "largest prompt, in bytes", unset: "the user's" }),
  excluded_branches: list({ description: "branches that are not reviewed", unset: "none" }),
  excluded_branch_patterns: list({
    description: "branches, as globs, that are not reviewed automatically",
    unset: "none",
  }),
  excluded_commit_patterns: list({
    description: "commits with such words in their message are not reviewed",
    unset: "none",
  }),
  post_commit_review: postCommitReview({ description: "review the commit, or its branch up to it" }),
  post_commit_settle_seconds: whole(0, 3600, {
    description: "wait so long for a further commit, which is then reviewed together with this one",
  }),
  display_name: line({ description: "name in lists", unset: "that of the directory" }, 128),
});
export type RepoConfig = Static<typeof RepoConfigSchema>;
