import { GlobalConfigSchema, RepoConfigSchema } from "./schema.ts";

// Keys that a file may hold without effect, and what the user is told about each.

interface Rule {
  keys: RegExp;
  /** Completes the sentence "`key` …". */
  reason: string;
}

/** Given by a repository, these would run programs, reach other addresses or read the user's secrets. */
const refusedInRepo: Rule[] = [
  { keys: /_cmd$/, reason: "names a program to run" },
  { keys: /^acp$/, reason: "names programs to run" },
  { keys: /^(allow_unsafe_agents|disable_codex_sandbox)$/, reason: "switches off a reviewer's protection" },
  { keys: /^(anthropic_api_key|auth_key)$/, reason: "is a credential" },
  { keys: /^(server_addr|sync|ci|mcp)$/, reason: "decides where data is sent" },
  { keys: /^(agent_hook|droid_hook)$/, reason: "decides what coding agents are told on this machine" },
  { keys: /^fix_guidelines$/, reason: "instructs agents that may edit files" },
  { keys: /^(fix_commit_author|fix_commit_co_authored_by)$/, reason: "decides whose name commits carry" },
  { keys: /^snapshot_dir$/, reason: "is a path that would be written to" },
];

/** Settings of the product that this version does not act on. */
const later =
  /^(acp|tui|mcp|advanced|auth_key|server_addr|hook_timeout_seconds|(kilo|kiro|pi)_cmd|reuse_review_session(_lookback)?|hide_addressed_by_default|tab_width|column_.*|task_column_.*|post_commit_batch_size)$/;

/** Features that this product leaves out: their settings are passed over without a word. */
const leftOut = /^(sync|ci|auto_design_review|classify_.*|web|panels?)$/;

/** Keys of a repository, and what the same is called in the user's file. */
const counterparts: [repo: string, global: string][] = [
  ["agent", "default_agent"],
  ["model", "default_model"],
  ["backup_agent", "default_backup_agent"],
  ["backup_model", "default_backup_model"],
  ["max_prompt_size", "default_max_prompt_size"],
];

export type Scope = "global" | "repo";

export interface Ignored {
  /** Completes the sentence "`key` …". */
  reason: string;
  /** What to do instead, a sentence of its own. */
  advice?: string;
  /** Nothing is wrong with it: this version has no use for it. */
  isNote: boolean;
}

const trust = "run once you trust them, with roborev repo trust";

/** Why a key that the scope's schema lacks has no effect; undefined when it may be passed over silently. */
export function reasonWithoutEffect(key: string, scope: Scope, given?: unknown): Ignored | undefined {
  if (scope === "repo") {
    if (key === "hooks") return { reason: `of a repository ${trust}`, isNote: true };
    const rule = refusedInRepo.find((rule) => rule.keys.test(key));
    if (rule) {
      const reason = `is refused in a repository's file: it ${rule.reason}`;
      return { reason, advice: "Set it in the global configuration", isNote: false };
    }
  }
  if (key === "allow_repo_hooks")
    return { reason: `has no effect: hooks of a repository ${trust}`, isNote: scope === "global" };
  if (leftOut.test(key)) return undefined;
  // `[agent.codex]` of the user's file, where a repository has the name of its reviewer.
  const isAgentTable = key === "agent" && typeof given === "object";
  if (later.test(key) || isAgentTable) return { reason: "has no effect in this version", isNote: true };
  return { reason: misplaced(key, scope) ?? unknown(key, scope), isNote: false };
}

function misplaced(key: string, scope: Scope): string | undefined {
  const other = scope === "repo" ? GlobalConfigSchema : RepoConfigSchema;
  if (!Object.hasOwn(other.properties, key)) return undefined;
  const there = scope === "repo" ? "the global config.toml" : "a repository's .roborev.toml";
  const pair = counterparts.find((pair) => pair.includes(key));
  const own = pair && ` (here it is called \`${scope === "repo" ? pair[0] : pair[1]}\`)`;
  return `has no effect here: it belongs in ${there}${own ?? ""}`;
}

function unknown(key: string, scope: Scope): string {
  const schema = scope === "repo" ? RepoConfigSchema : GlobalConfigSchema;
  const near = nearest(key, Object.keys(schema.properties));
  return `is not a known key${near ? `; did you mean \`${near}\`?` : ""}`;
}

/** The candidate within a third of the word's length in edits, if any. */
export function nearest(word: string, candidates: string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.slice(0, 64), candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
