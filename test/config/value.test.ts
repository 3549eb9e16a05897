import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { literal } from "../../src/cli/config-text.ts";
import { type ConfigKey, configKeys, findKey } from "../../src/config/keys.ts";
import type { Scope } from "../../src/config/refused.ts";
import { isTableList } from "../../src/config/rule.ts";
import { parseValue } from "../../src/config/value.ts";
import { UsageError } from "../../src/lib/errors.ts";

const value = (name: string, text: string, scope: Scope = "global") =>
  parseValue(findKey(name) as ConfigKey, scope, text);

describe("C09 a value as it is typed", () => {
  test.each<[string, string, ReturnType<typeof value>]>([
    ["auto_close_passing_reviews", " TRUE ", true],
    ["auto_close_passing_reviews", "false", false],
    ["max_workers", "08", 8],
    ["agent_hook.turn_threshold", "+0", 0],
    ["exclude_patterns", "vendor, *.lock ,,", ["vendor", "*.lock"]],
    ["exclude_patterns", "[ \"a,b\", 'c' ]", ["a,b", "c"]],
    ["exclude_patterns", "[]", []],
    ["review_min_severity", " High", "high"],
    ["review_reasoning", "XHIGH", "maximum"],
    ["default_agent", " Claude-Code ", "claude-code"],
    ["agent_quota_cooldown", "1h30m", "1h30m"],
    ["fix_commit_author", " Zoë de Vries <z@example.com> ", "Zoë de Vries <z@example.com>"],
    ["fix_commit_co_authored_by", "B <b@c>", "B <b@c>"],
    ["fix_guidelines", " one\n\ttwo ", " one\n\ttwo "],
    ["codex_cmd", ' codex -c "a b" ', 'codex -c "a b"'],
    ...["max_workers", "exclude_patterns", "fix_guidelines", "agent_hook.enabled"].map(
      (name): [string, string, undefined] => [name, " ", undefined],
    ),
  ])("%s %j", (name, text, expected) => {
    expect(value(name, text)).toEqual(expected as never);
  });

  test.each([
    ["max_workers", "4.0", 'max_workers must be a whole number from 1 to 64, got "4.0"'],
    ["max_workers", "0", 'max_workers must be a whole number from 1 to 64, got "0"'],
    ["max_workers", "99999999999999999999", "max_workers must be a whole number from 1 to 64"],
    ["agent_hook.turn_threshold", "-1", "agent_hook.turn_threshold must be a whole number of 0 or more"],
    ["agent_hook.enabled", "yes", 'agent_hook.enabled must be true or false, got "yes"'],
    ["review_min_severity", "nit", "review_min_severity must be one of critical, high, medium, low"],
    ["exclude_patterns", '["a", 1]', "exclude_patterns must be a list of non-empty strings"],
    ["exclude_patterns", '["a"', "exclude_patterns must be a list of non-empty strings"],
    ["default_model", "--yolo", "default_model must be the name of a model"],
    ["default_agent", "a b", "default_agent must be the name of a reviewer"],
    ["agent_quota_cooldown", "10s", "agent_quota_cooldown must be a time from 1m to 24h, like 30m"],
    ...[
      "Ada",
      "ada@example.com",
      "<a@b>",
      "Ada <>",
      "Ada <a b>",
      "Ada <a@b> x",
      "A\x01 <a@b>",
      "Ada  <a@b>",
    ].map((text): [string, string, string] => [
      ...(["fix_commit_author", text, "must be a name and an address, like Ada <ada@example.com>"] as const),
    ]),
    ["codex_cmd", "a\nb", 'codex_cmd must be a text on one line, got "a b"'],
    ["fix_guidelines", "\ud800", "fix_guidelines must be a text"],
    ["codex_cmd", "codex --api-key [redacted]", "codex_cmd would be set to a value that is masked"],
  ])("%s %j is refused: %s", (name, text, message) => {
    expect(() => value(name, text)).toThrow(message);
    expect(() => value(name, text)).toThrow(UsageError);
  });

  test("a secret is in no message, and what is shown of one is not taken for it", () => {
    expect(() => value("anthropic_api_key", "sk-x\ny")).toThrow(
      /^anthropic_api_key must be a text on one line$/,
    );
    for (const shown of ["****", "****wxyz", " ****wx+/ "])
      expect(() => value("anthropic_api_key", shown)).toThrow("is masked");
    expect(value("anthropic_api_key", "*****************")).toBe("*****************");
  });

  test("a repository's model is held to more than the user's", () => {
    expect(value("review_model", "opus@https://proxy")).toBe("opus@https://proxy");
    expect(() => value("review_model", "opus@https://proxy", "repo")).toThrow("the plain name of a model");
  });
});

/** Some value that a rule of the schema accepts. */
function sample(rule: TSchema): string | number | boolean | string[] {
  if (Array.isArray(rule.enum)) return rule.enum.at(-1);
  if (rule.type === "array") return ["a,b", 'c"d', "e\nf"];
  if (rule.type === "boolean") return true;
  if (rule.type === "integer") return rule.maximum ?? 77;
  if (rule.duration) return "2h";
  return String(rule.expected).includes("<") ? "Ada <ada@example.com>" : "value";
}

test("what config get prints of any key, config set takes back as the same", () => {
  for (const key of configKeys) {
    for (const [scope, rule] of Object.entries(key.rules)) {
      if (isTableList(rule)) continue; // config set refuses it
      const given = sample(rule);
      const shown = typeof given === "string" ? given : literal(given);
      expect([key.name, parseValue(key, scope as Scope, shown)]).toEqual([key.name, given]);
    }
  }
});
