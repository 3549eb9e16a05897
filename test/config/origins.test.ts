import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { defaults, hookDefaults } from "../../src/config/defaults.ts";
import { type ConfigLayers, configRows } from "../../src/config/origins.ts";
import {
  type GlobalConfig,
  GlobalConfigSchema,
  HookSectionSchema,
  type RepoConfig,
  RepoConfigSchema,
} from "../../src/config/schema.ts";

const globalFile = "/home/ada/.roborev/config.toml";
const repoFile = "/shop/.roborev.toml";

function list(config: GlobalConfig, repo?: RepoConfig, more: Partial<ConfigLayers> = {}) {
  const global = { file: globalFile, config };
  const layers = repo === undefined ? {} : { repo: { config: repo, fileOf: () => repoFile } };
  const { rows, diagnostics } = configRows({ env: {}, global, ...layers, ...more });
  const of = (key: string) =>
    rows
      .filter((row) => row.key === key)
      .map(({ value, origin }) => [value, origin.file ?? origin.variable ?? origin.kind]);
  return { rows, diagnostics, of };
}

/** Some value that a rule of the schema accepts. */
function sample(rule: TSchema): string | number | boolean | string[] {
  if (Array.isArray(rule.enum)) return rule.enum.at(-1);
  if (rule.type === "array") return ["x"];
  if (rule.type === "boolean") return true;
  return rule.type === "integer" ? 77 : "value";
}

const samples = (properties: Record<string, TSchema>) =>
  Object.entries(properties)
    .filter(([, rule]) => rule.type !== "object" && rule.items?.type !== "object")
    .map(([key, rule]) => [key, sample(rule)] as const);

describe("completeness", () => {
  test("every key of the user's file is listed with it when it is set there", () => {
    for (const [key, value] of samples(GlobalConfigSchema.properties)) {
      const [[shown, origin] = [], ...more] = list({ [key]: value }).of(key);
      expect([key, origin, more]).toEqual([key, globalFile, []]);
      expect(shown).toEqual(key === "anthropic_api_key" ? "****" : value);
    }
  });

  test("every key of a repository's file is listed with it, whatever the user's sets", () => {
    for (const [key, value] of samples(RepoConfigSchema.properties)) {
      expect(list({}, { [key]: value }).of(key)).toEqual([[value, repoFile]]);
      const both = list({ [key]: value }, { [key]: value }).of(key);
      expect(both.at(-1)).toEqual([value, repoFile]);
    }
  });

  test("every key of both hook sections is listed, with its default when nobody sets it", () => {
    for (const section of ["agent_hook", "droid_hook"] as const) {
      for (const [key, value] of samples(HookSectionSchema.properties)) {
        const name = `${section}.${key}`;
        expect(list({}).of(name)).toEqual([[hookDefaults[key as keyof typeof hookDefaults], "default"]]);
        expect(list({ [section]: { [key]: value } }).of(name)).toEqual([[value, globalFile]]);
      }
    }
  });

  test("with no file at all the defaults are listed, those of a repository only in one", () => {
    const listed = (rows: { key: string }[]) =>
      rows.map(({ key }) => key).filter((key) => !key.includes("."));
    expect(listed(list({}, {}).rows)).toEqual(Object.keys(defaults).sort());
    const own = Object.keys(defaults).filter((key) => key in GlobalConfigSchema.properties);
    expect(listed(list({}).rows)).toEqual(own.sort());
    expect(own).not.toContain("post_commit_review");
  });
});

test("the repository decides over the user, the user over the defaults, each key for itself", () => {
  const { of } = list(
    { review_context_count: 5, job_timeout_minutes: 10 },
    { review_context_count: 0, review_min_severity: "low" },
  );
  expect(of("review_context_count")).toEqual([[0, repoFile]]);
  expect(of("job_timeout_minutes")).toEqual([[10, globalFile]]);
  expect(of("review_min_severity")).toEqual([["low", repoFile]]);
  expect(of("merge_commits")).toEqual([["skip", "default"]]);
  expect(of("fix_min_severity")).toEqual([]);
});

