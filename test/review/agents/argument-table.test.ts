import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { reasoningLevels } from "../../../src/config/reasoning.ts";
import { parseFlags } from "../../../src/review/agents/capabilities.ts";
import { findReviewer, reviewerNames } from "../../../src/review/agents/registry.ts";
import type { Capabilities, Reviewer, ReviewerTask } from "../../../src/review/agents/reviewer.ts";
import { snapshotReading } from "../../../src/review/agents/snapshot-reading.ts";
import { fixture } from "./fixture.ts";

const reviewers = reviewerNames().map((name) => findReviewer(name) as Reviewer);
const others = reviewers.filter((reviewer) => reviewer.isolation);

const helpOf: Record<string, string> = { "claude-code": "claude-help.txt" };

/** The real program's, where its help is on record; else all that its documentation names. */
function capable(reviewer: Reviewer, files: Record<string, string> = {}): Capabilities {
  const file = helpOf[reviewer.name] ?? `${reviewer.name}-help.txt`;
  const recorded = existsSync(join(import.meta.dir, "../../fixtures/agents", file));
  const documented = [...(reviewer.requiredFlags ?? []), ...(reviewer.fixFlags ?? []), "--add-dir"];
  return {
    flags: recorded ? parseFlags(fixture(file)) : new Set(documented),
    files: new Map(Object.entries(files)),
    helpers: new Set(reviewer.helpers),
  };
}

const task = (more: Partial<ReviewerTask> = {}): ReviewerTask => ({
  jobId: 7,
  cwd: "/data/worktrees/7",
  cell: "/data/worktrees/cell-1",
  reasoning: "standard",
  ...more,
});

const words = (argv: string[]) =>
  argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(" ");

const cases: [string, Partial<ReviewerTask>][] = [
  ["plain", {}],
  ["model", { model: "some/model-1" }],
  ["session", { sessionId: "abc-1" }],
  ...reasoningLevels.map((reasoning): [string, Partial<ReviewerTask>] => [reasoning, { reasoning }]),
];

describe("A01 the command line of", () => {
  for (const reviewer of reviewers) {
    for (const agentic of [false, true]) {
      test(`${reviewer.name} for a ${agentic ? "fix" : "review"}, with model, session and every level`, () => {
        const lines = cases.map(
          ([label, more]) =>
            `${label.padEnd(9)}${words(reviewer.argv(task({ agentic, ...more }), capable(reviewer)))}`,
        );
        expect(lines.join("\n")).toMatchSnapshot();
      });
    }
  }
});

test("A11 what each program must be able to do is what the real one can", () => {
  for (const reviewer of others) {
    const { flags } = capable(reviewer);
    for (const flag of [...(reviewer.requiredFlags ?? []), ...(reviewer.fixFlags ?? [])])
      expect([reviewer.name, flag, flags.has(flag)]).toEqual([reviewer.name, flag, true]);
  }
});

test("V06 whoever reads a diff from a file works in the directory that has it, and may read there", () => {
  const permits: Record<string, string[]> = {
    "claude-code": ["--tools", "Read,Glob,Grep"],
    codex: ["--sandbox", "read-only", "-C", "/data/worktrees/7"],
  };
  expect(Object.keys(snapshotReading).toSorted()).toEqual(Object.keys(permits).toSorted());
  for (const [name, words] of Object.entries(permits)) {
    const reviewer = findReviewer(name) as Reviewer;
    expect(reviewer.isolation?.cell).toBeUndefined(); // else it would work elsewhere
    expect(reviewer.argv(task(), capable(reviewer)).join(" ")).toContain(words.join(" "));
  }
});

test("A06 a session id that could be anything else reaches no command line", () => {
  for (const reviewer of reviewers) {
    const capabilities = capable(reviewer);
    for (const agentic of [false, true]) {
      const plain = reviewer.argv(task({ agentic }), capabilities);
      for (const sessionId of ["--yolo", "-x", "a".repeat(129), "a b", "a/b", "a\nb", ""])
        expect(reviewer.argv(task({ agentic, sessionId }), capabilities)).toEqual(plain);
    }
  }
});

test("a model that could be an option is refused by every reviewer", () => {
  for (const reviewer of others) {
    for (const model of ["--yolo", "-m", "a\nb", "x".repeat(300)])
      expect(() => reviewer.argv(task({ model }), capable(reviewer))).toThrow("is not the name of a model");
  }
});

describe("D37 isolation", () => {
  test("every program of somebody else has switches or a cell, and the page that describes them", () => {
    expect(others.map(({ name }) => name)).toEqual(reviewerNames().filter((name) => name !== "test"));
    for (const { isolation } of others) {
      expect(isolation?.documentation.length).toBeGreaterThan(0);
      for (const page of isolation?.documentation ?? []) expect(page).toMatch(/^https:\/\/[a-z.-]+\/\S+$/);
      expect((isolation?.switches.length ?? 0) > 0 || isolation?.cell !== undefined).toBe(true);
    }
  });

  test("a review has every switch, and nothing that lifts a program's own limits", () => {
    for (const reviewer of others) {
      const argv = reviewer.argv(task(), capable(reviewer));
      for (const word of reviewer.isolation?.switches ?? []) expect([reviewer.name, ...argv]).toContain(word);
      expect(argv.join(" ")).not.toMatch(
        /yolo|--force\b|always-approve|dangerously|skip-permissions|--auto\b|danger-full-access/,
      );
    }
  });

  test("the cell's files hold settings of ours only, the servers of the user switched off by name", () => {
    const files = { "/h/mcp.json": '{"mcpServers":{"mine":{"command":"x"},"--evil":{}}}' };
    for (const reviewer of others) {
      const cell = reviewer.isolation?.cell?.(task(), capable(reviewer, files)) ?? {};
      for (const [name, content] of Object.entries(cell)) {
        expect(name).not.toStartWith("/");
        expect(JSON.parse(content)).toMatchSnapshot(`${reviewer.name} ${name}`);
      }
    }
  });

  test("no setting of the user decides a switch: a file that cannot be read switches nothing off by name", () => {
    for (const name of ["copilot", "droid", "opencode"]) {
      const reviewer = findReviewer(name) as Reviewer;
      for (const text of ["", "{", "[]", '{"mcpServers":1,"mcp":[]}', "// comment\n{}"]) {
        const capabilities = capable(reviewer, { "/h/file": text });
        expect(reviewer.argv(task(), capabilities)).toEqual(reviewer.argv(task(), capable(reviewer)));
        expect(reviewer.environment({}, task(), capabilities)).toEqual(
          reviewer.environment({}, task(), capable(reviewer)),
        );
      }
    }
  });

  test("OpenCode's servers are switched off by name, and Hermes writes into its cell only", () => {
    const opencode = findReviewer("opencode") as Reviewer;
    const config = { "/h/opencode.json": '{"mcp":{"mine":{"type":"local"}}}' };
    const env = opencode.environment({ A: "1" }, task(), capable(opencode, config));
    expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT as string)).toMatchObject({
      snapshot: false,
      mcp: { mine: { enabled: false } },
    });
    expect(opencode.environment({ A: "1" }, task({ agentic: true }), capable(opencode))).toEqual({ A: "1" });
    const hermes = findReviewer("hermes") as Reviewer;
    expect(hermes.environment({}, task(), capable(hermes))).toEqual({
      HERMES_WRITE_SAFE_ROOT: "/data/worktrees/cell-1",
    });
    expect(hermes.environment({}, task({ agentic: true }), capable(hermes))).toEqual({});
  });
});
