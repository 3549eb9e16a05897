import { expect, test } from "bun:test";
import { createOutput } from "../../../src/cli/output.ts";
import { nextSteps } from "../../../src/cli/quickstart/steps.ts";
import type { Survey } from "../../../src/cli/quickstart/survey.ts";
import { quickstartText } from "../../../src/cli/quickstart/text.ts";

/** Everything is set up. */
const ready: Survey = {
  version: "1.2.3",
  daemon: { running: true, version: "1.2.3", address: "unix:///d" },
  repo: { in_repo: true, root: "/src/shop", registered: true, open_failed_reviews: 0 },
  hooks: { post_commit: "current", post_rewrite: "current" },
  agents: [
    { name: "codex", available: true, path: "/bin/codex" },
    { name: "gemini", available: false },
  ],
  default_agent: "codex",
  skills: { claude: "installed", codex: "no_agent" },
  guidelines: { present: true, source: "REVIEW.md" },
  agent_hook: { claude: "installed", codex: "no_agent" },
};

test.each<[what: string, change: Partial<Survey>, commands: (string | undefined)[]]>([
  ["all is set up", {}, ["git commit"]],
  [
    "nobody said what matters",
    { guidelines: { present: false, source: null } },
    ['roborev config set review_guidelines "…"', "git commit"],
  ],
  [
    "the git hooks are missing",
    { hooks: { post_commit: "missing", post_rewrite: "missing" } },
    ["roborev init"],
  ],
  ["one git hook is old", { hooks: { post_commit: "outdated", post_rewrite: "current" } }, ["roborev init"]],
  [
    "the daemon does not know the repository",
    { repo: { ...ready.repo, registered: false } },
    ["roborev init"],
  ],
  [
    "no daemon runs",
    { daemon: { running: false, address: "" }, repo: { ...ready.repo, registered: null } },
    ["roborev daemon start"],
  ],
  [
    "the daemon hangs",
    { daemon: { running: true, address: "", problem: "it does not answer" } },
    ["roborev daemon restart"],
  ],
  [
    "nobody can review",
    { default_agent: null, default_agent_problem: "no reviewer is installed" },
    [undefined],
  ],
  [
    "an agent has no hook, nor skills: the hook brings them",
    { agent_hook: { claude: "missing" }, skills: { claude: "missing" } },
    ["roborev agent-hook install"],
  ],
  ["skills are missing", { skills: { claude: "missing" } }, ["roborev skills install"]],
  ["skills are old", { skills: { claude: "outdated" } }, ["roborev skills update"]],
  ["skills were edited", { skills: { claude: "edited" } }, ["git commit"]],
  [
    "a file of an agent is broken",
    { agent_hook: { claude: "unreadable" } },
    ["roborev agent-hook doctor --agent claude"],
  ],
  ["reviews wait", { repo: { ...ready.repo, open_failed_reviews: 2 } }, ["roborev fix --list"]],
  [
    "there is no repository around",
    { repo: { in_repo: false, registered: null, open_failed_reviews: null }, hooks: null },
    ["roborev init"],
  ],
])("when %s, that is what comes next", (_, change, commands) => {
  expect(nextSteps({ ...ready, ...change }).map(({ command }) => command)).toEqual(commands);
});

test("what comes from outside stays on its line", () => {
  const out = createOutput({
    stdout: { write: () => {}, isTerminal: false },
    stderr: { write: () => {}, isTerminal: false },
    env: {},
    verbose: false,
  });
  const hostile = "/src/\u001b[31mx\nNext";
  const survey: Survey = {
    ...ready,
    repo: { ...ready.repo, root: hostile },
    daemon: { running: true, address: "", problem: hostile },
    default_agent: null,
    default_agent_problem: hostile,
  };
  const text = quickstartText(survey, nextSteps(survey), out);
  expect(text).not.toContain("\u001b");
  expect(text.split("\n").filter((line) => line === "Next")).toHaveLength(1);
});
