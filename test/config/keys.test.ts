import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { keyDocs, placeholders } from "../../src/config/docs.ts";
import { configKeys, findKey } from "../../src/config/keys.ts";
import { parseGlobalConfig, parseRepoConfig } from "../../src/config/parse.ts";
import { accepts, isTable } from "../../src/config/rule.ts";
import { GlobalConfigSchema, RepoConfigSchema } from "../../src/config/schema.ts";

const schemas = { global: GlobalConfigSchema, repo: RepoConfigSchema };

describe("the keys of the schema", () => {
  test("all of them are settings, each for the files that it may stand in", () => {
    for (const [scope, schema] of Object.entries(schemas)) {
      for (const [name, rule] of Object.entries<TSchema>(schema.properties)) {
        const names = isTable(rule)
          ? Object.keys(rule.properties).map((member) => `${name}.${member}`)
          : [name];
        for (const each of names)
          expect([each, findKey(each)?.rules]).toEqual([
            each,
            expect.objectContaining({ [scope]: expect.anything() }),
          ]);
      }
    }
    expect(findKey("constructor")).toBeUndefined();
    expect(new Set(configKeys.map(({ name }) => name)).size).toBe(configKeys.length);
  });

  test("each says what it is, and what holds without it: a default, or words", () => {
    for (const { name, about, default: standard, rules } of configKeys) {
      expect([name, about.description]).toEqual([name, expect.stringMatching(/^[a-z].{3,}[^.\s]$/)]);
      expect([name, (standard === undefined) === (about.unset !== undefined)]).toEqual([name, true]);
      for (const rule of Object.values(rules))
        if (standard !== undefined) expect([name, accepts(rule, standard)]).toEqual([name, true]);
    }
  });

  test("in both files mean the same: a repository takes at most fewer values", () => {
    for (const { name, rules } of configKeys) {
      if (!rules.global || !rules.repo) continue;
      const { description, family, enum: words, type, minimum, maximum } = rules.repo;
      expect(rules.global).toMatchObject(
        JSON.parse(JSON.stringify({ description, family, enum: words, type, minimum, maximum })),
      );
      expect(name).not.toMatch(/_cmd$|key$/);
    }
  });

  test("of one kind are told about together, and nothing is told twice", () => {
    const docs = keyDocs();
    expect(docs.flatMap(({ names }) => names).sort()).toEqual(configKeys.map(({ name }) => name).sort());
    for (const { label, names, where } of docs) {
      const scopes = names.map((name) => Object.keys(findKey(name)?.rules ?? {}).join());
      expect([label, new Set(scopes).size]).toEqual([label, 1]);
      if (where === "hook") expect(names).toEqual([`agent_hook.${label}`, `droid_hook.${label}`]);
    }
    const { workflow, level, reviewer } = placeholders();
    expect(workflow).toEqual(["review", "refine", "fix", "security", "design"]);
    expect(level).toEqual(["fast", "standard", "medium", "thorough", "maximum"]);
    for (const name of workflow) {
      expect(findKey(`${name}_backup_model`)).toBeDefined();
      for (const each of level) expect(findKey(`${name}_agent_${each}`)).toBeDefined();
    }
    expect(reviewer).toContain("claude_code");
  });

  test("failover, limits and switches are read from the files that may set them", () => {
    const failover = 'review_backup_agent = "Claude"\nfix_backup_model = "opus"\n';
    const global = `${failover}default_backup_agent = "gemini"\ndefault_backup_model = "flash"
agent_quota_cooldown = " 45m "
qwen_cmd = "qwen -x"\nhermes_cmd = "hermes"\n`;
    const parsed = parseGlobalConfig(global, "c");
    expect(parsed.warnings).toEqual([]);
    expect(parsed.config).toEqual({
      review_backup_agent: "claude",
      fix_backup_model: "opus",
      default_backup_agent: "gemini",
      default_backup_model: "flash",
      agent_quota_cooldown: "45m",
      qwen_cmd: "qwen -x",
      hermes_cmd: "hermes",
    });
    const repo = `${failover}backup_agent = "codex"\nbackup_model = "o3"\npost_commit_settle_seconds = 30
excluded_branch_patterns = ["wip/*"]\nreview_md_fallback = false\n`;
    expect(parseRepoConfig(repo, "r")).toEqual({
      warnings: [],
      config: {
        review_backup_agent: "claude",
        fix_backup_model: "opus",
        backup_agent: "codex",
        backup_model: "o3",
        post_commit_settle_seconds: 30,
        excluded_branch_patterns: ["wip/*"],
        review_md_fallback: false,
      },
    });
  });
});
