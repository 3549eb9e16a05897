import { describe, expect, test } from "bun:test";
import { resolveReviewSettings, type SettingsInput } from "../../src/config/resolve.ts";

const resolve = (input: Partial<SettingsInput>) =>
  resolveReviewSettings({ request: {}, repo: {}, global: {}, ...input });

test("nothing configured gives the documented defaults and leaves the choice of reviewer open", () => {
  expect(resolve({})).toEqual({
    reasoning: { value: "thorough", origin: "default" },
    timeoutMs: 30 * 60_000,
    contextCount: 3,
    excludePatterns: [],
    maxPromptBytes: 204_800,
    mergeCommits: "skip",
    autoClosePassing: false,
    guidelines: [],
    readsReviewMd: true,
    quotaCooldownMs: 30 * 60_000,
  });
});

describe("the reviewer is chosen", () => {
  const global = { review_agent: "gemini", review_agent_fast: "pi", default_agent: "cursor" };
  const repo = { review_agent_fast: "droid", review_agent: "kilo", agent: "claude" };

  test.each([
    [{ request: { agent: "Grok-Build" }, repo, global }, "grok", "request", undefined],
    [{ request: { reasoning: "fast" }, repo, global }, "droid", "repo", "review_agent_fast"],
    [{ request: {}, repo, global }, "kilo", "repo", "review_agent"],
    // The layer comes first: a repository's general choice beats the user's specific one.
    [{ request: { reasoning: "fast" }, repo: { agent: "claude" }, global }, "claude-code", "repo", "agent"],
    [{ request: { reasoning: "low" }, global }, "pi", "global", "review_agent_fast"],
    [{ request: {}, global }, "gemini", "global", "review_agent"],
    [{ request: { workflow: "fix" as const }, global }, "cursor", "global", "default_agent"],
    [{ request: { reviewType: "security" }, global }, "gemini", "global", "review_agent"],
    [
      { request: { reviewType: "security" }, global: { ...global, security_agent: "kiro" } },
      "kiro",
      "global",
      "security_agent",
    ],
  ])("%#: %j", (input, value, origin, key) => {
    expect(resolve(input as Partial<SettingsInput>).agent).toEqual({
      value,
      origin,
      ...(key ? { key } : {}),
    } as never);
  });
});

describe("a model", () => {
  test("from the request goes to whoever runs", () => {
    const { model } = resolve({ request: { model: "opus", agent: "codex" }, global: { default_model: "x" } });
    expect(model).toEqual({ value: "opus", origin: "request" });
  });

  test("is never handed to another reviewer than the one it was configured for", () => {
    const global = { default_agent: "claude-code", default_model: "opus" };
    expect(resolve({ global }).model).toEqual({
      value: "opus",
      origin: "global",
      key: "default_model",
      meantFor: "claude-code",
    });
    expect(resolve({ global, request: { agent: "codex" } }).model).toBeUndefined();
    expect(resolve({ global, repo: { agent: "codex" } }).model).toBeUndefined();
    expect(resolve({ global, request: { agent: "claude" } }).model?.value).toBe("opus");
  });

  test("is looked for further down the chain when the nearer one is another reviewer's", () => {
    const global = {
      review_agent: "gemini",
      review_model: "flash",
      default_agent: "codex",
      default_model: "gpt",
    };
    expect(resolve({ global }).model?.value).toBe("flash");
    expect(resolve({ global, request: { agent: "codex" } }).model?.value).toBe("gpt");
  });

  test("without a reviewer beside it is meant for the default reviewer", () => {
    expect(resolve({ global: { default_model: "gpt" } }).model?.meantFor).toBe("codex");
    expect(resolve({ global: { default_model: "gpt" }, repo: { agent: "pi" } }).model).toBeUndefined();
  });
});

describe("a backup", () => {
  test("there is none unless somebody configured one; a model alone is none", () => {
    expect(resolve({ global: { default_agent: "codex" } }).backup).toBeUndefined();
    expect(resolve({ global: { default_backup_model: "gpt" } }).backup).toBeUndefined();
  });

  test.each([
    ["review", "droid", "repo", "review_backup_agent"],
    ["security", "droid", "repo", "review_backup_agent"],
    ["fix", "claude-code", "repo", "backup_agent"],
  ] as const)("%s: the layer comes first, then the kind of work", (workflow, value, origin, key) => {
    const repo = { review_backup_agent: "droid", backup_agent: "claude" };
    const global = { security_backup_agent: "grok", default_backup_agent: "gemini" };
    expect(resolve({ request: { workflow }, repo, global }).backup?.agent).toEqual({ value, origin, key });
    expect(resolve({ request: { workflow: "security" }, global }).backup?.agent.value).toBe("grok");
    expect(resolve({ request: { workflow: "fix" }, global }).backup?.agent.value).toBe("gemini");
  });

  test("has a model only from the backup keys, and only one that was meant for it", () => {
    const global = {
      default_agent: "codex",
      default_model: "gpt",
      default_backup_agent: "claude-code",
      default_backup_model: "opus",
    };
    expect(resolve({ global }).backup).toEqual({
      agent: { value: "claude-code", origin: "global", key: "default_backup_agent" },
      model: { value: "opus", origin: "global", key: "default_backup_model", meantFor: "claude-code" },
    });
    expect(resolve({ global, repo: { backup_agent: "droid" } }).backup?.model).toBeUndefined();
    expect(resolve({ global: { default_model: "gpt", default_backup_agent: "codex" } }).backup).toEqual({
      agent: { value: "codex", origin: "global", key: "default_backup_agent" },
    });
    // What was asked for by hand is the first reviewer's.
    expect(resolve({ global, request: { model: "o3" } }).backup?.model?.value).toBe("opus");
  });

  test("the rest after a spent quota is the user's to choose", () => {
    expect(resolve({ global: { agent_quota_cooldown: "1h30m" } }).quotaCooldownMs).toBe(90 * 60_000);
  });
});