test("where the files add up each has a line, the user's first, unless the repository does without those", () => {
  const global = { exclude_patterns: ["a"], review_guidelines: "mine" };
  const repo = { exclude_patterns: ["b"], review_guidelines: "ours" };
  expect(list(global, repo).of("exclude_patterns")).toEqual([
    [["a"], globalFile],
    [["b"], repoFile],
  ]);
  expect(list(global, repo).of("review_guidelines")).toEqual([
    ["mine", globalFile],
    ["ours", repoFile],
  ]);
  const alone = { ...repo, review_guidelines_supersede_global: true };
  expect(list(global, alone).of("review_guidelines")).toEqual([["ours", repoFile]]);
  expect(list(global, { review_guidelines_supersede_global: true }).of("review_guidelines")).toEqual([]);
});

test("each key of a repository names the copy that decides it", () => {
  const repo = {
    config: { agent: "codex", merge_commits: "skip" } as RepoConfig,
    fileOf: (key: string) => (key === "agent" ? repoFile : "main:.roborev.toml"),
  };
  const { of } = list({}, undefined, { repo });
  expect([...of("agent"), ...of("merge_commits")]).toEqual([
    ["codex", repoFile],
    ["skip", "main:.roborev.toml"],
  ]);
});

describe("120 the hook's settings", () => {
  test("come from the variable, then the section, then the default, Factory Droid's apart", () => {
    const { of, diagnostics } = list(
      { agent_hook: { turn_threshold: 7, instruction: "mine" }, droid_hook: { commit_threshold: 0 } },
      undefined,
      { env: { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "0", ROBOREV_DROID_HOOK_INSTRUCTION: "droid's" } },
    );
    expect(diagnostics).toEqual([]);
    expect(of("agent_hook.turn_threshold")).toEqual([[0, "ROBOREV_AGENT_HOOK_TURN_THRESHOLD"]]);
    expect(of("droid_hook.turn_threshold")).toEqual([[5, "default"]]);
    expect(of("agent_hook.instruction")).toEqual([["mine", globalFile]]);
    expect(of("droid_hook.instruction")).toEqual([["droid's", "ROBOREV_DROID_HOOK_INSTRUCTION"]]);
    expect(of("droid_hook.commit_threshold")).toEqual([[0, globalFile]]);
  });

  test("that are no numbers of 0 or more are passed over, each with one line", () => {
    const { of, diagnostics } = list(
      { agent_hook: { turn_threshold: -2 }, droid_hook: { turn_threshold: -2 } },
      undefined,
      { env: { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "five", ROBOREV_AGENT_HOOK: "nope" } },
    );
    expect(of("agent_hook.turn_threshold")).toEqual([[5, "default"]]);
    expect(diagnostics).toEqual([
      'ROBOREV_AGENT_HOOK_TURN_THRESHOLD is ignored: "five" is not a whole number of 0 or more',
      '[agent_hook] turn_threshold is ignored: "-2" is not a whole number of 0 or more',
      'ROBOREV_AGENT_HOOK is ignored: "nope" does not switch the hook off; 0, off, false and no do',
      '[droid_hook] turn_threshold is ignored: "-2" is not a whole number of 0 or more',
    ]);
  });

  test("are switched off for both by the one variable", () => {
    const { of } = list({}, undefined, { env: { ROBOREV_AGENT_HOOK: "0" } });
    expect(of("agent_hook.enabled")).toEqual([[false, "ROBOREV_AGENT_HOOK"]]);
    expect(of("droid_hook.enabled")).toEqual([[false, "ROBOREV_AGENT_HOOK"]]);
  });
});

test("keys are sorted, the tables last, and a secret is masked wherever it stands", () => {
  const secret = `sk-ant-api03-${"aB3d".repeat(10)}`;
  const { rows } = list(
    { anthropic_api_key: secret, fix_guidelines: secret, agent_hook: { instruction: `use ${secret}` } },
    { review_guidelines: secret },
  );
  const keys = rows.map(({ key }) => key);
  const top = keys.filter((key) => !key.includes("."));
  expect(keys.slice(0, top.length)).toEqual(top.toSorted());
  expect(JSON.stringify(rows)).not.toContain(secret);
});
