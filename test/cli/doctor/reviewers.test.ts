import { describe, expect, test } from "bun:test";
import { judgeReviewers, type ReviewersFound } from "../../../src/cli/doctor/reviewers.ts";
import { found } from "./found.ts";

describe("reviewers", () => {
  const here = (more: Partial<ReviewersFound> = {}): ReviewersFound => ({
    agents: [
      { name: "codex", available: true, path: "/b/codex" },
      { name: "gemini", available: false },
    ],
    default_agent: "codex",
    launches: {},
    dangling: {},
    ...more,
  });

  test("nobody is an error, and told once where a configuration is refused", () => {
    const none = here({
      default_agent: null,
      default_agent_problem: "none installed",
      pathProblem: "no shell",
    });
    expect(found(judgeReviewers(none, false))).toEqual([
      "error no-reviewer: Then ask it for a word: roborev check-agents",
      "note login-path",
    ]);
    expect(found(judgeReviewers(none, true))).toEqual([]);
  });

  test("the chosen one that will not start is an error, another one a warning, a link to nowhere too", () => {
    const broken = { path: "/b/codex", interpreter: { name: "node", found: false } };
    expect(found(judgeReviewers(here({ launches: { codex: broken } }), false))).toEqual([
      "error reviewer-start: roborev check-agents --agent codex",
    ]);
    expect(found(judgeReviewers(here({ launches: { gemini: broken } }), false))[0]).toStartWith(
      "warning reviewer-start",
    );
    expect(found(judgeReviewers(here({ dangling: { gemini: ["/b/gemini"] } }), false))[0]).toStartWith(
      "warning reviewer-link",
    );
  });
});