describe("reasoning and severity", () => {
  test("request beats repository beats user", () => {
    const repo = { review_reasoning: "medium" as const, review_min_severity: "high" as const };
    const global = { review_reasoning: "fast" as const, review_min_severity: "low" as const };
    const asked = resolve({ request: { reasoning: " XHIGH ", minSeverity: "critical" }, repo, global });
    expect(asked.reasoning).toEqual({ value: "maximum", origin: "request" });
    expect(asked.minSeverity).toEqual({ value: "critical", origin: "request" });
    expect(resolve({ repo, global }).reasoning).toEqual({
      value: "medium",
      origin: "repo",
      key: "review_reasoning",
    });
    expect(resolve({ global }).minSeverity).toEqual({
      value: "low",
      origin: "global",
      key: "review_min_severity",
    });
  });

  test("D40: fix and refine take the review's severity floor unless they have their own", () => {
    const global = { review_min_severity: "medium" as const };
    expect(resolve({ request: { workflow: "fix" }, global }).minSeverity?.value).toBe("medium");
    const own = { ...global, refine_min_severity: "high" as const };
    expect(resolve({ request: { workflow: "refine" }, global: own }).minSeverity?.value).toBe("high");
    // The user's own word on fixing beats what the repository says about reviewing.
    const repo = { review_min_severity: "low" as const };
    expect(resolve({ request: { workflow: "refine" }, repo, global: own }).minSeverity?.value).toBe("high");
  });

  test("fix and refine think less hard than reviews by default", () => {
    expect(resolve({ request: { workflow: "fix" } }).reasoning.value).toBe("standard");
    expect(resolve({ request: { reviewType: "security" } }).reasoning.value).toBe("thorough");
  });
});

test("exclude patterns of both files add up; a security review obeys only the user's", () => {
  const global = { exclude_patterns: ["vendor", "dist"] };
  const repo = { exclude_patterns: ["dist", "src/evil.ts"] };
  expect(resolve({ repo, global }).excludePatterns).toEqual(["vendor", "dist", "src/evil.ts"]);
  expect(resolve({ repo, global, request: { reviewType: "security" } }).excludePatterns).toEqual([
    "vendor",
    "dist",
  ]);
});

test("the other settings: the repository's value, else the user's", () => {
  const settings = resolve({
    repo: { job_timeout_minutes: 5, review_context_count: 0, auto_close_passing_reviews: false },
    global: {
      job_timeout_minutes: 9,
      default_max_prompt_size: 8192,
      merge_commits: "first-parent",
      auto_close_passing_reviews: true,
    },
  });
  expect(settings).toMatchObject({
    timeoutMs: 300_000,
    contextCount: 0,
    maxPromptBytes: 8192,
    mergeCommits: "first-parent",
    autoClosePassing: false,
  });
});

test("guidelines: the user's first, then the repository's, which may replace them", () => {
  const global = { review_guidelines: "mine" };
  expect(resolve({ global, repo: { review_guidelines: "theirs" } }).guidelines).toEqual(["mine", "theirs"]);
  const repo = { review_guidelines: "theirs", review_guidelines_supersede_global: true };
  expect(resolve({ global, repo }).guidelines).toEqual(["theirs"]);
  expect(resolve({ global: { review_guidelines: " \n" } }).guidelines).toEqual([]);
});

test("V07 REVIEW.md stands in for guidelines that the repository does not have, unless it does not want that", () => {
  const reads = (repo: SettingsInput["repo"], global: SettingsInput["global"] = {}) =>
    resolve({ repo, global }).readsReviewMd;
  expect([reads({}), reads({}, { review_guidelines: "mine" }), reads({ review_guidelines: " " })]).toEqual([
    true,
    true,
    true,
  ]);
  expect([reads({ review_guidelines: "ours" }), reads({ review_md_fallback: false })]).toEqual([
    false,
    false,
  ]);
});
