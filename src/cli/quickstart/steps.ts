import { findHarness } from "../../harness/registry.ts";
import { reviewerText } from "../../lib/review-text.ts";
import { plural, singleLine } from "../../lib/text.ts";
import type { Survey } from "./survey.ts";

/** What to do next. Without a command it is not done with roborev. */
export interface Step {
  command?: string;
  why: string;
}

/** What is left to set up or to work on, in the order in which it should be done. */
export function nextSteps(survey: Survey): Step[] {
  const { daemon, repo, hooks, default_agent: reviewer, guidelines } = survey;
  const agents = agentSteps(survey);
  if (!repo.in_repo)
    return [
      { command: "roborev init", why: "run it in a git repository: its commits are reviewed from then on" },
      ...reviewerSteps(survey),
      ...agents,
    ];
  const isSetUp = hooks?.post_commit === "current" && hooks.post_rewrite === "current";
  const steps: Step[] = [];
  if (!isSetUp || repo.registered === false)
    steps.push({
      command: "roborev init",
      why: isSetUp ? "the daemon does not know this repository" : hookReason(survey),
    });
  else if (daemon.problem !== undefined)
    steps.push({ command: "roborev daemon restart", why: `the daemon: ${singleLine(daemon.problem)}` });
  else if (!daemon.running)
    steps.push({ command: "roborev daemon start", why: "reviews wait until it runs" });
  steps.push(...reviewerSteps(survey), ...agents);
  if ((repo.open_failed_reviews ?? 0) > 0)
    steps.push({
      command: "roborev fix --list",
      why: `${plural(repo.open_failed_reviews ?? 0, "failed review waits", "failed reviews wait")} on this branch`,
    });
  if (steps.length > 0) return steps;
  return [
    ...(guidelines.present
      ? []
      : [
          {
            command: 'roborev config set review_guidelines "…"',
            why: "if you like: what reviewers should know about this repository",
          },
        ]),
    {
      command: "git commit",
      why: `all is set up: what you commit is reviewed by ${reviewerText(reviewer ?? "")}`,
    },
  ];
}

function hookReason({ hooks }: Survey): string {
  const states = [hooks?.post_commit, hooks?.post_rewrite];
  return states.includes("outdated")
    ? "the git hooks are not as they should be"
    : "commits of this repository are not reviewed yet";
}

function reviewerSteps({ default_agent: reviewer, default_agent_problem: problem }: Survey): Step[] {
  return reviewer === null ? [{ why: singleLine(problem ?? "no reviewer is installed") }] : [];
}

/** Hooks first: with them come the skills. */
function agentSteps({ agent_hook, skills }: Survey): Step[] {
  const withHook = (state: string) => Object.keys(agent_hook).filter((name) => agent_hook[name] === state);
  const missing = withHook("missing");
  const hooked = withHook("installed");
  const lacking = hooked.filter((name) => skills[name] === "missing");
  const old = hooked.filter((name) => skills[name] === "outdated");
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            command: "roborev agent-hook install",
            why: `findings come back into ${namesOf(missing)}`,
          },
        ]),
    ...withHook("unreadable").map((name) => ({
      command: `roborev agent-hook doctor --agent ${name}`,
      why: `the configuration of ${namesOf([name])} cannot be read`,
    })),
    ...(lacking.length === 0
      ? []
      : [{ command: "roborev skills install", why: `commands like roborev-review for ${namesOf(lacking)}` }]),
    ...(old.length === 0
      ? []
      : [{ command: "roborev skills update", why: `those of ${namesOf(old)} are outdated` }]),
  ];
}

/** `Claude Code, Codex and Gemini CLI`. */
export function namesOf(names: readonly string[]): string {
  const shown = names.map((name) => findHarness(name)?.displayName ?? name);
  const last = shown.at(-1) ?? "";
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`;
}
